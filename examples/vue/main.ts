import { Outline } from "outlinekit";
import { createIndexedDbStorage } from "outlinekit/indexeddb";
import { createApp } from "vue";
import App from "./app.vue";

const outline = new Outline({ storage: createIndexedDbStorage("vue-example") });

createApp(App, { outline }).mount(document.body);
