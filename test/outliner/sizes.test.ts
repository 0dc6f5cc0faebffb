import { expect, test } from "vitest";
import { App, type Tab } from "./app.js";

const app = new App();

const rows = (count: number) => Array.from({ length: count }, (_, index) => `row ${index + 1}`);

/** Whether the caret is in sight, with nothing over it. */
function caretIsInSight({ page }: Tab): Promise<boolean> {
	return page.evaluate(() => {
		const field = document.activeElement!;
		const { left, top, bottom } = field.getBoundingClientRect();
		const isAtTop = (y: number) => field.contains(document.elementFromPoint(left + 4, y));
		return isAtTop(top + 2) && isAtTop(bottom - 2);
	});
}

for (const [name, options] of [
	["at 400 % zoom", { viewport: { width: 320, height: 256 } }],
	["on a phone", { viewport: { width: 390, height: 700 }, hasTouch: true }],
	["in a wide window", { viewport: { width: 1440, height: 500 } }],
] as const) {
	test(`a message leaves the row with the caret in sight ${name}`, async () => {
		const tab = await app.open(await app.profile(options));
		if ("hasTouch" in options) await tab.page.locator(".name").tap();
		await tab.write(...rows(19));
		expect(await tab.page.locator(".notice").count()).toBe(0);
		expect(await caretIsInSight(tab)).toBe(true);
		// A row at the lower edge of the page, and below it the one whose commit brings the message.
		await tab.press("ArrowUp", "ArrowUp", "End");
		await tab.page.evaluate(() => {
			const page = document.querySelector(".page")!;
			const { bottom } = document.activeElement!.closest(".row")!.getBoundingClientRect();
			page.scrollTop += bottom - page.getBoundingClientRect().bottom;
		});
		await tab.press("Enter");
		await tab.page.getByText("Keep it for good?").waitFor();
		await expect.poll(() => caretIsInSight(tab)).toBe(true);
		await tab.press("Escape");
		await expect.poll(() => tab.selected()).toEqual([""]);
		const isApart = await tab.page.evaluate(() => {
			const { bottom } = document.querySelector(".row.selected")!.getBoundingClientRect();
			return bottom <= document.querySelector(".notice")!.getBoundingClientRect().top;
		});
		expect(isApart).toBe(true);
		// The whole message can be read, if need be by scrolling.
		const isCut = await tab.page.evaluate(() => {
			const notice = document.querySelector(".notice")!;
			notice.scrollTop = 0;
			return notice.firstElementChild!.getBoundingClientRect().top < notice.getBoundingClientRect().top;
		});
		expect(isCut).toBe(false);
	});
}

