import { expect, test } from "vitest";
import { expectedTranscript, operations, seeds } from "../transcript/sequences.js";
import { TestBrowser } from "./browser.js";
import type * as page from "./transcript-page.js";

const browser = new TestBrowser<typeof page>(new URL("./transcript-page.ts", import.meta.url));

test.each(seeds)(
	`${operations} random operations from seed %i show the same as in memory`,
	{ timeout: 240_000 },
	async (seed) => {
		const expected = await expectedTranscript(seed);
		const tab = await browser.open();
		expect(await tab.call("transcript", seed, operations)).toEqual(expected);
		expect(browser.errors).toEqual([]);
		await tab.page.close();
	},
);
