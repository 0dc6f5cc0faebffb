import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createNodeListener } from "../../adapters/http/index.js";
import { createMemoryStorage } from "../../adapters/memory.js";
import { Outline } from "../../src/outline.js";
import { newOutline } from "../support/outline.js";
import { isChromium, TestBrowser } from "./browser.js";
import type * as page from "./sync-page.js";

const browser = new TestBrowser<typeof page>(new URL("./sync-page.ts", import.meta.url));

let server: Server | undefined;
afterEach(() => {
	server?.close();
	server?.closeAllConnections();
});

/** Serves an outline, at a port of its own or at the given one. */
async function serve(outline: Outline, port = 0): Promise<number> {
	const cors = { origins: [browser.origin] };
	server = createServer(createNodeListener({ authenticate: () => outline, cors })).listen(port, "127.0.0.1");
	await once(server, "listening");
	return (server.address() as AddressInfo).port;
}

const urlOf = (port: number) => `http://127.0.0.1:${port}/api/v1`;
const namesOf = async (outline: Outline) => (await outline.list()).nodes.map(({ name }) => name);

test("two tabs are one device: when the one that exchanges is closed, the other goes on", async () => {
	const outline = newOutline();
	const url = urlOf(await serve(outline));
	const [first, second] = [await browser.open(), await browser.open()];
	// The tab that opens last exchanges.
	for (const tab of [second, first]) await tab.call("open", url);
	await first.call("write", "from the first tab");
	await expect.poll(() => namesOf(outline)).toEqual(["from the first tab"]);
	await second.call("write", "from the second tab");
	await expect.poll(() => namesOf(outline)).toEqual(["from the first tab", "from the second tab"]);
	await outline.create({ name: "from the server", position: "bottom" });
	for (const tab of [first, second]) {
		await expect.poll(() => tab.call("names")).toEqual(await namesOf(outline));
	}
	await first.page.close();
	await second.call("write", "after the first tab");
	await outline.create({ name: "from the server again" });
	await expect.poll(() => namesOf(outline), { timeout: 10_000 }).toContain("after the first tab");
	await expect.poll(() => second.call("names"), { timeout: 10_000 }).toEqual(await namesOf(outline));
	await expect.poll(() => second.call("pending")).toBe(0);
	await second.page.close();
	expect(browser.errors).toEqual([]);
}, 60_000);

test.skipIf(!isChromium)(
	"nothing is lost when the browser is killed while the server is away",
	async () => {
		const outline = newOutline();
		const port = await serve(outline);
		server!.close();
		server!.closeAllConnections();
		await browser.kill();
		await browser.start();
		const before = await browser.open();
		await before.call("open", urlOf(port));
		const known = await before.call("names");
		for (const name of ["one", "two", "three"]) await before.call("write", name);
		await browser.kill();
		await browser.start();
		const after = await browser.open();
		await after.call("open", urlOf(port));
		expect(await after.call("names")).toEqual([...known, "one", "two", "three"]);
		await expect.poll(() => after.call("pending")).toBeGreaterThanOrEqual(3);
	},
	60_000,
);

test("an outline of 10,000 nodes arrives in one piece", async () => {
	const outline = new Outline({ storage: createMemoryStorage() });
	await outline.batch(Array.from({ length: 10_000 }, (_, n) => ({ type: "create", name: `node ${n}` }) as const));
	const tab = await browser.open();
	expect((await tab.call("firstSync", urlOf(await serve(outline)))).nodes).toBe(10_000);
	expect(browser.errors).toEqual([]);
}, 60_000);
