/** @jsxImportSource solid-js */
import { Outline } from "outlinekit";
import { createIndexedDbStorage } from "outlinekit/indexeddb";
import { render } from "solid-js/web";
import { App } from "./app.tsx";

const outline = new Outline({ storage: createIndexedDbStorage("solid-example") });

render(() => <App outline={outline} />, document.body);
