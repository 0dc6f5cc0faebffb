import { buildOutliner } from "../../scripts/install.js";
import { quickBrowserPath } from "./browser.js";

/**
 * Builds the outliner before its tests, unless it is newer than its sources, and finds or installs a browser, whose
 * path the tests read from `OUTLINE_QUICK_BROWSER`.
 */
export async function setup(): Promise<void> {
	await buildOutliner();
	process.env.OUTLINE_QUICK_BROWSER = await quickBrowserPath();
}
