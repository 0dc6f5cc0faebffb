import { expect, test } from "vitest";
import { TestBrowser } from "./browser.js";
import type * as page from "./outline-page.js";

const browser = new TestBrowser<typeof page>(new URL("./outline-page.ts", import.meta.url));

test("the core and the storage in memory run in a browser", async () => {
	const tab = await browser.open();
	expect(await tab.call("importMarkdown", "# A **trip**\n\n- to [2026-11-21]")).toEqual([
		"A <b>trip</b>",
		'to <time datetime="2026-11-21">2026-11-21</time>',
	]);
	expect(browser.errors).toEqual([]);
});
