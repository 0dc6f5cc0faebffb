import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningServer, startServer } from "../../examples/import-map/server.js";
import { TestBrowser } from "./browser.js";

const browser = new TestBrowser(new URL("./outline-page.ts", import.meta.url));
let server: RunningServer;
beforeAll(async () => {
	server = await startServer(0);
});
afterAll(async () => {
	await browser.close();
	await server.stop();
});

test("a page without a bundler loads from its own host alone, keeps its changes, and notices other tabs", async () => {
	const [{ page }, { page: other }] = await Promise.all([browser.open(), browser.open()]);
	const hosts = new Set<string>();
	page.on("request", (request) => hosts.add(new URL(request.url()).origin));
	await page.goto(server.address);
	await other.goto(server.address);
	await page.getByLabel("New note").fill("Trip to **Oslo**");
	await page.keyboard.press("Enter");
	const name = page.getByText("Oslo");
	await name.waitFor();
	expect(await name.evaluate((element) => element.tagName)).toBe("B");
	await other.getByLabel("Trip to Oslo").click();
	await expect.poll(() => page.getByLabel("Trip to Oslo").isChecked()).toBe(true);
	await page.reload();
	await name.waitFor();
	expect(await page.getByLabel("Trip to Oslo").isChecked()).toBe(true);
	expect([...hosts].filter((host) => host !== "null")).toEqual([new URL(server.address).origin]);
	expect(browser.errors).toEqual([]);
});

test("a module that can't be loaded on first use fails by name, loses nothing, and works once it can", async () => {
	const { page } = await browser.open();
	let files = 0;
	page.on("request", () => {
		files += 1;
	});
	await page.goto(server.address);
	// As a text: the runner rewrites an import in a function.
	const isReached = () => page.evaluate('import("/dist/memory.js").then(() => true, () => false)');
	const field = page.getByLabel("New note");
	const add = async (text: string) => {
		await field.fill(text);
		await page.keyboard.press("Enter");
	};
	await add("plain");
	await page.getByLabel("plain").waitFor();
	const atStart = files;
	await page.context().setOffline(true);
	expect(await isReached()).toBe(false);
	await add("**bold**");
	await expect
		.poll(() => page.getByRole("alert").textContent())
		.toMatch(/^The reader of Markdown couldn't be loaded\./);
	expect(await field.inputValue()).toBe("**bold**");
	await add("plain too");
	await page.getByLabel("plain too").waitFor();
	await page.context().setOffline(false);
	// Some browsers keep a failure until the page is loaded again.
	if (!(await isReached())) await page.reload();
	await add("**bold**");
	await page.getByLabel("bold").waitFor();
	// The parser has more files than the start of a page.
	expect(files - atStart).toBeGreaterThan(atStart);
	expect(browser.errors).toEqual([]);
});
