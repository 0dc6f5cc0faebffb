import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createIndexedDbStorage } from "../../adapters/indexeddb.js";
import { storageConformance } from "../conformance/index.js";
import { type Tab, TestBrowser } from "./browser.js";
import type * as page from "./indexeddb-conformance-page.js";

const browser = new TestBrowser<typeof page>(new URL("./indexeddb-conformance-page.ts", import.meta.url));
let tab: Tab<typeof page>;
beforeAll(async () => {
	tab = await browser.open();
});
afterAll(() => expect(browser.errors).toEqual([]));

describe("an IndexedDB storage in a browser", () => {
	// Registered here for their names alone: they are run in the page.
	storageConformance({
		test: (name) => test(name, () => tab.call("run", name)),
		create: createIndexedDbStorage,
		traits: { durable: true, multiProcess: true, watch: true, peek: true },
	});
});
