import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { App, type Tab } from "./app.js";

const app = new App();

declare global {
	var rendered: Set<string>;
	var measured: number;
	var written: number;
}

describe("of a screen full of rows", () => {
	async function openFull(): Promise<Tab> {
		const tab = await app.open();
		const parents = Array.from({ length: 12 }, (_, index) => `- parent ${index}\n  - one ${index}\n  - two ${index}`);
		await tab.paste(parents.join("\n"));
		await tab.press("Escape", "Control+a", "Control+Shift+ArrowDown", "Escape");
		await expect.poll(() => tab.page.locator(".row").count()).toBeGreaterThan(25);
		return tab;
	}

	test("a key renders only the rows that differ, and measures only new ones", async () => {
		const tab = await openFull();
		await tab.page.evaluate(() => {
			[globalThis.rendered, globalThis.measured] = [new Set(), 0];
			// A field notes after each rendering whether it is blank.
			const toggle = Element.prototype.toggleAttribute;
			Element.prototype.toggleAttribute = function (...args) {
				globalThis.rendered.add(this.id);
				return toggle.apply(this, args);
			};
			const height = Object.getOwnPropertyDescriptor(HTMLElement.prototype, "offsetHeight")!;
			Object.defineProperty(HTMLElement.prototype, "offsetHeight", {
				get() {
					globalThis.measured += 1;
					return height.get!.call(this);
				},
			});
		});
		const after = async (...keys: string[]) => {
			await tab.press(...keys);
			await tab.saved();
			return tab.page.evaluate(() => {
				const counts = { rendered: globalThis.rendered.size, measured: globalThis.measured };
				[globalThis.rendered, globalThis.measured] = [new Set(), 0];
				return counts;
			});
		};
		await tab.row("two 5").locator(".name").click();
		await after("End");
		expect(await after("x")).toEqual({ rendered: 1, measured: 0 });
		// The new row, the two others below its parent, and the parent, which tells their number.
		expect(await after("Enter")).toEqual({ rendered: 4, measured: 1 });
		expect(await after("y")).toEqual({ rendered: 1, measured: 0 });
		// The row, the siblings that it leaves, its new parent, and the old one.
		expect(await after("Tab")).toEqual({ rendered: 4, measured: 0 });
	});

	test("Tab moves a row below a line without children by the same element, with its caret", async () => {
		const tab = await openFull();
		await tab.row("two 5").locator(".name").click();
		await tab.press("End", "ArrowLeft");
		const element = await tab.page.evaluateHandle(() => document.activeElement);
		await tab.press("Tab");
		expect(await tab.caret()).toBe("two |5");
		expect(await element.evaluate((field) => field === document.activeElement)).toBe(true);
		expect(await tab.row("two 5").getAttribute("aria-level")).toBe("3");
	});

	test("a new row restyles few elements", async () => {
		const tab = await openFull();
		await tab.row("two 5").locator(".name").click();
		await tab.press("End", "Enter", "Enter");
		await tab.saved();
		const session = await tab.page.context().newCDPSession(tab.page);
		let restyled = 0;
		session.on("Tracing.dataCollected", ({ value }) => {
			for (const { name, args } of value as unknown as { name: string; args?: { elementCount?: number } }[]) {
				if (name === "UpdateLayoutTree") restyled += args?.elementCount ?? 0;
			}
		});
		const traceConfig = { includedCategories: ["devtools.timeline"] };
		await session.send("Tracing.start", { transferMode: "ReportEvents", traceConfig });
		await tab.press("Enter");
		await tab.saved();
		const done = new Promise<void>((resolve) => session.once("Tracing.tracingComplete", () => resolve()));
		await session.send("Tracing.end");
		await done;
		const elements = await tab.page.locator(".rows *").count();
		expect(restyled).toBeGreaterThan(0);
		expect(restyled).toBeLessThan(elements / 2);
	});
});

