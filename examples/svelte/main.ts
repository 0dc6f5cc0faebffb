import { Outline } from "outlinekit";
import { createIndexedDbStorage } from "outlinekit/indexeddb";
import { mount } from "svelte";
import App from "./app.svelte";

const outline = new Outline({ storage: createIndexedDbStorage("svelte-example") });

mount(App, { target: document.body, context: new Map([["outline", outline]]) });
