/** Builds the outliner before its tests, unless it is newer than its sources. */
export { buildOutliner as setup } from "../../scripts/install.js";
