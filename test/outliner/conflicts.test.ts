import { expect, test } from "vitest";
import { App } from "./app.js";
import { Devices, offline, patience, says, synced } from "./devices.js";

const app = new App();
const devices = new Devices(app);

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

test("a conflict offers no place that is gone", async () => {
	const one = await devices.deviceWith("place", "moved");
	const other = await devices.device();
	await offline(one, true);
	await one.press("Tab");
	await expect.poll(() => one.rows()).toEqual(["place", "  moved"]);
	await other.remove("place");
	await expect.poll(() => devices.namesAtServer()).toEqual(["moved"]);
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
