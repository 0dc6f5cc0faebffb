import { expect, test } from "vitest";
import { short } from "../setup/soak.js";
import { App } from "./app.js";
import { Devices, offline, patience, says, sign, synced } from "./devices.js";
import { violationsOfView } from "./looks.js";

const app = new App();
const devices = new Devices(app);

test("a page with the key of the server shows its outline, both ways, within a second", async () => {
	const tab = await devices.device();
	expect(tab.page.url()).toBe(`${devices.server.address}/`);
	await tab.write("milk");
	await synced(tab);
	expect(await devices.namesAtServer()).toEqual(["milk"]);

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
	expect(await devices.namesAtServer()).toEqual(await one.rows());
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
	await expect
		.poll(async () => (await devices.namesAtServer()).toSorted())
		.toEqual(["at the server", "written before"]);
	await expect
		.poll(async () => (await second.rows()).toSorted())
		.toEqual(["  and below", "at the server", "written before"]);
});

test.runIf(!short)("two texts for the same words are a conflict, which a click closes on both devices", async () => {
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
	expect(await devices.namesAtServer()).toEqual(["before", "during"]);
});
