import { outline } from "./local.ts";
import { addActions } from "./panel.ts";

// The outliner of the tutorial, on the outline of this folder, beside a panel of its calls.
await import("../tutorial/main.ts");
addActions(outline);
