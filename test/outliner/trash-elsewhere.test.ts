import { expect, test } from "vitest";
import { App, type Tab } from "./app.js";
import { Devices, synced } from "./devices.js";

const app = new App();
const devices = new Devices(app);

/** Deletes a node at the server, as another program does. */
async function deleteAtServer(name: string): Promise<void> {
	const { nodes } = await devices.request("GET", "/nodes?parent_id=None");
	await devices.request("DELETE", `/nodes/${nodes.find((node) => node.name === name)!.id}`);
}

/** Opens the trash, and returns what it lists. */
async function trash(tab: Tab): Promise<string[]> {
	const { page } = tab;
	if ((await tab.dialog()) === "Trash") await tab.press("Escape");
	await tab.command("trash");
	await page.locator('dialog[aria-label="Trash"]').waitFor();
	await page.locator(".trash ul li, .trash > p:not(.hint, .trash-said)").first().waitFor();
	return page.locator(".trash-name").allInnerTexts();
}

test("the trash has what other devices and programs delete, also while the page is closed", async () => {
	const context = await app.profile();
	const tab = await app.open(context, "#key=a-key");
	await tab.write("one", "  below", "two", "three", "four");
	await synced(tab);
	await deleteAtServer("one");
	await expect.poll(() => tab.rows()).toEqual(["two", "three", "four"]);
	const other = await devices.device();
	await other.remove("two");
	await expect.poll(() => tab.rows()).toEqual(["three", "four"]);
	await expect.poll(() => trash(tab)).toEqual(["two", "one"]);
	await tab.page.close();

	await deleteAtServer("three");
	const again = await app.open(context);
	await expect.poll(() => again.rows()).toEqual(["four"]);
	await expect.poll(() => trash(again)).toEqual(["three", "two", "one"]);
	await again.page.getByRole("button", { name: "Put back “one”" }).click();
	await again.page.locator(".trash-said", { hasText: "“one” is back" }).waitFor();
	await again.press("Escape");
	await expect.poll(() => again.rows()).toEqual(["one", "  below", "four"]);
});

test("rows below a deleted row stay in the trash if an edit on another device brings back that row alone", async () => {
	const tab = await devices.deviceWith("one", "  below", "two");
	const other = await devices.device();
	await other.page.context().setOffline(true);
	await other.into("one");
	await other.type(" edited");
	await other.saved();
	await tab.remove("one");
	await expect.poll(() => tab.rows()).toEqual(["two"]);
	await synced(tab);
	await other.page.context().setOffline(false);
	await expect.poll(() => tab.rows(), { timeout: 30_000 }).toEqual(["one edited", "two"]);
	await expect.poll(() => trash(tab)).toEqual(["one"]);
	await tab.press("Escape");
	await tab.remove("one edited");
	await expect.poll(() => tab.rows()).toEqual(["two"]);
	await expect.poll(() => trash(tab)).toEqual(["one edited", "one"]);
	await tab.page.getByRole("button", { name: "Put back “one”" }).click();
	await tab.page.locator(".trash-said", { hasText: "“one” is back" }).waitFor();
	await tab.press("Escape");
	await expect.poll(() => tab.rows()).toEqual(["one", "  below", "two"]);
});

test("two tabs that learn of one deletion list it once", async () => {
	const context = await app.profile();
	const tab = await app.open(context, "#key=a-key");
	await tab.write("one", "two");
	await synced(tab);
	const second = await app.open(context);
	await deleteAtServer("one");
	for (const each of [tab, second]) {
		await expect.poll(() => each.rows()).toEqual(["two"]);
		await expect.poll(() => trash(each)).toEqual(["one"]);
	}
});
