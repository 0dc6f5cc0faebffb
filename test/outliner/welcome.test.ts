import { expect, test } from "vitest";
import { short } from "../setup/soak.js";
import { App } from "./app.js";

const app = new App();

test("a new outline offers a small one to try everything in, which is one step and goes as a whole", async () => {
	const tab = await app.open();
	expect(await tab.violations()).toEqual([]);
	await tab.page.click("text=Show me around");
	await expect.poll(async () => (await tab.rows()).length).toBeGreaterThan(10);
	const rows = await tab.rows();
	expect(rows[0]).toBe("<b>Welcome.</b> Each line is a node, and has as many lines below it as you like");
	for (const told of [/#garden/, /Ctrl\+F/, /<time datetime="\d{4}-/, /Type \[\[ to link/]) {
		expect(rows.filter((row) => told.test(row))).not.toEqual([]);
	}
	expect(rows.slice(-2)).toEqual([
		"  You don't need this any more? Delete its uppermost line, and all of it is gone.",
		"",
	]);
	expect(rows.filter((row) => row.trim() === "A mirror shows one text in two places. Change me:")).toHaveLength(2);
	expect(await tab.page.locator(".welcome").count()).toBe(0);
	expect(await tab.violations()).toEqual([]);

	await tab.page.locator(".bullet").first().click({ button: "right" });
	await tab.type("delete");
	await tab.press("Enter");
	await expect.poll(() => tab.rows()).toEqual([""]);
	await tab.press("Control+z");
	await expect.poll(() => tab.rows()).toEqual(rows);
});

test("the first steps go away with the first letter, and lead to imports", async () => {
	const tab = await app.open();
	await tab.page.click("text=Bring my notes");
	expect(await tab.dialog()).toBe("Import and export");
	await tab.press("Escape");
	await tab.type("a");
	await expect.poll(() => tab.page.locator(".welcome").count()).toBe(0);
});

test.runIf(!short)("on a phone, the first steps speak of fingers", async () => {
	const phone = await app.profile({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 780 } });
	const tab = await app.open(phone);
	const text = () => tab.page.locator(".sheet").innerText();
	await tab.page.locator("text=Show me around").tap();
	await expect.poll(text).toContain("Tap a bullet");
	expect(await text()).not.toMatch(/Tab|F1|Ctrl/);
});

test.runIf(!short)("on a Mac, the first steps name its keys", async () => {
	const context = await app.profile();
	await context.addInitScript(() => Object.defineProperty(navigator, "platform", { value: "MacIntel" }));
	const tab = await app.open(context);
	await tab.page.click("text=Show me around");
	await expect.poll(async () => (await tab.rows()).join()).toContain("⌘Z takes back");
	expect((await tab.rows()).join()).not.toMatch(/Ctrl|Alt/);
});
