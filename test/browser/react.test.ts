import { fileURLToPath } from "node:url";
import { createServer } from "vite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { short } from "../setup/soak.js";
import { temporaryFolder } from "../support/temporary.js";
import { type Tab, TestBrowser } from "./browser.js";
import type * as page from "./react-page.js";

const browser = new TestBrowser<typeof page>(new URL("./react-page.tsx", import.meta.url));
let tab: Tab<typeof page>;
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
		// Not `check`, which looks at once: the box changes only after the commit.
		await page.getByLabel("ferry is completed").click();
		await page.locator(".completed").filter({ hasText: "ferry" }).waitFor();
		await page.getByLabel("Show completed").uncheck();
		await expect.poll(async () => (await listed()).length).toBe(3);
		await page.getByLabel("Below Trip", { exact: true }).click();
		await expect.poll(async () => (await listed()).length).toBe(2);
		await page.getByRole("button", { name: "Undo" }).click();
		await page.getByLabel("Show completed").check();
		await page.getByLabel("Below Trip", { exact: true }).click();
		await expect.poll(async () => (await listed()).length).toBe(4);
		expect(await page.getByLabel("ferry is completed").isChecked()).toBe(false);
		await page.getByRole("button", { name: "Redo" }).click();
		await page.locator(".completed").filter({ hasText: "ferry" }).waitFor();
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

	test.runIf(!short)(
		"runs in Vite unchanged, shows the changes of another tab, and keeps them",
		{ timeout: 120_000 },
		async () => {
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
		},
	);
});
