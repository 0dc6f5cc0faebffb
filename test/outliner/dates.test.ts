import { expect, test } from "vitest";
import { App } from "./app.js";

const app = new App();

const time = (day: string) => `<time datetime="${day}">${day}</time>`;

test("words that mean a date offer it, and Tab takes it", async () => {
	const tab = await app.openInNovember(24);
	await tab.type("call Ann fri");
	await expect.poll(() => tab.offers()).toEqual(["Fri, Nov 27, 2026"]);
	expect(await tab.violations()).toEqual([]);
	await tab.type(" 14:30");
	await expect.poll(() => tab.offers()).toEqual(["Fri, Nov 27, 2026, 14:30"]);
	await tab.press("Tab");
	await expect.poll(() => tab.offers()).toEqual([]);
	await tab.type(", or");
	expect(await tab.rows()).toEqual(['call Ann <time datetime="2026-11-27T14:30+13:00">2026-11-27 14:30</time>, or']);
	await tab.type(" in 2 weeks");
	await expect.poll(() => tab.offers()).toEqual(["Tue, Dec 8, 2026"]);
	await tab.page.click(".offers [role=option]");
	expect(await tab.caret()).toBe("call Ann Fri, Nov 27, 2026, 14:30, or Tue, Dec 8, 2026|");
	expect((await tab.rows())[0]).toContain(` or ${time("2026-12-08")}`);
	await tab.press("Control+z");
	expect((await tab.rows())[0]).not.toContain("2026-12-08");
});

test("Enter makes a row, unless the arrow down has chosen the date", async () => {
	const tab = await app.openInNovember(24);
	await tab.type("fri");
	await expect.poll(() => tab.offers()).toHaveLength(1);
	await tab.type("\nsee you tomorrow");
	await expect.poll(() => tab.offers()).toEqual(["Wed, Nov 25, 2026"]);
	await tab.press("ArrowDown");
	await expect.poll(() => tab.offers()).toEqual(["› Wed, Nov 25, 2026"]);
	await tab.press("Enter");
	expect(await tab.rows()).toEqual(["fri", `see you ${time("2026-11-25")}`]);
	await tab.press("Enter");
	expect(await tab.rows()).toHaveLength(3);
});

test("the arrows lead out of the list, and Escape leaves the words", async () => {
	const tab = await app.openInNovember(24);
	await tab.type("a\nfri\nb");
	await tab.press("ArrowUp", "End");
	await tab.type("day");
	await expect.poll(() => tab.offers()).toHaveLength(1);
	await tab.press("ArrowUp");
	expect(await tab.caret()).toBe("a|");
	await tab.press("ArrowDown", "End", "Backspace", "Backspace", "Backspace");
	await expect.poll(() => tab.offers()).toEqual(["Fri, Nov 27, 2026"]);
	await tab.press("ArrowDown", "ArrowDown");
	expect(await tab.caret()).toBe("b|");
	await tab.press("ArrowUp", "End");
	await tab.type("day");
	await expect.poll(() => tab.offers()).toHaveLength(1);
	await tab.press("Escape");
	expect(await tab.offers()).toEqual([]);
	await tab.press("Tab");
	expect(await tab.rows()).toEqual(["a", "  friday", "b"]);
});

test("no date is offered in other words, in dates, links and code, and in notes", async () => {
	const tab = await app.openInNovember(24);
	const quiet = async (text: string) => {
		await tab.type(text);
		await tab.saved();
		expect(await tab.offers(), text).toEqual([]);
	};
	await quiet("frida");
	await quiet("ys [2026-11-27");
	await quiet("]");
	await quiet(" `fri` ");
	await tab.type("a fri");
	await expect.poll(() => tab.offers()).toHaveLength(1);
	await quiet(" ");
	await quiet("\n``` fri");
	await tab.press("Shift+Enter");
	await quiet("fri");
});

test("words in front of a blank become a date, and the caret goes behind it", async () => {
	const tab = await app.openInNovember(24);
	await tab.type("on  we meet");
	for (let count = 0; count < 8; count++) await tab.press("ArrowLeft");
	await tab.type("today");
	await expect.poll(() => tab.offers()).toEqual(["Tue, Nov 24, 2026"]);
	await tab.press("Tab");
	expect(await tab.caret()).toBe("on Tue, Nov 24, 2026| we meet");
	await tab.type("!");
	expect(await tab.rows()).toEqual([`on ${time("2026-11-24")}! we meet`]);
});

