import { Outline } from "outlinekit";
import { createIndexedDbStorage } from "outlinekit/indexeddb";
import { render } from "solid-js/web";
import { App } from "./app.ts";

const outline = new Outline({ storage: createIndexedDbStorage("solid-example") });

render(() => App({ outline }), document.body);
