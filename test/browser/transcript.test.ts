import { createMemoryStorage } from "outlinekit/memory";
import { afterAll, beforeAll, expect, test } from "vitest";
import { soak } from "../file/soak.js";
import { takeTranscript } from "../transcript/transcript.js";
import { TestBrowser } from "./browser.js";
import type * as page from "./transcript-page.js";

const seed = 20_261_121;
const operations = 20_000 * soak;

const browser = new TestBrowser<typeof page>(new URL("./transcript-page.ts", import.meta.url));
beforeAll(() => browser.start());
afterAll(() => browser.close());

test(`${operations} random operations from seed ${seed} show the same as in memory`, {
	timeout: 240_000 * soak,
}, async () => {
	const kept = createMemoryStorage();
	const expected = await takeTranscript({ open: () => kept, durable: false }, seed, operations);
	const tab = await browser.open();
	expect(await tab.call("transcript", seed, operations)).toEqual(expected);
	expect(browser.errors).toEqual([]);
});
