import { fileURLToPath } from "node:url";
import { createServer } from "vite";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary.js";
import { type Tab, TestBrowser } from "./browser.js";
import type * as page from "./react-page.js";

const browser = new TestBrowser<typeof page>(new URL("./react-page.tsx", import.meta.url));
let tab: Tab<typeof page>;
beforeAll(() => browser.start());
afterAll(() => browser.close());
beforeEach(async () => {
	tab = await browser.open();
});
afterEach(async () => {
	await tab.close();
	expect(browser.errors.splice(0)).toEqual([]);
});

/** The names in the list, indented by depth. */
async function listed(): Promise<string[]> {
	return tab.page
		.locator(".row")
		.evaluateAll((rows) =>
			rows.map((row) => " ".repeat(row.getBoundingClientRect().x / 24) + row.querySelector("span")!.textContent),
		);
}

describe("the hooks, in strict mode", () => {
	test("close all that they open", async () => {
		await tab.call("plant", "a\n  b");
		await tab.call("showProbe", {});
		await expect.poll(async () => (await tab.call("rendered")).at(-1)).toEqual({ rows: ["a>"], hits: ["a"] });
		// Two hooks, whose effects strict mode runs twice.
		expect(await tab.call("count")).toEqual({ made: 4, open: 2 });
		await tab.call("unmount");
		expect(await tab.call("count")).toEqual({ made: 4, open: 0 });
	});

	test("close what isn't ready yet", async () => {
		await tab.call("setReading", "waits");
		await tab.call("showProbe", {});
		await expect.poll(() => tab.call("count")).toEqual({ made: 4, open: 2 });
		await tab.call("unmount");
		expect(await tab.call("count")).toEqual({ made: 4, open: 0 });
		await tab.call("goOn", "works");
		await tab.call("plant", "a");
		expect((await tab.call("rendered")).filter(({ rows }) => rows !== null)).toEqual([]);
	});

	test("go on from one input to another without an empty screen between", async () => {
		await tab.call("plant", "a\n  b\n  c\nd\n  e");
		await tab.call("showProbe", {});
		await expect.poll(async () => (await tab.call("rendered")).at(-1)).toEqual({ rows: ["a>", "d>"], hits: ["a"] });
		await tab.call("setReading", "waits");
		await tab.call("showProbe", { root: "a", words: "b" });
		await expect.poll(() => tab.call("count")).toEqual({ made: 6, open: 2 });
		await tab.call("goOn", "works");
		const seen: Awaited<ReturnType<typeof page.rendered>> = [];
		const last = async () => {
			seen.push(...(await tab.call("rendered")));
			return seen.at(-1);
		};
		await expect.poll(last).toEqual({ rows: ["b", "c"], hits: ["b"] });
		expect(seen.filter(({ rows, hits }) => rows === null || hits === null)).toEqual([]);
	});

	test.each(["works", "fails"] as const)("don't care whether what isn't wanted any more %s", async (reading) => {
		await tab.call("plant", "a\n  b\nd\n  e");
		await tab.call("setReading", "waits");
		await tab.call("showProbe", { root: "a" });
		await expect.poll(async () => (await tab.call("count")).open).toBe(2);
		await tab.call("setReading", "works");
		await tab.call("showProbe", { root: "d", words: "d" });
		await expect.poll(async () => (await tab.call("rendered")).at(-1)).toEqual({ rows: ["e"], hits: ["d"] });
		await tab.call("goOn", reading);
		await tab.call("plant", "f");
		await tab.call("showProbe", { root: "d", words: "f" });
		await expect.poll(async () => (await tab.call("rendered")).at(-1)).toEqual({ rows: ["e"], hits: ["f"] });
	});

	test("show what is expanded and hide what is completed, however often that changes", async () => {
		await tab.call("plant", "a\n  b\n  c\nd\n  e");
		await tab.call("complete", "c");
		await tab.call("setReading", "waits");
		await tab.call("showProbe", { expanded: ["d"] });
		await expect.poll(async () => (await tab.call("count")).open).toBe(2);
		// While it is being opened.
		await tab.call("showProbe", { expanded: ["a"] });
		await tab.call("setReading", "works");
		await tab.call("goOn", "works");
		const rows = async () => (await tab.call("rendered")).at(-1)?.rows;
		await expect.poll(rows).toEqual(["a>", "b", "c", "d>"]);
		await tab.call("showProbe", { expanded: ["a", "d"], completed: false });
		await expect.poll(rows).toEqual(["a>", "b", "d>", "e"]);
		await tab.call("showProbe", { expanded: ["d"], completed: true });
		await expect.poll(rows).toEqual(["a>", "d>", "e"]);
		await tab.call("complete", "b");
		await tab.call("showProbe", {});
		await expect.poll(rows).toEqual(["a>", "d>"]);
		expect(await tab.call("count")).toEqual({ made: 4, open: 2 });
	});

	test("give what fails at first and what fails later to the error boundary, and start again", async () => {
		await tab.call("plant", "a");
		await tab.call("setReading", "fails");
		await tab.call("showProbe", {});
		const alert = tab.page.getByRole("alert");
		await alert.getByText("no disk").waitFor();
		expect((await tab.call("count")).open).toBe(0);
		await tab.call("setReading", "works");
		await alert.getByRole("button", { name: "Try again" }).click();
		await tab.page.getByText("a", { exact: true }).waitFor();
		await tab.call("setReading", "fails");
		// Whether the node has children takes a read, which this view doesn't need.
		await tab.call("plant", "b");
		await alert.getByText("no disk").waitFor();
		expect((await tab.call("count")).open).toBe(0);
	});
});

