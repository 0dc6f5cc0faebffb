import { expect, test } from "vitest";
import { App, type Tab } from "./app.js";

const app = new App();

/** The bullet of the row with a text. */
function bullet(tab: Tab, name: string) {
	return tab.row(name).locator(".bullet");
}

/** Drags the bullet of a row so far that it goes. */
async function grab(tab: Tab, name: string): Promise<{ x: number; y: number }> {
	const from = await middle(tab, bullet(tab, name));
	await tab.page.mouse.move(from.x, from.y);
	await tab.page.mouse.down();
	await tab.page.mouse.move(from.x + 5, from.y + 5);
	await tab.page.waitForSelector(".ghost");
	return from;
}

async function middle(tab: Tab, element = bullet(tab, "")): Promise<{ x: number; y: number }> {
	const { x, y, width, height } = (await element.boundingBox())!;
	return { x: x + width / 2, y: y + height / 2 };
}

/**
 * Moves the mouse to the upper or lower half of a row, some levels to the right of the point where it grabbed
 * the row.
 */
async function over(tab: Tab, from: { x: number }, name: string, half: "upper" | "lower", levels = 0): Promise<void> {
	const { y, height } = (await tab.row(name).boundingBox())!;
	await tab.page.mouse.move(from.x + levels * 26, y + height * (half === "upper" ? 0.25 : 0.75), { steps: 3 });
}

test("a row is dragged by its bullet, to the depth that the pointer says, and undone in one step", async () => {
	const tab = await app.openWith("a", "  b", "c", "d");
	const from = await grab(tab, "d");
	await over(tab, from, "a", "upper");
	expect(await tab.page.getAttribute(".drop-mark", "data-depth")).toBe("0");
	expect(await tab.page.innerText(".ghost")).toBe("d");
	await over(tab, from, "b", "lower", 9);
	expect(await tab.page.getAttribute(".drop-mark", "data-depth")).toBe("2");
	await over(tab, from, "b", "lower", 1);
	expect(await tab.page.getAttribute(".drop-mark", "data-depth")).toBe("1");
	// Nothing changes before the drop.
	expect(await tab.rows()).toEqual(["a", "  b", "c", "d"]);
	await tab.page.mouse.up();
	await expect.poll(() => tab.rows()).toEqual(["a", "  b", "  d", "c"]);
	expect(await tab.page.locator(".ghost, .drop-mark").count()).toBe(0);
	// The caret has stayed with it.
	expect(await tab.caret()).toBe("d|");
	await tab.press("Control+z");
	await expect.poll(() => tab.rows()).toEqual(["a", "  b", "c", "d"]);
});

test("a row goes to the top of an unfolded one, and of one without children, which unfolds", async () => {
	const tab = await app.openWith("a", "  b", "c", "d");
	let from = await grab(tab, "c");
	await over(tab, from, "a", "lower");
	await tab.page.mouse.up();
	await expect.poll(() => tab.rows()).toEqual(["a", "  c", "  b", "d"]);
	from = await grab(tab, "d");
	await over(tab, from, "c", "lower", 2);
	await tab.page.mouse.up();
	await expect.poll(() => tab.rows()).toEqual(["a", "  c", "    d", "  b"]);
});

test("all selected rows are dragged along, and stay selected", async () => {
	const tab = await app.openWith("a", "b", "  b1", "c", "d");
	await tab.row("b").locator(".name").click();
	await tab.press("Escape", "Shift+ArrowDown");
	expect(await tab.selected()).toEqual(["b", "b1", "c"]);
	const from = await grab(tab, "c");
	expect(await tab.page.innerText(".ghost")).toMatch(/^b\s+\+1$/);
	await over(tab, from, "a", "upper");
	await tab.page.mouse.up();
	await expect.poll(() => tab.rows()).toEqual(["b", "  b1", "c", "a", "d"]);
	expect(await tab.selected()).toEqual(["b", "b1", "c"]);
	await tab.press("Control+z");
	await expect.poll(() => tab.rows()).toEqual(["a", "b", "  b1", "c", "d"]);
});

