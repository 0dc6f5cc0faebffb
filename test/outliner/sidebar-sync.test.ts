import { expect, test } from "vitest";
import { App, type Tab } from "./app.js";
import { Devices, patience } from "./devices.js";

const app = new App();
const devices = new Devices(app);

const places = (tab: Tab) => tab.page.locator(".sidebar-place:not([aria-haspopup]) .sidebar-name").allInnerTexts();

test("a search that is saved on one device is in the sidebar of another, and goes there by undo", async () => {
	const device = async () => {
		const tab = await devices.device("a-key", { viewport: { width: 1190, height: 900 } });
		await tab.page.click("button[aria-label=Sidebar]");
		return tab;
	};
	const [one, other] = [await device(), await device()];
	await one.page.locator(".row .name").first().click();
	await one.write("buy roses #spring", "rake");
	await one.filter("#spring");
	await one.page.locator(".filter").getByText("Save").click();
	await one.type("Spring");
	await one.press("Enter");
	await expect.poll(() => places(other), patience).toEqual(["Today", "Inbox", "Spring"]);
	await other.page.locator(".sidebar-place").filter({ hasText: "Spring" }).click();
	await expect.poll(() => other.rows()).toEqual(["buy roses #spring"]);

	await one.page.click("text=Show all");
	await one.press("Control+z");
	await expect.poll(() => places(other), patience).toEqual(["Today", "Inbox"]);
});
