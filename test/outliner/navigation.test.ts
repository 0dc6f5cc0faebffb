import { expect, test } from "vitest";
import { App } from "./app.js";

const app = new App();

/** An outline of two levels and a bit. */
const lines = ["a", "  b", "    c", "d"];

/** The locator of the row with a name. */
const row = (name: string) => `.row:has(.name:text-is("${name}"))`;

test("a node is gone into and left by keys, by its bullet and by the address", async () => {
	const tab = await app.openWith(...lines);
	await tab.press("ArrowUp", "ArrowUp", "Control+.");
	await expect.poll(() => tab.title()).toBe("b");
	expect(await tab.rows()).toEqual(["c"]);
	expect(await tab.caret()).toBe("b|");
	const address = await tab.page.evaluate(() => location.hash);
	expect(address).toMatch(/^#\/[0-9a-f]{12}$/);
	expect(await tab.page.$$eval(".breadcrumbs li", (items) => items.map(({ textContent }) => textContent))).toEqual([
		"Home",
		"a",
		"b",
	]);
	await tab.reload();
	expect(await tab.title()).toBe("b");
	await tab.press("Control+,");
	await expect.poll(() => tab.title()).toBe("a");
	expect(await tab.rows()).toEqual(["b", "  c"]);
	expect(await tab.caret()).toBe("b|");
	await tab.page.goBack();
	await expect.poll(() => tab.title()).toBe("b");
	await tab.page.goForward();
	await expect.poll(() => tab.title()).toBe("a");
	await tab.page.click(".breadcrumbs a");
	await expect.poll(() => tab.rows()).toEqual(lines);
	await tab.page.click(`${row("d")} .bullet`);
	await expect.poll(() => tab.title()).toBe("d");
	const shared = await app.open(tab.page.context(), address);
	expect(await shared.title()).toBe("b");
});

test("a click on a bullet with Mod opens its node in another tab", async () => {
	const tab = await app.openWith(...lines);
	const [opened] = await Promise.all([
		tab.page.context().waitForEvent("page", { timeout: 5_000 }),
		tab.page.click(`${row("b")} .bullet`, { modifiers: ["Control"] }),
	]);
	await expect.poll(() => opened.url()).toMatch(/#\/[0-9a-f]{12}$/);
	expect(await tab.rows()).toEqual(lines);
	expect(await tab.caret()).toBe("d|");
});

test("the way back leads to the row that one was at", async () => {
	const tab = await app.openWith("a", "b", "c");
	await tab.press("ArrowUp", "Alt+Shift+t");
	await expect.poll(() => tab.title()).not.toBeNull();
	await tab.page.goBack();
	await expect.poll(() => tab.caret()).toBe("b|");
});

test("on a phone, the way back scrolls to the row that one was at, without the keyboard", async () => {
	const tab = await app.openOnPhone(700);
	const { page } = tab;
	await page.locator(".name").tap();
	await tab.paste(Array.from({ length: 100 }, (_, index) => `row ${index}`).join("\n"));
	await page.locator(".notice").getByRole("button", { name: "Close" }).tap();
	await page.evaluate(() => {
		(document.activeElement as HTMLElement).blur();
		document.querySelector(".page")!.scrollTop = 1500;
	});
	await tab.row("row 45").waitFor();
	await tab.row("row 45").locator(".bullet").tap();
	await expect.poll(() => tab.title()).toBe("row 45");
	await page.goBack();
	const isOnScreen = () =>
		page.evaluate(() => {
			const screen = document.querySelector(".page")!.getBoundingClientRect();
			const row = [...document.querySelectorAll(".name")].find((each) => each.textContent === "row 45");
			const { top = -1, bottom = -1 } = row?.getBoundingClientRect() ?? {};
			return top >= screen.top && bottom <= screen.bottom;
		});
	await expect.poll(isOnScreen).toBe(true);
	expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
	await page.getByRole("button", { name: "Today" }).first().tap();
	await expect.poll(() => tab.title()).not.toBeNull();
	await page.goBack();
	await expect.poll(() => page.evaluate(() => document.querySelector(".page")!.scrollTop)).toBeGreaterThan(800);
});

test("an address that names no node leads to the top level, and says so", async () => {
	const tab = await app.open(undefined, "#/0123456789ab");
	await expect.poll(() => tab.page.textContent(".notice")).toContain("This node doesn't exist any more");
	expect(await tab.page.evaluate(() => location.hash)).toBe("#/");
	await tab.type("written at once");
	expect(await tab.caret()).toBe("written at once|");
});

test("a node without children has the caret in its title, however one comes to it", async () => {
	const tab = await app.openWith("leaf", "other");
	await tab.press("ArrowUp", "Control+.");
	await expect.poll(() => tab.title()).toBe("leaf");
	await tab.page.goBack();
	await expect.poll(() => tab.rows()).toEqual(["leaf", "other"]);
	await tab.page.goForward();
	await expect.poll(() => tab.title()).toBe("leaf");
	await tab.type("1");
	expect(await tab.caret()).toBe("leaf1|");
	await tab.reload();
	await tab.type("2");
	expect(await tab.caret()).toBe("leaf12|");
});

test("of two places that are gone to at once the later one shows, however long the earlier one takes to read", async () => {
	const tab = await app.openWith("a", "  b", "    c", "      d", "x", "  y");
	const bullets = tab.page.locator(".row .bullet");
	const [deep, flat] = [await bullets.nth(0).getAttribute("href"), await bullets.nth(4).getAttribute("href")];
	await tab.reload();
	await tab.page.evaluate(
		(places) => {
			for (const place of places) {
				history.replaceState(null, "", place);
				dispatchEvent(new HashChangeEvent("hashchange"));
			}
		},
		[deep!, flat!],
	);
	await expect.poll(() => tab.title()).toBe("x");
	expect(await tab.rows()).toEqual(["y"]);
	await tab.type("!");
	await expect.poll(() => tab.title()).toBe("x!");
});

test("nodes fold and unfold by keys and by the mouse, and stay so", async () => {
	const tab = await app.openWith(...lines);
	await tab.press("ArrowUp", "ArrowUp", "Control+ArrowUp");
	await expect.poll(() => tab.rows()).toEqual(["a", "  b", "d"]);
	await tab.reload();
	await expect.poll(() => tab.rows()).toEqual(["a", "  b", "d"]);
	await expect.poll(() => tab.page.$eval(row("b"), (row) => row.getAttribute("aria-expanded"))).toBe("false");
	await tab.page.hover(row("b"));
	await tab.page.click(`${row("b")} .fold`);
	await expect.poll(() => tab.rows()).toEqual(lines);
	await tab.press("Control+Shift+ArrowUp");
	await expect.poll(() => tab.rows()).toEqual(["a", "d"]);
	await tab.press("Control+Space");
	await expect.poll(() => tab.rows()).toEqual(["a", "  b", "d"]);
	await tab.press("Control+Shift+ArrowDown");
	await expect.poll(() => tab.rows()).toEqual(lines);
	await tab.press("Control+Space");
	await expect.poll(() => tab.rows()).toEqual(["a", "d"]);
	await tab.press("Control+Space");
	await expect.poll(() => tab.rows()).toEqual(lines);
	await tab.page.click(`${row("a")} .fold`);
	await expect.poll(() => tab.rows()).toEqual(["a", "d"]);
});

test("the keys that complete and delete a node do so in its title", async () => {
	const tab = await app.openWith(...lines);
	await tab.press("ArrowUp", "ArrowUp", "Control+.", "Control+Enter");
	await tab.page.waitForSelector(".title.completed");
	await tab.press("Control+Enter");
	await tab.page.waitForSelector(".title:not(.completed)");
	await tab.press("Control+Shift+Backspace");
	await expect.poll(() => tab.caret()).toBe("a|");
	expect([await tab.title(), await tab.rows()]).toEqual(["a", []]);
	await tab.press("Control+z");
	await expect.poll(() => tab.rows()).toEqual(["b", "  c"]);
});

test("completed nodes are hidden and shown", async () => {
	const tab = await app.openWith("a", "b");
	await tab.press("Control+Enter", "Control+o");
	await expect.poll(() => tab.rows()).toEqual(["a"]);
	await tab.reload();
	await expect.poll(() => tab.rows()).toEqual(["a"]);
	await tab.page.getByRole("button", { name: "Show completed" }).press("Enter");
	await expect.poll(() => tab.rows()).toEqual(["a", "b"]);
	// The button goes, and the caret doesn't go with it.
	expect(await tab.page.getByRole("button", { name: "Show completed" }).count()).toBe(0);
	await expect.poll(() => tab.caret()).toBe("a|");
});

test("keys enter and leave the toolbar, and rows don't change there", async () => {
	const tab = await app.openWith("a", "b");
	await tab.press("F6");
	// The key waits for what Enter and the letter behind it do.
	await expect.poll(() => tab.page.evaluate(() => document.activeElement?.closest(".bar") !== null)).toBe(true);
	await tab.press("Tab", "Shift+Tab", "Escape");
	expect(await tab.rows()).toEqual(["a", "b"]);
	expect(await tab.caret()).toBe("b|");
	await tab.press("Control+Home");
	expect(await tab.caret()).toBe("|a");
	await tab.press("PageDown");
	expect(await tab.caret()).toBe("b|");
});

test("a tab leaves a node that another tab deletes with the nodes above it", async () => {
	const context = await app.profile();
	const tab = await app.open(context);
	await tab.write("one", "  two", "    three", "      four");
	const second = await app.open(context);
	await tab.press("ArrowUp", "Control+.");
	await expect.poll(() => tab.title()).toBe("three");
	await second.remove("one");
	await expect.poll(() => tab.title()).toBe(null);
	await expect.poll(() => tab.rows()).toEqual([""]);
});
