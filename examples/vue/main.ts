import { Outline } from "outlinekit";
import { createIndexedDbStorage } from "outlinekit/indexeddb";
import { createApp } from "vue";
import { appOf } from "./app.ts";

const outline = new Outline({ storage: createIndexedDbStorage("vue-example") });

createApp(appOf(outline)).mount(document.body);