test("/date opens a month at the caret, and writes its day there", async () => {
	const tab = await app.openInNovember(24);
	await tab.type("due /date");
	await expect.poll(() => tab.choices()).toEqual(["› Insert a date…"]);
	await tab.press("Enter");
	await expect.poll(() => tab.dialog()).toBe("Insert a date");
	expect(await tab.page.evaluate(() => (document.activeElement as HTMLElement).dataset.day)).toBe("2026-11-24");
	expect(await tab.violations()).toEqual([]);
	await tab.press("ArrowDown", "Enter");
	expect(await tab.caret()).toBe("due Tue, Dec 1, 2026|");
	await tab.type(".");
	expect(await tab.rows()).toEqual([`due ${time("2026-12-01")}.`]);
	await tab.press("ArrowLeft", "ArrowLeft", "Alt+Shift+d");
	await expect.poll(() => tab.dialog()).toBe("Change the date");
	await tab.page.click("dialog >> text=Next week");
	expect(await tab.rows()).toEqual([`due ${time("2026-11-30")}.`]);
	await tab.press("Alt+Shift+d", "Escape");
	expect(await tab.dialog()).toBe(null);
	expect(await tab.caret()).toBe("due Mon, Nov 30, 2026|.");
});

test("a changed day keeps the time of the date", async () => {
	const tab = await app.openInNovember(24);
	await tab.type("[2026-11-27 14:30]");
	await tab.press("Alt+Shift+d");
	await tab.page.click("dialog >> text=Tomorrow");
	expect(await tab.rows()).toEqual(['<time datetime="2026-11-25T14:30+13:00">2026-11-25 14:30</time>']);
});

test("dates show in words, as days are named, and the stored text stays as it is", async () => {
	const tab = await app.openInNovember(24);
	await tab.type("call [2026-11-27] or [2026-11-28 14:30] ");
	const stored = [`call ${time("2026-11-27")} or <time datetime="2026-11-28T14:30+13:00">2026-11-28 14:30</time> `];
	const shown = () => tab.page.locator(".row .name").first().innerText();
	expect(await tab.rows()).toEqual(stored);
	expect(await shown()).toBe("call Fri, Nov 27, 2026 or Sat, Nov 28, 2026, 14:30 ");
	await tab.reload();
	expect(await shown()).toBe("call Fri, Nov 27, 2026 or Sat, Nov 28, 2026, 14:30 ");
	await tab.press("End");
	await tab.type("now");
	await tab.press("Home", "ArrowRight", "Enter");
	expect(await tab.rows()).toEqual(["c", `${stored[0]!.slice(1)}now`]);
	await tab.press("Backspace");
	expect(await tab.caret()).toBe("c|all Fri, Nov 27, 2026 or Sat, Nov 28, 2026, 14:30 now");
	await tab.page.locator(".row .bullet").first().click();
	await tab.page.waitForSelector(".title time");
	expect(await tab.page.locator(".breadcrumbs [aria-current]").innerText()).toContain("Fri, Nov 27, 2026");
	const chip = await tab.page.evaluate(() => getComputedStyle(document.querySelector(".title time")!).backgroundColor);
	expect(chip).toBe("rgba(0, 0, 0, 0)");
});

test("a date whose words are edited becomes the day that they say, and a text if they say none", async () => {
	const tab = await app.openInNovember(24);
	await tab.type("pay [2026-12-02] ");
	await expect.poll(() => tab.rows()).toEqual([`pay ${time("2026-12-02")} `]);
	await tab.press("Enter", "ArrowUp", "Home");
	for (let count = "pay Wed, Dec ".length; count > 0; count--) await tab.press("ArrowRight");
	await tab.press("Delete");
	await tab.type("3");
	await tab.press("ArrowDown");
	await expect.poll(() => tab.rows()).toEqual([`pay ${time("2026-12-03")} `, ""]);
	expect(await tab.page.locator(".row .name").first().innerText()).toBe("pay Thu, Dec 3, 2026 ");
	await tab.press("ArrowUp", "End", "ArrowLeft", "Backspace", "ArrowDown");
	await expect.poll(() => tab.rows()).toEqual(["pay Thu, Dec 3, 202 ", ""]);
});