describe("the app", () => {
	test("lists, adds, unfolds, completes and hides", async () => {
		const { page } = tab;
		await tab.call("showApp");
		const add = async (label: string, name: string) => {
			await page.getByLabel(label, { exact: true }).fill(name);
			await page.keyboard.press("Enter");
			await page.locator(".row span").filter({ hasText: name }).waitFor();
		};
		await add("New", "Trip");
		await add("New", "Read");
		await page.getByLabel("Add below Trip").click();
		await add("New, below Trip", "ferry");
		await add("New, below Trip", "tent");
		const [trip] = await listed();
		const indentation = trip!.length - "Trip".length;
		expect((await listed()).map((line) => line.slice(indentation))).toEqual(["Trip", " ferry", " tent", "Read"]);
		await page.getByLabel("ferry is completed").check();
		await page.locator(".completed").filter({ hasText: "ferry" }).waitFor();
		await page.getByLabel("Show completed").uncheck();
		await expect.poll(async () => (await listed()).length).toBe(3);
		await page.getByLabel("Below Trip", { exact: true }).click();
		await expect.poll(async () => (await listed()).length).toBe(2);
		await tab.call("unmount");
		expect((await tab.call("count")).open).toBe(0);
	});

	test("searches as one types, and says what is wrong with a search", async () => {
		const { page } = tab;
		await tab.call("plant", "red boat\nblue car");
		await tab.call("showApp");
		const hits = page.getByRole("listitem");
		await page.getByLabel("Search").fill("boat");
		await expect.poll(() => hits.allTextContents()).toEqual(["red boat"]);
		await page.getByLabel("Search").fill('"red');
		await page.getByText("The quote is never closed").waitFor();
		await page.getByLabel("Search").fill('"blue car"');
		await expect.poll(() => hits.allTextContents()).toEqual(["blue car"]);
		await page.getByLabel("Search").fill("green");
		await page.getByText("Nothing has these words").waitFor();
	});

	test("keeps a name that can't be created, with the reason", async () => {
		const { page } = tab;
		await tab.call("showApp");
		const long = "x".repeat(1001);
		await page.getByLabel("New", { exact: true }).fill(long);
		await page.keyboard.press("Enter");
		await page.getByRole("alert").waitFor();
		expect(await page.getByLabel("New", { exact: true }).inputValue()).toBe(long);
	});

	test("leaves alone what is typed while the node before is being created, also if that fails", async () => {
		const { page } = tab;
		await tab.call("showApp");
		const line = page.getByLabel("New", { exact: true });
		await tab.call("setAnswering", "waits");
		await line.fill("first");
		await page.keyboard.press("Enter");
		await line.fill("second");
		await tab.call("answer", "works");
		// Nothing is to happen to the line, for which there is no sign.
		await page.waitForTimeout(200);
		await page.keyboard.press("Enter");
		await expect.poll(async () => (await listed()).map((name) => name.trim())).toEqual(["first", "second"]);
		expect(await line.inputValue()).toBe("");
		await tab.call("setAnswering", "waits");
		await line.fill("third");
		await page.keyboard.press("Enter");
		await line.fill("fourth");
		await tab.call("answer", "fails");
		await page.getByRole("alert").getByText("no disk").waitFor();
		expect(await line.inputValue()).toBe("third fourth");
	});

	test("runs in Vite unchanged, shows the changes of another tab, and keeps them", { timeout: 120_000 }, async () => {
		const cacheDir = temporaryFolder();
		const root = fileURLToPath(new URL("../../examples/react", import.meta.url));
		const server = await createServer({ root, cacheDir, logLevel: "warn", server: { host: "127.0.0.1", port: 0 } });
		await server.listen();
		const other = await browser.open();
		try {
			const [address] = server.resolvedUrls!.local;
			for (const { page } of [tab, other]) await page.goto(address!);
			await tab.page.getByLabel("New", { exact: true }).fill("from **here**");
			await tab.page.keyboard.press("Enter");
			await other.page.locator(".row b").getByText("here").waitFor();
			await tab.page.reload();
			await tab.page.locator(".row b").getByText("here").waitFor();
		} finally {
			await other.close();
			await tab.page.goto("about:blank");
			await server.close();
		}
	});
});
