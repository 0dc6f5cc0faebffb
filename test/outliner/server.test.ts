import type { BrowserContext } from "playwright-core";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { RunningServer } from "../../cli/serve/server.js";
import { startFileServer } from "../support/file-server.js";
import { temporaryFolder } from "../support/temporary.js";
import { App, type Tab } from "./app.js";
import { violationsInAllLooks } from "./looks.js";

const app = new App();
app.losesRequests = true;
let server: RunningServer;
let directory: string;

beforeEach(async () => {
	directory = temporaryFolder();
	await serve(0);
});
afterEach(() => server.stop());

async function serve(port: number, apiKey = "a-key"): Promise<void> {
	server = await startFileServer({ port, directory, apiKey });
	app.address = `${server.address}/`;
}

/** Opens the link that the server prints, in a browser of its own. */
async function device(): Promise<Tab> {
	return app.open(await app.profile(), "#key=a-key");
}

async function request(method: string, path: string, body?: object): Promise<{ nodes: { name: string }[] }> {
	const response = await fetch(`${server.address}/api/v1${path}`, {
		method,
		headers: { authorization: "Bearer a-key", "content-type": "application/json" },
		...(body !== undefined && { body: JSON.stringify(body) }),
	});
	return response.json() as never;
}

async function namesAtServer(): Promise<string[]> {
	return (await request("GET", "/nodes?parent_id=None")).nodes.map(({ name }) => name);
}

/** Exchanges wait up to a few seconds after a failure. */
const patience = { timeout: 30_000 };

const sign = (tab: Tab) => tab.page.locator(".sync").innerText();

async function synced(...tabs: Tab[]): Promise<void> {
	for (const tab of tabs) await expect.poll(() => sign(tab), patience).toMatch(/^Synced/);
}

function offline(context: BrowserContext, isOffline: boolean): Promise<void> {
	return context.setOffline(isOffline);
}

test("a page with the key of the server shows its outline, both ways, within a second", async () => {
	const tab = await device();
	expect(tab.page.url()).toBe(`${server.address}/`);
	await tab.write("milk");
	await synced(tab);
	expect(await namesAtServer()).toEqual(["milk"]);

	await request("POST", "/nodes", { parent_id: "None", name: "**bread**", position: "bottom" });
	await expect.poll(() => tab.rows(), { timeout: 1000 }).toEqual(["milk", "<b>bread</b>"]);

	// The key stays on the device.
	await tab.page.reload();
	await tab.ready();
	expect(await tab.rows()).toEqual(["milk", "<b>bread</b>"]);
	await synced(tab);
});

test("two browsers write offline, and meet", async () => {
	const one = await device();
	await one.write("plans");
	await synced(one);
	const other = await device();
	expect(await other.rows()).toEqual(["plans"]);

	await offline(one.page.context(), true);
	await offline(other.page.context(), true);
	await one.write("plans", "by train");
	await other.press("End", "Enter");
	await other.type("by boat");
	await other.saved();
	await expect.poll(() => sign(one)).toMatch(/^Offline, \d+ waits? since /);
	await offline(one.page.context(), false);
	await offline(other.page.context(), false);
	await synced(one, other);
	await expect.poll(async () => (await one.rows()).toSorted(), patience).toEqual(["by boat", "by train", "plansplans"]);
	await expect.poll(() => other.rows(), patience).toEqual(await one.rows());
	expect(await namesAtServer()).toEqual(await one.rows());
});

test("an outline of this browser alone goes along when it is connected, in all tabs", async () => {
	const tab = await app.open();
	const second = await app.open(tab.page.context());
	await tab.write("written before", "  and below");
	await request("POST", "/nodes", { parent_id: "None", name: "at the server", position: "bottom" });
	expect(await tab.page.locator(".sync").count()).toBe(0);

	await tab.press("Control+Shift+k");
	await tab.type("server");
	await tab.press("Enter");
	expect(await tab.dialog()).toBe("Connect with a server");
	await tab.type("neither a link");
	await tab.press("Enter");
	await expect.poll(() => tab.page.locator(".problem").innerText()).toContain("neither a link");
	await tab.page.locator(".server input").fill(`${server.address}/#key=a-key`);
	await tab.press("Enter");
	await tab.page.waitForSelector(".sync.sent");
	await second.page.waitForSelector(".sync.sent");
	await expect.poll(async () => (await namesAtServer()).toSorted()).toEqual(["at the server", "written before"]);
	await expect
		.poll(async () => (await second.rows()).toSorted())
		.toEqual(["  and below", "at the server", "written before"]);
});