test("Escape cancels, and letting go then neither moves nor zooms", async () => {
	const tab = await app.openWith("a", "b");
	const from = await grab(tab, "b");
	await over(tab, from, "a", "upper");
	await tab.press("Escape");
	expect(await tab.page.locator(".ghost").count()).toBe(0);
	await tab.page.mouse.up();
	expect(await tab.rows()).toEqual(["a", "b"]);
	expect(new URL(tab.page.url()).hash).toBe("");
	// A click zooms as ever.
	await bullet(tab, "b").click();
	await tab.page.waitForSelector(".title");
});

test("dropping a row on its own place or within itself changes nothing", async () => {
	const tab = await app.openWith("a", "  b", "  c", "d");
	let from = await grab(tab, "a");
	await over(tab, from, "b", "lower", 2);
	expect(await tab.page.getAttribute(".drop-mark", "data-depth")).toBe("0");
	await tab.page.mouse.up();
	expect(await tab.rows()).toEqual(["a", "  b", "  c", "d"]);
	// But the mouse can pull it deeper in the same row.
	from = await grab(tab, "d");
	await over(tab, from, "d", "lower", 1);
	await tab.page.mouse.up();
	await expect.poll(() => tab.rows()).toEqual(["a", "  b", "  c", "  d"]);
});

test("with Alt held, mirrors go there, also to the top level", async () => {
	const tab = await app.openWith("a", "  b", "c");
	let from = await grab(tab, "b");
	await over(tab, from, "c", "lower", -1);
	await tab.page.keyboard.down("Alt");
	expect(await tab.page.innerText(".ghost")).toMatch(/^Mirror of\s+b$/);
	await tab.page.mouse.up();
	await tab.page.keyboard.up("Alt");
	await expect.poll(() => tab.rows()).toEqual(["a", "  b", "c", "b"]);
	expect(await tab.page.locator(".row.mirror .name").allInnerTexts()).toEqual(["b"]);
	// A text typed in one tab shows in the other.
	await tab.row("b").first().locator(".name").click();
	await tab.press("End");
	await tab.type("!");
	await expect.poll(() => tab.rows()).toEqual(["a", "  b!", "c", "b!"]);
	// A node can't go below a mirror of itself.
	from = await middle(tab, bullet(tab, "b!").first());
	await tab.page.mouse.move(from.x, from.y);
	await tab.page.mouse.down();
	await tab.page.mouse.move(from.x + 9, from.y + 9);
	const target = (await tab.page.locator(".row.mirror").boundingBox())!;
	await tab.page.mouse.move(from.x, target.y + target.height * 0.75, { steps: 3 });
	await tab.page.waitForSelector(".ghost.refused");
	await tab.page.mouse.up();
	expect(await tab.page.innerText(".notice")).toContain("can't move below itself");
	expect(await tab.rows()).toEqual(["a", "  b!", "c", "b!"]);
});

test("below a mirror rows are dragged as below its origin, and stay selected where they were", async () => {
	const tab = await app.openWith("o", "  p", "  q", "x");
	let from = await grab(tab, "o");
	await tab.page.keyboard.down("Alt");
	await over(tab, from, "x", "lower");
	await tab.page.mouse.up();
	await tab.page.keyboard.up("Alt");
	await expect.poll(() => tab.rows()).toEqual(["o", "  p", "  q", "x", "o"]);
	await tab.page.locator(".row.mirror .fold").click();
	await expect.poll(() => tab.rows()).toEqual(["o", "  p", "  q", "x", "o", "  p", "  q"]);
	await tab.row("q").last().locator(".name").click();
	await tab.press("Escape");
	from = await middle(tab, bullet(tab, "q").last());
	const target = (await tab.row("p").last().boundingBox())!;
	await tab.page.mouse.move(from.x, from.y);
	await tab.page.mouse.down();
	await tab.page.mouse.move(from.x, target.y + target.height / 4, { steps: 4 });
	await tab.page.mouse.up();
	await expect.poll(() => tab.rows()).toEqual(["o", "  q", "  p", "x", "o", "  q", "  p"]);
	const selected = () => tab.page.locator(".row").evaluateAll((rows) => rows.map((row) => row.ariaSelected === "true"));
	expect(await selected()).toEqual([false, false, false, false, false, true, false]);
	// A row dragged to its top from elsewhere shows in both too.
	from = await grab(tab, "x");
	const mirror = (await tab.page.locator(".row.mirror").boundingBox())!;
	await tab.page.mouse.move(from.x + 26, mirror.y + mirror.height * 0.75, { steps: 3 });
	await tab.page.mouse.up();
	const all = ["o", "  x", "  q", "  p", "o", "  x", "  q", "  p"];
	await expect.poll(() => tab.rows()).toEqual(all);
	await tab.press("Control+z");
	await expect.poll(() => tab.rows()).toEqual(["o", "  q", "  p", "x", "o", "  q", "  p"]);
	await tab.row("q").last().locator(".name").click();
	await tab.press("Escape");
	// And out of it, to the end.
	await tab.press("Shift+Tab");
	await expect.poll(() => tab.rows()).toEqual(["o", "  p", "x", "o", "  p", "q"]);
	expect(await selected()).toEqual([false, false, false, false, false, true]);
	// Tab puts it below what the mirror shows.
	await tab.press("Tab");
	await expect.poll(() => tab.rows()).toEqual(["o", "  p", "  q", "x", "o", "  p", "  q"]);
});