describe("rows of different heights that the page hasn't shown yet", () => {
	/** Opens the end of a list. */
	async function openEnd(tab: Tab): Promise<void> {
		const lines = Array.from(
			{ length: 120 },
			(_, index) => `- line ${index} ${"of many words ".repeat((index * 7) % 40)}`,
		);
		await tab.page.locator(".row .name").click();
		await tab.paste(lines.join("\n"));
		await tab.saved();
		await tab.reload();
		await expect
			.poll(async () => {
				await tab.page.evaluate(() => document.querySelector(".page")!.scrollTo(0, 1e6));
				return tab.page.locator(".row", { hasText: "line 119" }).count();
			})
			.toBe(1);
		await settled(tab.page);
	}

	/** Waits until the rows that have come into the document are measured. */
	const settled = (page: Page) =>
		page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

	/** The tops of the rows on the screen by their names, and where the page is scrolled to. */
	const places = (page: Page) =>
		page.evaluate(() => {
			const screen = document.querySelector(".page")!.getBoundingClientRect();
			const rows = [...document.querySelectorAll(".row")].map((row) => ({
				name: /line \d+/.exec(row.textContent!)![0],
				box: row.getBoundingClientRect(),
			}));
			const shown = rows.filter(({ box }) => box.bottom > screen.top && box.top < screen.bottom);
			return shown.map(({ name, box }) => [name, Math.round(box.top)] as const);
		});

	/** Scrolls up, and checks that each row on the screen goes down by as much. */
	async function scrollUp(page: Page): Promise<void> {
		for (let step = 0; step < 15; step++) {
			const before = await places(page);
			await page.evaluate(() => document.querySelector(".page")!.scrollBy(0, -250));
			await settled(page);
			const after = new Map(await places(page));
			const moved = before.filter(([name]) => after.has(name)).map(([name, top]) => after.get(name)! - top);
			expect(moved.length).toBeGreaterThan(0);
			for (const distance of moved) expect(Math.abs(distance - 250)).toBeLessThanOrEqual(1);
		}
	}

	test("don't push away the rows on the screen while one scrolls up to them", async () => {
		const tab = await app.open();
		await openEnd(tab);
		await scrollUp(tab.page);
	});

	test("leave the page to a finger that scrolls, and the rows on the screen where they are when it rests", async () => {
		const tab = await app.open(
			await app.profile({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 700 } }),
		);
		await openEnd(tab);
		await tab.page.evaluate(() => {
			globalThis.written = 0;
			const top = Object.getOwnPropertyDescriptor(Element.prototype, "scrollTop")!;
			Object.defineProperty(document.querySelector(".page"), "scrollTop", {
				get: () => top.get!.call(document.querySelector(".page")),
				set: (value) => {
					globalThis.written += 1;
					top.set!.call(document.querySelector(".page"), value);
				},
			});
		});
		const touch = (type: string, ...points: number[]) =>
			tab.page.evaluate(
				([type, points]) => {
					const target = document.querySelector(".page")!;
					const touches = points.map((clientY) => new Touch({ identifier: 1, target, clientY }));
					target.dispatchEvent(new TouchEvent(type, { touches }));
				},
				[type, points] as const,
			);
		await touch("touchstart", 300);
		await scrollUp(tab.page);
		expect(await tab.page.evaluate(() => globalThis.written)).toBe(0);
		const before = await places(tab.page);
		await touch("touchend");
		await expect.poll(() => tab.page.evaluate(() => globalThis.written)).toBe(1);
		await settled(tab.page);
		expect(await places(tab.page)).toEqual(before);
	});

	test("are in sight if a command leads to them", async () => {
		const tab = await app.open();
		await openEnd(tab);
		await tab.page.locator(".row .name", { hasText: "line 119" }).click();
		for (const [keys, name] of [
			["Control+Home", "line 0"],
			["Control+End", "line 119"],
		] as const) {
			await tab.press(keys);
			await settled(tab.page);
			await settled(tab.page);
			const screen = (await tab.page.locator(".page").boundingBox())!;
			const row = (await tab.page.locator(".row", { hasText: `${name} ` }).boundingBox())!;
			expect(row.y).toBeGreaterThanOrEqual(screen.y);
			expect(row.y + row.height).toBeLessThanOrEqual(screen.y + screen.height + 1);
		}
	});
});
