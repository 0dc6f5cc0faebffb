import { Outline } from "outlinekit";
import { createIndexedDbStorage } from "outlinekit/indexeddb";

export const outline = new Outline({
	storage: createIndexedDbStorage("notes"), // a database of the browser
	history: { keep: true }, // undo also works after a reload
});
