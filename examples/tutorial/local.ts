import { Outline } from "outlinekit";
import { createIndexedDbStorage } from "outlinekit/indexeddb";

export const outline = new Outline({ storage: createIndexedDbStorage("notes") });
