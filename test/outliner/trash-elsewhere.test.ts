import { expect, test } from "vitest";
import { App } from "./app.js";
import { Devices, synced } from "./devices.js";

const app = new App();
const devices = new Devices(app);

/** Deletes a node at the server, as another program does. */
async function deleteAtServer(name: string): Promise<void> {
	const { nodes } = await devices.request("GET", "/nodes?parent_id=None");
	await devices.request("DELETE", `/nodes/${nodes.find((node) => node.name === name)!.id}`);
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
	await expect.poll(() => tab.trash()).toEqual(["two", "one"]);
	await tab.page.close();

	await deleteAtServer("three");
	const again = await app.open(context);
	await expect.poll(() => again.rows()).toEqual(["four"]);
	await expect.poll(() => again.trash()).toEqual(["three", "two", "one"]);
	await again.putBack("one");
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
	await expect.poll(() => tab.trash()).toEqual(["one"]);
	await tab.press("Escape");
	await tab.remove("one edited");
	await expect.poll(() => tab.rows()).toEqual(["two"]);
	await expect.poll(() => tab.trash()).toEqual(["one edited", "one"]);
	await tab.putBack("one");
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
		await expect.poll(() => each.trash()).toEqual(["one"]);
	}
});
