import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { App } from "./app.js";
import { Devices, offline, patience, says, sign, synced } from "./devices.js";
import { violationsOfView } from "./looks.js";
import { limit } from "./room.js";

const app = new App();
const devices = new Devices(app);

async function namesAtServer(): Promise<string[]> {
	return (await devices.request("GET", "/nodes?parent_id=None")).nodes.map(({ name }) => name);
}

test("a page with the key of the server shows its outline, both ways, within a second", async () => {
	const tab = await devices.device();
	expect(tab.page.url()).toBe(`${devices.server.address}/`);
	await tab.write("milk");
	await synced(tab);
	expect(await namesAtServer()).toEqual(["milk"]);

	await devices.request("POST", "/nodes", { parent_id: "None", name: "**bread**", position: "bottom" });
	await expect.poll(() => tab.rows(), { timeout: 1000 }).toEqual(["milk", "<b>bread</b>"]);

	// The key stays on the device.
	await tab.reload();
	expect(await tab.rows()).toEqual(["milk", "<b>bread</b>"]);
	await synced(tab);
});

test("two browsers write offline, and meet", async () => {
	const one = await devices.deviceWith("plans");
	const other = await devices.device();
	expect(await other.rows()).toEqual(["plans"]);

	await offline(one, true);
	await offline(other, true);
	await one.write("plans", "by train");
	await other.press("End", "Enter");
	await other.type("by boat");
	await other.saved();
	await says(one, /^Offline, 2 nodes to send$/);
	await offline(one, false);
	await offline(other, false);
	await synced(one, other);
	await expect.poll(async () => (await one.rows()).toSorted(), patience).toEqual(["by boat", "by train", "plansplans"]);
	await expect.poll(() => other.rows(), patience).toEqual(await one.rows());
	expect(await namesAtServer()).toEqual(await one.rows());
});

test("an outline of this browser alone goes along when it is connected, in all tabs", async () => {
	const tab = await app.open();
	const second = await app.open(tab.page.context());
	await tab.write("written before", "  and below");
	await devices.request("POST", "/nodes", { parent_id: "None", name: "at the server", position: "bottom" });
	expect(await tab.page.locator(".sync").count()).toBe(0);

	await tab.command("server");
	expect(await tab.dialog()).toBe("Connect with a server");
	await tab.type("neither a link");
	await tab.press("Enter");
	await expect.poll(() => tab.page.locator(".problem").innerText()).toContain("neither a link");
	await tab.page.locator(".server input").fill(`${devices.server.address}/#key=a-key`);
	await tab.press("Enter");
	await synced(tab, second);
	await expect.poll(async () => (await namesAtServer()).toSorted()).toEqual(["at the server", "written before"]);
	await expect
		.poll(async () => (await second.rows()).toSorted())
		.toEqual(["  and below", "at the server", "written before"]);
});

test("a browser without room for what the server has says so, asks for no key, and goes on when there is room", async () => {
	const context = await app.profile();
	const setQuota = await limit(app, context);
	await setQuota(2_000_000);
	const tab = await app.open(context, "#key=a-key");
	await tab.write("here");
	await synced(tab);
	// No compression makes such a name smaller.
	for (let count = 0; count < 3; count++) {
		await devices.request("POST", "/nodes", { parent_id: "None", name: randomBytes(450_000).toString("hex") });
	}
	await says(tab, "Can’t save");
	await tab.page.click(".sync");
	expect(await tab.page.locator(".problem").first().innerText()).toContain("no room");
	expect(await tab.page.locator(".server input").count()).toBe(0);
	expect(await violationsOfView(tab, "no room for an exchange")).toEqual([]);
	await setQuota();
	await tab.page.click("text=Sync now");
	await synced(tab);
	await tab.press("Escape");
	await expect.poll(async () => (await tab.rows()).length).toBe(4);
	app.takeErrors();
});

test("a key that the server doesn't accept is told, and the right one sends what waits", async () => {
	const tab = await devices.device("wrong");
	await expect.poll(() => tab.dialog()).toBe("Server");
	expect(await sign(tab)).toBe("Not accepted");
	await tab.press("Escape");
	await tab.page.click(".add");
	await tab.type("waits");
	await tab.saved();
	await tab.page.click(".sync");
	expect(await tab.dialog()).toBe("Server");
	expect(await tab.page.locator(".problem").first().innerText()).toContain("doesn’t accept the key");
	expect(await violationsOfView(tab, "a refused key")).toEqual([]);
	const input = tab.page.locator(".server input");
	await input.fill("a-key");
	// What one types stays during the next attempt.
	const answer = tab.page.waitForResponse(/sync/);
	await tab.page.click("text=Sync now");
	await answer;
	await expect.poll(() => sign(tab)).toBe("Not accepted");
	expect(await input.inputValue()).toBe("a-key");
	await input.press("Enter");
	await synced(tab);
	expect(await namesAtServer()).toEqual(["waits"]);
});

