import { expect, test } from "vitest";
import { App, type Tab } from "./app.js";

const app = new App();

/** The day on which the focus is. */
function day(tab: Tab): Promise<string | undefined> {
	return tab.page.evaluate(() => (document.activeElement as HTMLElement).dataset.day);
}

test("arrows, pages and ends move the day, and Enter goes there and makes it", async () => {
	const tab = await app.openInNovember(21);
	await tab.press("Alt+Shift+c");
	expect(await day(tab)).toBe("2026-11-21");
	expect(await tab.page.$$eval("dialog th", (days) => days.map(({ textContent }) => textContent))).toEqual([
		"Mo",
		"Tu",
		"We",
		"Th",
		"Fr",
		"Sa",
		"Su",
	]);
	expect(await tab.page.getAttribute('[data-day="2026-11-21"]', "aria-current")).toBe("date");
	const days: (string | undefined)[] = [];
	for (const key of ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "Home", "End", "PageDown", "Shift+PageUp"]) {
		await tab.press(key);
		days.push(await day(tab));
	}
	expect(days).toEqual([
		"2026-11-22",
		"2026-11-29",
		"2026-11-28",
		"2026-11-21",
		"2026-11-16",
		"2026-11-22",
		"2026-12-22",
		"2025-12-22",
	]);
	await tab.press("Enter");
	await expect.poll(() => tab.title()).toBe("Mon, Dec 22, 2025");
	await tab.type("winter");
	expect(await tab.rows()).toEqual(["winter"]);
});

test("days with a node are marked, also nodes created while it is open, and it opens at the visible day", async () => {
	const tab = await app.openInNovember(21);
	const other = await app.open(tab.page.context());
	await other.press("Alt+Shift+t");
	await expect.poll(() => other.title()).toBe("Sat, Nov 21, 2026");
	await tab.press("Alt+Shift+c");
	const written = () =>
		tab.page.$$eval('[data-written="true"]', (days) => days.map((each) => (each as HTMLElement).dataset.day));
	await expect.poll(written).toEqual(["2026-11-21"]);
	await other.press("Alt+Shift+c", "ArrowUp", "Enter");
	await expect.poll(() => other.title()).toBe("Sat, Nov 14, 2026");
	await expect.poll(written).toEqual(["2026-11-14", "2026-11-21"]);
	await other.press("Alt+Shift+c");
	expect(await day(other)).toBe("2026-11-14");
});

test("its buttons go to today, tomorrow and next week, and through the months", async () => {
	const tab = await app.openInNovember(21);
	for (const [button, title] of [
		["Today", "Sat, Nov 21, 2026"],
		["Tomorrow", "Sun, Nov 22, 2026"],
		["Next week", "Mon, Nov 23, 2026"],
	]) {
		await tab.page.click('.tools >> text="Calendar"');
		await tab.page.click(`dialog >> text="${button}"`);
		await expect.poll(() => tab.title()).toBe(title);
	}
	await tab.page.click('.tools >> text="Calendar"');
	await tab.page.click('dialog [aria-label="Next month"]');
	await expect.poll(() => tab.page.textContent("dialog h3")).toBe("December 2026");
	await tab.page.click('[data-day="2026-12-06"]');
	await expect.poll(() => tab.title()).toBe("Sun, Dec 6, 2026");
});