test("a folded row unfolds when the pointer rests on it", async () => {
	const tab = await app.openWith("a", "  b", "c");
	await tab.row("a").locator(".fold").click();
	await expect.poll(() => tab.rows()).toEqual(["a", "c"]);
	const from = await grab(tab, "c");
	await over(tab, from, "a", "lower");
	await expect.poll(() => tab.rows()).toEqual(["a", "  b", "c"]);
	await over(tab, from, "b", "lower", 1);
	await tab.page.mouse.up();
	await expect.poll(() => tab.rows()).toEqual(["a", "  b", "  c"]);
});

test("deleting a row in another tab ends its drag here", async () => {
	const [tab, other] = await app.twoTabs(["a", "b"]);
	const from = await grab(tab, "b");
	await over(tab, from, "a", "upper");
	await other.remove("b");
	await expect.poll(() => tab.rows()).toEqual(["a"]);
	expect(await tab.page.locator(".ghost").count()).toBe(0);
	await tab.page.mouse.up();
	expect(await tab.rows()).toEqual(["a"]);
});

test("among 20,000 rows the page scrolls at its edges, and the drop goes where the mark is", async () => {
	const tab = await app.openWith("first");
	await tab.paste(Array.from({ length: 20_000 }, (_, index) => `row ${index}`).join("\n"));
	await expect.poll(() => tab.caret(), { timeout: 30_000 }).toBe("row 19999|");
	await tab.page.evaluate(() => document.querySelector(".page")!.scrollTo(0, 0));
	await expect.poll(() => tab.row("first").count()).toBe(1);
	const from = await grab(tab, "first");
	const box = (await tab.page.locator(".page").boundingBox())!;
	await tab.page.mouse.move(from.x, box.y + box.height - 2, { steps: 3 });
	const scrolled = () => tab.page.evaluate(() => document.querySelector(".page")!.scrollTop);
	await expect.poll(scrolled, { timeout: 10_000 }).toBeGreaterThan(3000);
	await tab.page.mouse.move(from.x, box.y + box.height / 2, { steps: 3 });
	const mark = (await tab.page.locator(".drop-mark").boundingBox())!;
	expect(Math.abs(mark.y - (box.y + box.height / 2))).toBeLessThan(40);
	const before = await tab.page.evaluate((y) => {
		const above = [...document.querySelectorAll(".row")].filter((row) => row.getBoundingClientRect().bottom <= y + 4);
		return above.at(-1)!.querySelector(".name")!.textContent;
	}, mark.y);
	await tab.page.mouse.up();
	await tab.saved();
	const names = () => tab.page.locator(".row .name").allInnerTexts();
	await expect.poll(async () => (await names()).indexOf("first")).toBeGreaterThan(0);
	const all = await names();
	expect(all[all.indexOf("first") - 1]).toBe(before);
	// The page has stayed where it was.
	expect(await scrolled()).toBeGreaterThan(3000);
}, 90_000);

