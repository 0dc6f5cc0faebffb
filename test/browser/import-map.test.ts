import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningServer, startServer } from "../../examples/import-map/server.js";
import { TestBrowser } from "./browser.js";

const browser = new TestBrowser(new URL("./outline-page.ts", import.meta.url));
let server: RunningServer;
beforeAll(async () => {
	server = await startServer(0);
	await browser.start();
});
afterAll(async () => {
	await browser.close();
	await server.stop();
});

test("a page without a bundler loads from its own host alone, keeps what is written, and hears of other tabs", async () => {
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
	await other.getByLabel("Trip to Oslo").check();
	await expect.poll(() => page.getByLabel("Trip to Oslo").isChecked()).toBe(true);
	await page.reload();
	await name.waitFor();
	expect(await page.getByLabel("Trip to Oslo").isChecked()).toBe(true);
	expect([...hosts].filter((host) => host !== "null")).toEqual([new URL(server.address).origin]);
	expect(browser.errors).toEqual([]);
});
