import type { BrowserContextOptions } from "playwright-core";
import { expect, test } from "vitest";
import { App, type Tab } from "./app.js";

const app = new App();
const wide: BrowserContextOptions = { viewport: { width: 1190, height: 900 } };
const phone: BrowserContextOptions = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true };

const lines = ["garden", "  buy roses #spring", "  rake", "house", "  paint the door #spring", "    white", "  roof"];

/** The names in the sidebar, with `›` before the one that shows. */
const places = (tab: Tab) =>
	tab.page.$$eval(".sidebar-place:not([aria-haspopup])", (all) =>
		all.map((place) => (place.ariaCurrent === "page" ? "› " : "") + place.querySelector(".sidebar-name")!.textContent),
	);

const opens = (tab: Tab) => tab.page.click("button[aria-label=Sidebar]");
const place = (tab: Tab, name: string) => tab.page.locator(".sidebar-place").filter({ hasText: name });

/** Saves a query under a name. */
async function save(tab: Tab, query: string, name?: string): Promise<void> {
	await tab.press("Control+f");
	await tab.page.locator(".filter input").fill(query);
	await tab.page.locator(".filter").getByText("Save").click();
	if (name !== undefined) await tab.type(name);
	await tab.press("Enter");
	await expect.poll(() => tab.dialog()).toBe(null);
}

test("the sidebar folds out and away, stays so on the device, and axe finds no fault in it", async () => {
	const context = await app.profile(wide);
	const tab = await app.open(context);
	await tab.write(...lines);
	const button = tab.page.locator("button[aria-label=Sidebar]");
	expect(await button.getAttribute("aria-expanded")).toBe("false");
	expect(await places(tab)).toEqual([]);
	await opens(tab);
	expect(await tab.caret()).toBe("roof|");
	await expect.poll(() => places(tab)).toEqual(["Today", "Inbox"]);
	expect(await button.getAttribute("aria-expanded")).toBe("true");
	expect(await tab.violations()).toEqual([]);
	const { x } = (await tab.page.locator(".page").boundingBox())!;
	expect(x).toBeGreaterThan(200);

	await tab.reload();
	await expect.poll(() => places(tab)).toEqual(["Today", "Inbox"]);
	await tab.press("Alt+Shift+b");
	await expect.poll(() => places(tab)).toEqual([]);
	await tab.page.setViewportSize({ width: 880, height: 900 });
	await tab.reload();
	expect(await places(tab)).toEqual([]);
});

test("it is open from 1200 pixels on unless it was folded away, and leads to the calendar and the trash", async () => {
	const context = await app.profile({ viewport: { width: 1440, height: 900 } });
	const tab = await app.open(context);
	await expect.poll(() => places(tab)).toEqual(["Today", "Inbox"]);
	for (const name of ["Calendar", "Trash"]) {
		await place(tab, name).click();
		await expect.poll(() => tab.dialog()).toBe(name);
		await tab.press("Escape");
	}
	await tab.page.setViewportSize({ width: 1199, height: 900 });
	await expect.poll(() => places(tab)).toEqual([]);
	await tab.page.setViewportSize({ width: 1440, height: 900 });
	await expect.poll(() => places(tab)).toHaveLength(2);
	await opens(tab);
	await expect.poll(() => places(tab)).toEqual([]);
	await tab.reload();
	expect(await places(tab)).toEqual([]);
});

test("Escape leaves the filter after its search was saved", async () => {
	const tab = await app.openWith(...lines);
	await save(tab, "#spring");
	await tab.press("Escape");
	await expect.poll(() => tab.page.locator(".filter").count()).toBe(0);
	await expect.poll(() => tab.rows()).toEqual([...lines, "Saved searches"]);
});

