import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { TestBrowser } from "./browser.js";
import type * as page from "./harness-page.js";

const browser = new TestBrowser<typeof page>(new URL("./harness-page.ts", import.meta.url));

/**
 * 300,000 characters that the browser can't compress below 150,000 bytes, because the quota counts compressed
 * bytes.
 */
const large = randomBytes(150_000).toString("hex");

describe("a browser of the tests", () => {
	test("shows two tabs one database", async () => {
		const [one, two] = await Promise.all([browser.open(), browser.open()]);
		await Promise.all([one.call("open", "shared"), two.call("open", "shared")]);
		await one.call("put", "a", "from one");
		expect(await two.call("get", "a")).toBe("from one");
		await Promise.all([one.close(), two.close()]);
	});

	test("gives each tab a process, which can crash alone", async () => {
		const [one, two] = await Promise.all([browser.open(), browser.open()]);
		await Promise.all([one.call("open", "crash"), two.call("open", "crash")]);
		await one.call("put", "a", "before the crash");
		await one.call("holdLock", "lock");
		const rejected = expect(one.call("hang")).rejects.toThrow("crashed");
		await one.crash();
		await rejected;
		await two.call("waitForLock", "lock");
		expect(await two.call("get", "a")).toBe("before the crash");
		await two.close();
	});

	test("starts with what it had when it was killed", async () => {
		const before = await browser.open();
		await before.call("open", "kill");
		await before.call("put", "a", "before the kill");
		await browser.kill();
		await expect(browser.open()).rejects.toThrow("start it first");
		await browser.start();
		const after = await browser.open();
		await after.call("open", "kill");
		expect(await after.call("get", "a")).toBe("before the kill");
		await after.close();
	});

	test("refuses what is beyond the quota, until that is lifted", async () => {
		await browser.kill();
		await browser.start();
		await browser.limitQuota(100_000);
		const tab = await browser.open();
		await tab.call("open", "quota");
		await expect(tab.call("put", "a", large)).rejects.toThrow("QuotaExceededError");
		expect(await tab.call("get", "a")).toBeUndefined();
		await browser.limitQuota();
		await tab.call("put", "a", large);
		await tab.close();
	});

	test("deletes a database while connections use it", async () => {
		const tab = await browser.open();
		await tab.call("open", "deleted");
		await tab.call("put", "a", "before");
		await browser.deleteDatabase("deleted");
		expect(await tab.call("closed")).toEqual(["close"]);
		await tab.call("open", "deleted");
		expect(await tab.call("get", "a")).toBeUndefined();
		await tab.close();
	});

	test("notes uncaught errors of a page", async () => {
		const tab = await browser.open();
		expect(browser.errors).toEqual([]);
		await tab.page.evaluate("void Promise.reject(new Error('left alone'))");
		await expect.poll(() => browser.errors.splice(0)).toEqual([expect.stringContaining("left alone")]);
		await tab.close();
	});
});
