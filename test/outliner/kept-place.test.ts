import { expect, test } from "vitest";
import { App } from "./app.js";

const app = new App();

test("rows that another tab adds above leave the row with the caret at its place", async () => {
	const context = await app.profile();
	const tab = await app.open(context);
	await tab.paste(Array.from({ length: 200 }, (_, index) => `row ${index}`).join("\n"));
	await tab.saved();
	await tab.page.evaluate(() => document.querySelector(".page")!.scrollTo(0, 2500));
	await tab.row("row 90").locator(".name").click();
	const other = await app.open(context);
	const place = async () => (await tab.row("row 90").boundingBox())!.y;
	const before = await place();
	const count = () => tab.page.locator(".row").first().getAttribute("aria-setsize");
	await other.press("Control+Home");
	for (let added = 1; added <= 3; added++) {
		// Rows of several lines are higher than the outliner expects.
		await other.type(`${"long ".repeat(added * 15)}\n`);
		await other.press("ArrowUp", "Home");
		await expect.poll(count).toBe(`${200 + added}`);
		await expect.poll(place).toBe(before);
	}
	expect(await tab.caret()).toBe("row 90|");
	// Rows that come to the screen itself push away the rows above.
	await other.row("row 3").locator(".name").click();
	await tab.page.evaluate(() => document.querySelector(".page")!.scrollTo(0, 0));
	await tab.row("row 10").locator(".name").click();
	const name = tab.row("row 10");
	const top = (await name.boundingBox())!.y;
	await other.press("End");
	await other.type("\nnew");
	await expect.poll(count).toBe("204");
	expect((await name.boundingBox())!.y).toBe(top);
});

test("folding a row above the caret moves the row with the caret", async () => {
	const tab = await app.openWith("one", "  two", "three");
	const before = (await tab.row("three").boundingBox())!.y;
	await tab.row("one").locator(".fold").click();
	await expect.poll(async () => (await tab.row("three").boundingBox())!.y).toBeLessThan(before);
	expect(await tab.caret()).toBe("three|");
});
