import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { App } from "./app.js";
import { Devices, says, sign, synced } from "./devices.js";
import { violationsOfView } from "./looks.js";
import { limit } from "./room.js";

const app = new App();
const devices = new Devices(app);

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
	expect(await devices.namesAtServer()).toEqual(["waits"]);
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
	expect(await devices.namesAtServer()).toEqual(["shared"]);
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
