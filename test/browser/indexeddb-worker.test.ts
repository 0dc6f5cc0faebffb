import { expect, test } from "vitest";
import { TestBrowser } from "./browser.js";
import type * as page from "./indexeddb-worker-page.js";

const browser = new TestBrowser<typeof page>(new URL("./indexeddb-worker-page.ts", import.meta.url));

test("pages and workers write to one outline", async () => {
	const tab = await browser.open();
	expect(await tab.call("addKey", "shared", "page")).toEqual(["page"]);
	expect(await tab.call("addKeyInWorker", "shared", "worker")).toEqual(["page", "worker"]);
	expect(await tab.call("addKey", "shared", "again")).toEqual(["again", "page", "worker"]);
	expect(browser.errors).toEqual([]);
});
