import { buildOutliner } from "../../scripts/install.js";
import { setup as findBrowser } from "./browser.js";

/** Builds the outliner before its tests, unless it is newer than its sources, and finds or installs a browser. */
export async function setup(): Promise<void> {
	await buildOutliner();
	await findBrowser();
}
