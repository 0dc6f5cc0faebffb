import { expect, test } from "vitest";
import { App } from "./app.js";

const app = new App();

test("all visible rows are printed, without the bar and the notices", async () => {
	const tab = await app.open();
	await tab.paste(Array.from({ length: 300 }, (_, index) => `- row ${index} **bold**`).join("\n"));
	await expect.poll(() => tab.page.locator(".row").count()).toBeGreaterThan(10);
	await tab.press("Control+Home");
	await tab.writeNote("a note");
	await tab.saved();
	// As the browser does before it prints.
	await tab.page.evaluate(() => dispatchEvent(new Event("beforeprint")));
	await tab.page.emulateMedia({ media: "print" });
	const shown = await tab.page.evaluate(() => document.body.innerText);
	for (const text of ["row 0 bold", "a note", "row 150 bold", "row 299 bold"]) expect(shown).toContain(text);
	expect(shown).not.toMatch(/Search|Today|New node|Keep it/);
	await tab.page.evaluate(() => dispatchEvent(new Event("afterprint")));
	await tab.page.emulateMedia({ media: null });
	expect(await tab.page.locator(".printed").count()).toBe(0);
	const pdf = await tab.page.pdf({ format: "A4" });
	const pages = pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)!.length;
	expect(pages).toBeGreaterThan(4);
});

test("the visible node is the title, and a dark page is printed light", async () => {
	const tab = await app.open();
	await tab.page.emulateMedia({ colorScheme: "dark" });
	await tab.write("Top", "  [] todo", "    # deep", "x");
	await tab.row("Top").locator(".name").click();
	await tab.press("Control+.");
	await tab.page.waitForSelector(".title");
	await tab.page.evaluate(() => dispatchEvent(new Event("beforeprint")));
	await tab.page.emulateMedia({ media: "print", colorScheme: "dark" });
	expect(await tab.page.evaluate(() => document.body.innerText)).toMatch(/^Top\s+todo\s+deep$/);
	const colours = await tab.page.evaluate(() => {
		const { color, backgroundColor } = getComputedStyle(document.body);
		return [color, backgroundColor];
	});
	expect(colours).toEqual(["rgb(30, 34, 39)", "rgb(255, 255, 255)"]);
});