for (const colorScheme of ["light", "dark"] as const) {
	test(`it leads to today, the inbox, shortcuts and the last places, marks the current one, in ${colorScheme}`, async () => {
		const tab = await app.open(await app.profile({ ...wide, colorScheme }));
		await tab.write("garden", "house", "  roof");
		await opens(tab);
		await tab.row("house").locator(".bullet").click();
		await expect.poll(() => tab.title()).toBe("house");
		await expect.poll(() => places(tab)).toEqual(["Today", "Inbox", "› house"]);
		await tab.press("Alt+Shift+s");
		await tab.type("h\n");
		await expect.poll(() => tab.page.locator(".sidebar kbd").allInnerTexts()).toEqual(["h"]);
		await tab.press("Escape");
		await place(tab, "Inbox").click();
		await expect.poll(() => places(tab)).toEqual(["Today", "› Inbox", "house"]);
		expect(await tab.violations()).toEqual([]);
		await place(tab, "house").click();
		await expect.poll(() => places(tab)).toEqual(["Today", "Inbox", "› house"]);
		await tab.page.locator(".title .name").click();
		await tab.press("End");
		await tab.type("boat");
		await expect.poll(() => places(tab)).toEqual(["Today", "Inbox", "› houseboat"]);
	});
}

test("a saved search shows its hits where it was saved, in one step of undo", async () => {
	const tab = await app.open(await app.profile(wide));
	await tab.write(...lines);
	await opens(tab);
	await save(tab, "#spring", "Spring");
	await expect.poll(() => places(tab)).toEqual(["Today", "Inbox", "› Spring"]);
	expect(await tab.rows()).toEqual(["garden", "  buy roses #spring", "house", "  paint the door #spring"]);
	await tab.page.click("text=Show all");
	await expect.poll(() => tab.rows()).toEqual([...lines, "Saved searches"]);
	await tab.row("house").locator(".bullet").click();
	await expect.poll(() => tab.title()).toBe("house");
	await save(tab, "roof OR #spring");
	await expect.poll(() => places(tab)).toEqual(["Today", "Inbox", "Spring", "› roof OR #spring", "house"]);
	await place(tab, "Spring").first().click();
	await expect.poll(() => tab.rows()).toEqual(["garden", "  buy roses #spring", "house", "  paint the door #spring"]);
	expect(await tab.page.locator(".filter input").inputValue()).toBe("#spring");
	await place(tab, "roof OR").click();
	await expect.poll(() => tab.rows()).toEqual(["paint the door #spring", "roof"]);
	expect(await tab.title()).toBe("house");
	expect(await tab.violations()).toEqual([]);

	await tab.press("Control+z");
	await expect.poll(() => places(tab)).toEqual(["Today", "Inbox", "Spring", "house"]);
	await tab.press("Control+z");
	await expect.poll(() => places(tab)).toEqual(["Today", "Inbox", "house"]);
	await tab.press("Control+y");
	await expect.poll(() => places(tab)).toEqual(["Today", "Inbox", "Spring", "house"]);
});

test("saved searches are nodes: another tab has them, and one renames and deletes them in the outline", async () => {
	const context = await app.profile(wide);
	const tab = await app.open(context);
	await tab.write(...lines);
	await opens(tab);
	const other = await app.open(context);
	await expect.poll(() => places(other)).toEqual(["Today", "Inbox"]);
	await save(tab, "#spring", "Spring");
	await save(tab, "rake");
	await expect.poll(() => places(other)).toEqual(["Today", "Inbox", "Spring", "rake"]);
	await save(tab, "rake OR roof", "Spring");
	// The new query arrives without a change that the sidebar shows: ask until it is there.
	await expect
		.poll(async () => {
			await place(other, "Spring").click();
			return other.rows();
		})
		.toEqual(["garden", "  rake", "house", "  roof"]);

	await other.page.click("text=Edit >> nth=1");
	await expect.poll(() => other.title()).toBe("Saved searches");
	expect(await other.rows()).toEqual(["Spring", "rake"]);
	await other.into("Spring");
	await other.type("time");
	await expect.poll(() => places(tab)).toEqual(["Today", "Inbox", "› Springtime", "rake"]);
	await other.press("Control+Shift+Backspace");
	await expect.poll(() => places(other)).toEqual(["Today", "Inbox", "rake"]);
});