test("two texts for the same words are a conflict, which a click closes on both devices", async () => {
	const [one, other] = await devices.withConflicts("call Ann");
	await says(one, /1 conflict$/);
	expect(await one.rows()).toEqual(["call Cleo"]);

	await one.page.click(".sync");
	await expect
		.poll(() => one.page.locator(".conflict-choices button").allInnerTexts())
		.toEqual(["Keep what shows now\ncall Cleo", "Take the other in place of all that shows now\ncall Bob"]);
	expect(await violationsOfView(one, "conflicts")).toEqual([]);
	// What is written before the choice goes with it, so it shows.
	await one.press("Escape");
	await one.into("call Cleo");
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

test("the words that differ are marked, a link leads to the node, and both texts can stay", async () => {
	const [one, other] = await devices.withConflicts("call Ann");
	await one.page.click(".sync");
	await expect.poll(() => one.page.locator(".conflicts mark").allInnerTexts()).toEqual(["Cleo", "Bob"]);
	await one.page.click(".conflicts >> text=Show");
	await expect.poll(() => one.dialog()).toBeNull();
	expect(await one.caret()).toBe("call Cleo|");
	await one.page.click(".sync");
	await one.page.click("text=Keep both");
	await expect.poll(() => one.page.locator(".conflicts").count()).toBe(0);
	await one.press("Escape");
	await expect.poll(() => one.rows()).toEqual(["call Cleo", "call Bob"]);
	await expect.poll(() => other.rows(), patience).toEqual(["call Cleo", "call Bob"]);
});

test("all conflicts are closed at once, and what shows stays", async () => {
	const [one] = await devices.withConflicts("call Ann", "visit Ann");
	await says(one, /2 conflicts$/);
	await one.page.click(".sync");
	await one.page.click("text=Close all");
	await expect.poll(() => one.page.locator(".conflicts").count()).toBe(0);
	await says(one, /^Synced$/);
	expect(await one.rows()).toEqual(["call Cleo", "visit Cleo"]);
});

test("what is written while the server is away goes out when it is back", async () => {
	const tab = await devices.deviceWith("before");
	const { port } = new URL(devices.server.address);
	await devices.server.stop();
	await tab.press("Enter");
	await tab.type("during");
	await says(tab, /^Offline, 1 node to send$/);
	await devices.serve(Number(port));
	await tab.page.click(".sync");
	await tab.page.click("text=Sync now");
	await synced(tab);
	expect(await namesAtServer()).toEqual(["before", "during"]);
});

test("a device that leaves its server keeps the outline, and nothing goes out any more", async () => {
	const tab = await devices.deviceWith("shared");
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
	await devices.deviceWith("milk");
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

test("a step that another program has overtaken says so, and can be forgotten", async () => {
	const tab = await devices.device();
	await tab.write("one", "two");
	await tab.press("Tab");
	await expect.poll(() => tab.rows()).toEqual(["one", "  two"]);
	await synced(tab);
	const [one] = (await devices.request("GET", "/nodes?parent_id=None")).nodes;
	const [two] = (await devices.request("GET", `/nodes?parent_id=${one!.id}`)).nodes;
	await devices.request("POST", `/nodes/${two!.id}/move`, { parent_id: "None", position: "top" });
	await expect.poll(() => tab.rows()).toEqual(["two", "one"]);
	await tab.press("Control+z");
	await expect
		.poll(() => tab.message())
		.toBe("Nothing was undone: another device or program has changed the same since.");
	await tab.page.click("text=Forget the steps so far");
	await expect.poll(() => tab.message()).toBe(null);
	await tab.press("Control+z");
	await expect.poll(() => tab.message()).toBe("There is nothing to undo.");
});

test("a device that can't store what one writes doesn't show that the server has it", async () => {
	const tab = await devices.deviceWith("here");
	await tab.deleteOutline();
	await tab.type("!");
	await tab.page.waitForSelector(".save.failed");
	expect(await tab.page.locator(".sync").isVisible()).toBe(false);
});

test("a conflict offers no place that is gone", async () => {
	const one = await devices.deviceWith("place", "moved");
	const other = await devices.device();
	await offline(one, true);
	await one.press("Tab");
	await expect.poll(() => one.rows()).toEqual(["place", "  moved"]);
	await other.remove("place");
	await expect.poll(() => namesAtServer()).toEqual(["moved"]);
	await offline(one, false);
	await one.page.waitForSelector(".sync-conflicts", patience);
	await one.page.click(".sync");
	await expect.poll(() => one.page.locator(".conflict-choices button").allInnerTexts()).toEqual(["Leave it there"]);
	await one.page.click("text=Leave it there");
	await says(one, /^Synced$/);
	await one.press("Escape");
	expect(await one.rows()).toEqual(["Inbox", "  moved"]);
});

test("the text that gave way in a conflict can stay after its node is gone", async () => {
	const [one] = await devices.withConflicts("lunch with Ann");
	await one.remove("lunch with Cleo");
	await expect.poll(() => one.rows()).not.toContain("lunch with Cleo");
	await synced(one);
	await one.page.click(".sync");
	await one.page
		.getByRole("button", { name: "Keep the other text in a node at the top level: “lunch with Bob”" })
		.click();
	await says(one, /^Synced$/);
	await one.press("Escape");
	await expect.poll(() => one.rows()).toContain("lunch with Bob");
});