test("a key that the server doesn't accept is told, and the right one sends what waits", async () => {
	const tab = await app.open(await app.profile(), "#key=wrong");
	await expect.poll(() => sign(tab)).toBe("Not accepted");
	await tab.page.click(".add");
	await tab.type("waits");
	await tab.saved();
	await tab.page.click(".sync");
	expect(await tab.dialog()).toBe("Server");
	expect(await tab.page.locator(".problem").first().innerText()).toContain("doesn’t accept the key");
	expect(await violationsInAllLooks(tab, "a refused key")).toEqual([]);
	await tab.page.locator(".server input").fill("a-key");
	await tab.press("Enter");
	await tab.page.waitForSelector(".sync.sent");
	expect(await namesAtServer()).toEqual(["waits"]);
});

test("two texts for the same words are a conflict, which a click closes on both devices", async () => {
	const one = await device();
	await one.write("call Ann");
	await synced(one);
	const other = await device();
	await offline(one.page.context(), true);
	await offline(other.page.context(), true);
	for (const [tab, name] of [
		[one, "Bob"],
		[other, "Cleo"],
	] as const) {
		await tab.press("Control+Shift+ArrowLeft");
		await tab.type(name);
		await tab.saved();
	}
	await offline(one.page.context(), false);
	await synced(one);
	await offline(other.page.context(), false);
	await expect.poll(() => sign(one), patience).toMatch(/1 conflict$/);
	expect(await one.rows()).toEqual(["call Cleo"]);

	await one.page.click(".sync");
	await expect
		.poll(() => one.page.locator(".conflict-choices button").allInnerTexts())
		.toEqual(["Keep what shows now\ncall Cleo", "Take the other in place of all that shows now\ncall Bob"]);
	expect(await violationsInAllLooks(one, "conflicts")).toEqual([]);
	// What is written before the choice goes with it, so it shows.
	await one.press("Escape");
	await one.row("call Cleo").locator(".name").click();
	await one.press("End");
	await one.type(" soon");
	await one.saved();
	await one.page.click(".sync");
	await expect
		.poll(() => one.page.locator(".conflict-choices button").allInnerTexts())
		.toEqual(["Keep what shows now\ncall Cleo soon", "Take the other in place of all that shows now\ncall Bob"]);
	await one.page.locator(".conflict-choices button").last().click();
	await expect.poll(() => one.page.locator(".conflicts").count()).toBe(0);
	await one.press("Escape");
	await expect.poll(() => one.rows()).toEqual(["call Bob"]);
	await expect.poll(() => other.rows(), patience).toEqual(["call Bob"]);
	await expect.poll(() => sign(other), patience).toBe("Synced");
});

test("what is written while the server is away goes out when it is back", async () => {
	const tab = await device();
	await tab.write("before");
	await synced(tab);
	const { port } = new URL(server.address);
	await server.stop();
	await tab.press("Enter");
	await tab.type("during");
	await expect.poll(() => sign(tab)).toMatch(/^Offline, \d+ waits?/);
	await serve(Number(port));
	await tab.page.click(".sync");
	await tab.page.click("text=Sync now");
	await synced(tab);
	expect(await namesAtServer()).toEqual(["before", "during"]);
});

test("a device that leaves its server keeps the outline, and nothing goes out any more", async () => {
	const tab = await device();
	await tab.write("shared");
	await synced(tab);
	await tab.page.click(".sync");
	await tab.page.click("text=Disconnect…");
	await tab.page.click("text=Yes, keep the outline");
	await tab.page.waitForSelector(".sync", { state: "detached" });
	await tab.ready();
	await tab.press("End", "Enter");
	await tab.type("mine");
	expect(await tab.rows()).toEqual(["shared", "mine"]);
	expect(await namesAtServer()).toEqual(["shared"]);
});

test("a device that loads the outline for the first time says so until it shows", async () => {
	const first = await device();
	await first.write("milk");
	await synced(first);
	const context = await app.profile();
	let release!: () => void;
	const released = new Promise<void>((resolve) => {
		release = resolve;
	});
	await context.route("**/sync/image*", async (route) => {
		await released;
		await route.continue();
	});
	const opened = app.open(context, "#key=a-key");
	await expect.poll(() => context.pages()[0]?.locator("[role=status]").innerText()).toMatch(/^Loading your outline…/);
	release();
	const tab = await opened;
	await expect.poll(() => tab.rows()).toEqual(["milk"]);
	expect(await tab.page.getByText("Loading your outline").count()).toBe(0);
});
