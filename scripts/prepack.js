import { buildOutliner, buildPackage } from "./install.js";

// npm runs this before it packs the package. The outliner is what `outlinekit serve` shows.
buildPackage();
await buildOutliner();