test("with a finger, a long press on the bullet drags, and a swipe elsewhere scrolls", async () => {
	const tab = await app.openOnPhone(600);
	await tab.row("").locator(".name").tap();
	await tab.write("a", "b", "c");
	const session = await tab.page.context().newCDPSession(tab.page);
	const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...points: { x: number; y: number }[]) =>
		session.send("Input.dispatchTouchEvent", { type, touchPoints: points });
	const [from, to] = [await middle(tab, bullet(tab, "c")), await middle(tab, bullet(tab, "a"))];
	await touch("touchStart", from);
	await tab.page.waitForSelector(".ghost");
	await touch("touchMove", { x: from.x, y: (from.y + to.y) / 2 });
	await touch("touchMove", { x: from.x, y: to.y - 9 });
	await touch("touchEnd");
	await expect.poll(() => tab.rows()).toEqual(["c", "a", "b"]);
	expect(new URL(tab.page.url()).hash).toBe("");
	// A finger that moves on at once drags nothing.
	await touch("touchStart", to);
	await touch("touchMove", { x: to.x, y: to.y + 60 });
	expect(await tab.page.locator(".ghost").count()).toBe(0);
	await touch("touchEnd");
	await tab.row("b").locator(".name").tap();
	for (let line = 0; line < 30; line++) await tab.type(`\n${line}`);
	await tab.saved();
	const scrolled = () => tab.page.evaluate(() => document.querySelector(".page")!.scrollTop);
	const before = await scrolled();
	await touch("touchStart", { x: 200, y: 300 });
	for (let y = 310; y <= 500; y += 10) await touch("touchMove", { x: 200, y });
	await touch("touchEnd");
	await expect.poll(scrolled).toBeLessThan(before);
});

test("on a phone a bar above the keyboard does what keys do, and keeps the caret in the field", async () => {
	const tab = await app.openOnPhone(844);
	const bar = tab.page.locator(".touch-bar");
	expect(await bar.isVisible()).toBe(false);
	await tab.row("").locator(".name").tap();
	expect(await bar.isVisible()).toBe(true);
	await tab.write("a", "b", "c");
	const tap = (name: string) => bar.getByRole("button", { name, exact: true }).tap();
	await tap("Indent");
	await expect.poll(() => tab.rows()).toEqual(["a", "b", "  c"]);
	expect(await tab.caret()).toBe("c|");
	await tab.type("!");
	await tap("Outdent");
	await tap("Move up");
	await expect.poll(() => tab.rows()).toEqual(["a", "c!", "b"]);
	await tap("Move down");
	await expect.poll(() => tab.rows()).toEqual(["a", "b", "c!"]);
	await tap("Complete");
	await expect.poll(() => tab.page.locator(".row.completed .name").allInnerTexts()).toEqual(["c!"]);
	await tap("Undo");
	await expect.poll(() => tab.page.locator(".row.completed").count()).toBe(0);
	await tap("Note");
	await tab.type("n");
	await expect.poll(() => tab.page.locator(".note").textContent()).toBe("n");
	expect(await bar.isVisible()).toBe(true);
});

test("a finger selects several rows, and the bar acts on all of them", async () => {
	const tab = await app.openOnPhone(844);
	const bar = tab.page.locator(".touch-bar");
	await tab.row("").locator(".name").tap();
	await tab.write("a", "b", "c", "d");
	const tap = (name: string) => bar.getByRole("button", { name, exact: true }).tap();
	await tab.row("b").locator(".name").tap();
	await tap("Select");
	await expect.poll(() => tab.selected()).toEqual(["b"]);
	await tab.row("d").locator(".name").tap();
	await expect.poll(() => tab.selected()).toEqual(["b", "c", "d"]);
	await tab.row("c").locator(".name").tap();
	await expect.poll(() => tab.selected()).toEqual(["b", "c"]);
	await tap("Indent");
	await expect.poll(() => tab.rows()).toEqual(["a", "  b", "  c", "d"]);
	expect(await tab.selected()).toEqual(["b", "c"]);
	await tap("Delete");
	await expect.poll(() => tab.rows()).toEqual(["a", "d"]);
	expect(await tab.caret()).toBe("a|");
	// A tap on the only one that is selected writes in rows again.
	await tap("Select");
	await tab.row("a").locator(".name").tap();
	await expect.poll(() => tab.selected()).toEqual([]);
	await tab.row("d").locator(".name").tap();
	await expect.poll(() => tab.caret()).toBe("d|");
});

test("with a mouse there is no such bar", async () => {
	const tab = await app.openWith("a");
	expect(await tab.page.locator(".touch-bar").isVisible()).toBe(false);
});
