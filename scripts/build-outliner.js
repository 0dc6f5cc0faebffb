import { buildOutliner } from "./install.js";

// The package has the outliner, which `outlinekit serve` shows.
await buildOutliner();
