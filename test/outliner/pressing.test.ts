import { expect, test } from "vitest";
import { App, type Tab } from "./app.js";

const app = new App();

/** The texts that have the caret after presses at all heights of the rows, one after the other. */
async function textsFromTopToBottom(tab: Tab, x: number, step = 3): Promise<string[]> {
	const { y, height } = (await tab.page.locator(".rows").boundingBox())!;
	const texts: string[] = [];
	for (let at = Math.ceil(y); at < y + height; at += step) {
		await press(tab, x, at);
		const text = await tab.page.evaluate(
			() => document.activeElement!.textContent || document.activeElement!.className,
		);
		if (text !== texts.at(-1)) texts.push(text);
	}
	return texts;
}

/** Presses a mouse or a finger. A second tap in the same place would zoom. */
async function press({ page }: Tab, x: number, y: number): Promise<void> {
	if (await page.evaluate(() => matchMedia("(pointer: coarse)").matches)) await page.touchscreen.tap(x, y);
	else await page.mouse.click(x, y);
}

const rows = ["# plan", "one", "  two", "> said", "``` code", "three"];
const texts = ["plan", "one", "two", "a note", "said", "code", "three"];

async function written(tab: Tab): Promise<void> {
	await tab.write(...rows.slice(0, 3));
	await tab.writeNote("a note");
	await tab.press("Escape", "Enter", "Shift+Tab");
	await tab.write("> said", "``` code");
	await tab.press("ArrowDown", "Shift+Tab");
	await tab.type("three");
	await tab.saved();
}

test("each press among the rows puts the caret into the nearest text", async () => {
	const tab = await app.open();
	await written(tab);
	const { x, width } = (await tab.page.locator(".rows").boundingBox())!;
	expect(await textsFromTopToBottom(tab, x + width / 2)).toEqual(texts);
	expect(await textsFromTopToBottom(tab, x + width + 10, 12)).toEqual(texts);
	expect(await textsFromTopToBottom(tab, x - 10, 12)).toEqual(texts);
	await tab.type("!");
	expect((await tab.rows()).at(-1)).toBe("!three");
});

test("each tap among the rows puts the caret into the nearest text", async () => {
	const context = await app.profile({ hasTouch: true, isMobile: true, viewport: { width: 800, height: 900 } });
	const tab = await app.open(context);
	await tab.page.locator(".name").tap();
	await written(tab);
	const { x, width } = (await tab.page.locator(".rows").boundingBox())!;
	// Close to a border, browsers choose one of both elements for a finger.
	expect([...new Set(await textsFromTopToBottom(tab, x + width / 2))]).toEqual(texts);
});

test("a press below all rows puts the caret at the end of the last one, and above them into the title", async () => {
	const tab = await app.openWith("one", "  two", "  three");
	await tab.press("ArrowUp", "ArrowUp");
	await tab.page.mouse.click(600, 700);
	expect(await tab.caret()).toBe("three|");
	await tab.press("ArrowUp", "ArrowUp", "Control+.");
	await tab.press("ArrowDown");
	const title = (await tab.page.locator(".title .name").boundingBox())!;
	await tab.page.mouse.click(title.x + title.width - 10, title.y - 10);
	expect(await tab.caret()).toBe("one|");
	await tab.page.mouse.click(20, 750);
	expect(await tab.caret()).toBe("three|");
});

test("a press among the links to a node leaves the caret where it is", async () => {
	const tab = await app.openWith("Boat", "see it");
	await tab.type(" [[boat\n");
	await tab.press("ArrowUp", "Control+.");
	await expect.poll(() => tab.caret()).toBe("Boat|");
	const heading = (await tab.page.locator(".linked-from h2").boundingBox())!;
	await tab.page.mouse.click(heading.x + heading.width - 5, heading.y + heading.height / 2);
	expect(await tab.caret()).toBe("Boat|");
	await tab.type("!");
	await expect.poll(() => tab.title()).toBe("Boat!");
});

test("a press beside a text of several lines puts the caret into the line at its height", async () => {
	const tab = await app.open();
	await tab.type("word ".repeat(60));
	const { x, y, width, height } = (await tab.page.locator(".row .name").boundingBox())!;
	await tab.page.mouse.click(x + width + 12, y + height / 2);
	const caret = (await tab.caret())!.indexOf("|");
	expect(caret).toBeGreaterThan(80);
	expect(caret).toBeLessThan(241);
});