test("a search in a deleted node says so, and one that can't be read isn't saved", async () => {
	const tab = await app.open(await app.profile(wide));
	await tab.write(...lines);
	await opens(tab);
	await tab.row("garden").locator(".bullet").click();
	await expect.poll(() => tab.title()).toBe("garden");
	await save(tab, "rake");
	await tab.press("Control+f");
	await tab.page.locator(".filter input").fill("is:nonsense");
	await tab.page.locator(".filter").getByText("Save").click();
	await tab.press("Enter");
	await expect.poll(() => tab.page.locator("dialog [role=alert]").innerText()).toContain("is:nonsense");
	expect(await tab.violations()).toEqual([]);
	await tab.press("Escape");
	await tab.page.click("text=Show all");
	await tab.page.click("text=Home");
	await expect.poll(() => tab.title()).toBe(null);
	await tab.remove("garden");
	await expect.poll(() => place(tab, "rake").innerText()).toContain("Its place is deleted");
	await place(tab, "rake").click();
	await expect.poll(() => tab.page.locator(".filter output").innerText()).toBe("Nothing found for “rake”.");
	await tab.press("Control+z");
	await expect.poll(() => place(tab, "rake").innerText()).toBe("rake");
});

test("keys lead into the sidebar, through it, and back to the text", async () => {
	const tab = await app.open(await app.profile(wide));
	await tab.write("garden", "house");
	await tab.press("Alt+Shift+b");
	const focused = () => tab.page.evaluate(() => document.activeElement!.textContent);
	await expect.poll(focused).toBe("Today");
	await tab.press("ArrowDown");
	expect(await focused()).toBe("Inbox");
	await tab.press("Escape");
	expect(await tab.caret()).toBe("house|");
	await tab.press("F6", "F6");
	expect(await focused()).toBe("Today");
	await tab.press("End", "Home", "ArrowDown", "ArrowUp", "ArrowUp");
	expect(await focused()).toBe("Today");
	await tab.press("F6");
	expect(await tab.caret()).toBe("house|");
	await tab.press("F6", "F6", "ArrowDown", "Enter");
	await expect.poll(() => tab.title()).toBe("Inbox");
	expect(await tab.caret()).toBe("|");
	await tab.press("F6", "F6", "Alt+Shift+b");
	await expect.poll(() => places(tab)).toEqual([]);
	expect(await tab.caret()).toBe("|");
});

test("on a phone it is a sheet over the text, which Escape, a tap beside it, a swipe and a choice close", async () => {
	const tab = await app.open(await app.profile(phone));
	await tab.write("garden", "house");
	const isOpen = async () => (await tab.dialog()) === "Sidebar";
	const sizes = async () => {
		const boxes = tab.page.locator(".sidebar-place, .sidebar-button, .sidebar-head :is(a, button)");
		return Promise.all((await boxes.all()).map(async (box) => Math.round((await box.boundingBox())!.height)));
	};
	await opens(tab);
	expect(await isOpen()).toBe(true);
	await expect.poll(() => places(tab)).toEqual(["Today", "Inbox"]);
	expect(Math.min(...(await sizes()))).toBeGreaterThanOrEqual(44);
	expect(await tab.violations()).toEqual([]);
	await tab.press("Escape");
	expect(await isOpen()).toBe(false);
	await opens(tab);
	await tab.page.touchscreen.tap(370, 400);
	await expect.poll(isOpen).toBe(false);

	await opens(tab);
	const session = await tab.page.context().newCDPSession(tab.page);
	const touch = (type: "touchStart" | "touchMove" | "touchEnd", x?: number) =>
		session.send("Input.dispatchTouchEvent", { type, touchPoints: x === undefined ? [] : [{ x, y: 500 }] });
	await touch("touchStart", 250);
	for (const x of [240, 200, 150, 90]) await touch("touchMove", x);
	await touch("touchEnd");
	await expect.poll(isOpen).toBe(false);
	expect(await tab.title()).toBe(null);

	await opens(tab);
	await place(tab, "Inbox").tap();
	await expect.poll(() => tab.title()).toBe("Inbox");
	expect(await isOpen()).toBe(false);
});