test("at 400 % zoom nothing is wider than the window, and half of it is for the rows", async () => {
	const tab = await app.open(await app.profile({ viewport: { width: 320, height: 256 } }));
	await tab.write("a row with a text that is much longer than the window is wide", "  another");
	await tab.press("Control+.");
	await tab.page.waitForSelector(".title");
	expect(await tab.page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
	const outside = await tab.page.$$eval(".bar button, .bar a", (elements) =>
		elements.filter((element) => element.getBoundingClientRect().right > 320).map(({ textContent }) => textContent),
	);
	expect(outside).toEqual([]);
	const { height } = (await tab.page.locator(".page").boundingBox())!;
	expect(height).toBeGreaterThan(128);
});

test("on a phone whose user has set texts to twice their size, every tool is in the window", async () => {
	const options = { viewport: { width: 195, height: 422 }, hasTouch: true, isMobile: true };
	const tab = await app.open(await app.profile(options));
	const { page } = tab;
	await tab.write("a text", "  another");
	await tab.press("Control+.");
	await page.waitForSelector(".title");
	const outside = await page.$$eval(".bar button, .bar a", (elements) =>
		elements.filter((element) => element.getBoundingClientRect().right > innerWidth).map(({ outerHTML }) => outerHTML),
	);
	expect(outside).toEqual([]);
	expect(await page.evaluate(() => [innerWidth, document.documentElement.scrollWidth])).toEqual([195, 195]);
	await page.getByRole("button", { name: "Commands" }).tap();
	await tab.type("server");
	await tab.press("Enter");
	expect((await page.locator(".field-line input").boundingBox())!.width).toBeGreaterThan(110);
});

test("the bar for a finger shows all of its buttons in a window of 360 pixels", async () => {
	const tab = await app.open(await app.profile({ viewport: { width: 360, height: 700 }, hasTouch: true }));
	await tab.page.locator(".name").tap();
	const bar = tab.page.getByRole("toolbar", { name: "Edit this node" });
	expect(await bar.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});

test("a keyboard over the page covers no dialog", async () => {
	const context = await app.profile({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
	await context.addInitScript(() => {
		const viewport = Object.assign(new EventTarget(), { height: 500, offsetTop: 0, scale: 1 });
		Object.defineProperty(window, "visualViewport", { value: viewport });
	});
	const tab = await app.open(context);
	const bottom = async (selector: string) => {
		const box = await tab.page.locator(selector).boundingBox();
		return Math.ceil(box!.y + box!.height);
	};
	await tab.page.locator(".name").tap();
	expect(await bottom(".touch-bar")).toBe(500);
	await tab.press("Control+Shift+k");
	expect(await bottom("dialog")).toBeLessThanOrEqual(500);
	await tab.press("Escape");
	await tab.page.locator(".bullet").click({ button: "right" });
	expect(await bottom("dialog.menu")).toBe(500);
});

test.each([
	["on a phone", { viewport: { width: 390, height: 700 }, hasTouch: true }],
	["at 400 % zoom", { viewport: { width: 320, height: 256 } }],
	["in a wide window", { viewport: { width: 1440, height: 900 } }],
])("texts of forty levels keep their room %s", async (_, options) => {
	const tab = await app.open(await app.profile(options));
	await tab.page.locator(".name").click();
	await tab.paste(
		Array.from({ length: 40 }, (_, depth) => `${"  ".repeat(depth)}- ${depth + 1} with some words`).join("\n"),
	);
	await tab.page.getByText("40 with some words").waitFor();
	const { widths, tooMuch } = await tab.page.evaluate(() => {
		const page = document.querySelector(".page")!;
		const names = [...document.querySelectorAll(".name")];
		return {
			widths: names.map((name) => name.getBoundingClientRect().width),
			tooMuch: page.scrollWidth - page.clientWidth,
		};
	});
	expect(Math.min(...widths)).toBeGreaterThan(110);
	expect(tooMuch).toBe(0);
});

/**
 * The elements that a finger 21 pixels beside their middle misses, by selector. The rows are nearer to each
 * other: a finger that is 17 pixels above or below the middle of a bullet must not hit another row. The nine
 * buttons of the bar share the width of a phone: each has at least 40 pixels.
 */
function missed({ page }: Tab, ...selectors: string[]): Promise<string[]> {
	return page.evaluate(
		(all) =>
			all.flatMap((selector) => {
				const found = [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility());
				const first = found.find((each) => getComputedStyle(each).visibility === "visible");
				if (first === undefined) return [`${selector} isn't there`];
				first.scrollIntoView({ block: "nearest" });
				const { left, top, width, height } = first.getBoundingClientRect();
				const [x, y] = [left + width / 2, top + height / 2];
				const reach = first.closest(".row") === null ? 21 : 17;
				const across = first.closest(".touch-bar") === null ? 21 : 19;
				const points = [
					[x - across, y],
					[x + across, y],
					[x, y - reach],
					[x, y + reach],
				] as const;
				const hits = points.every(([px, py]) => first.contains(document.elementFromPoint(px, py)));
				return hits ? [] : [selector];
			}),
		selectors,
	);
}

for (const width of [390, 820]) {
	test(`a finger has 44 pixels for what it may touch, ${width} pixels wide`, async () => {
		const tab = await app.open(await app.profile({ viewport: { width, height: 844 }, hasTouch: true }));
		expect(await missed(tab, ".welcome button")).toEqual([]);
		await tab.page.locator(".name").tap();
		await tab.write("one", "  two", "  [] three");
		expect(
			await missed(tab, ".bullet", ".fold", ".tools button", ".breadcrumbs a", ".add", ".touch-bar button"),
		).toEqual([]);
		await tab.press("Control+Shift+k");
		expect(await missed(tab, ".choice", ".dialog-close", ".picker-foot button")).toEqual([]);
		await tab.type("calendar");
		await tab.press("Enter");
		expect(await missed(tab, ".day", ".calendar-head button", ".calendar-foot button")).toEqual([]);
		await tab.press("Escape", "Alt+Shift+m");
		await tab.type("one");
		await expect.poll(() => tab.choices()).toContain("› one");
		await tab.press("Enter");
		await tab.page.waitForSelector(".notice");
		expect(await missed(tab, ".notice button")).toEqual([]);
	});
}

test("forced colours show what is selected, folded, completed and at the caret", async () => {
	const tab = await app.open(await app.profile({ forcedColors: "active" }));
	await tab.write("one", "  two", "[] done");
	await tab.press("Shift+Tab", "Control+Enter", "ArrowUp", "ArrowUp", "Control+ArrowUp");
	const style = (selector: string, property: string, pseudo?: string) =>
		tab.page
			.locator(selector)
			.first()
			.evaluate((element, [name, part]) => getComputedStyle(element, part).getPropertyValue(name!), [property, pseudo]);
	const paper = await style("body", "background-color");
	expect(await style(".bullet", "background-color", "::before")).not.toBe(paper);
	expect(await style(".bullet.filled", "border-style", "::after")).toBe("solid");
	expect(await style(".check:checked", "background-color")).not.toBe(paper);
	expect(await style(".completed .name", "text-decoration-line")).toBe("line-through");
	expect(await style("[data-field]:focus", "outline-style")).toBe("solid");
	await tab.press("Escape");
	await expect.poll(() => tab.selected()).toEqual(["one"]);
	expect(await style(".row.selected", "background-color")).not.toBe(paper);
	expect(await style(".row.selected .bullet", "background-color", "::before")).not.toBe(
		await style(".row.selected", "background-color"),
	);
	await tab.press("Escape", "End", "Enter");
	await tab.type("((one");
	await expect.poll(() => tab.choices()).toContain("› one");
	await tab.press("Enter", "Control+a", "Control+a", "Control+a");
	expect(await style(".row.selected .mirrors", "color")).not.toBe(
		await style(".row.selected .mirrors", "background-color"),
	);
});

for (const reducedMotion of ["no-preference", "reduce"] as const) {
	test(`rows ${reducedMotion === "reduce" ? "don't glide" : "glide"} when one is folded, and never while writing`, async () => {
		const tab = await app.open(await app.profile({ reducedMotion }));
		await tab.write("one", "  two", "  three", "four");
		// Each animation of a row that begins from now on.
		await tab.page.evaluate(() => {
			const { animate } = Element.prototype;
			Element.prototype.animate = function (...args) {
				document.body.dataset.animated = `${Number(document.body.dataset.animated ?? 0) + 1}`;
				return animate.apply(this, args);
			};
		});
		const animated = () => tab.page.evaluate(() => Number(document.body.dataset.animated ?? 0));
		await tab.press("Enter");
		await tab.type("five");
		await tab.press("Enter", "Backspace");
		await tab.rows();
		expect(await animated()).toBe(0);
		await tab.row("one").locator(".fold").click();
		await expect.poll(() => tab.rows()).toEqual(["one", "four", "five"]);
		expect((await animated()) > 0).toBe(reducedMotion === "no-preference");
	});
}
