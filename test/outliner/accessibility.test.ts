import { expect, test } from "vitest";
import { App, type Tab } from "./app.js";

const app = new App();
async function written(tab: Tab): Promise<void> {
	await tab.type("# Heading\n**bold** text with a [link](https://example.org) and `code` [2026-11-21]\n");
	await tab.press("Tab");
	await tab.type("[] open\ndone");
	await tab.press("Control+Enter", "Shift+Enter");
	await tab.type("a note");
	await tab.press("Escape", "Enter");
	await tab.type("> quote\n``` code");
	await tab.saved();
}

for (const colorScheme of ["light", "dark"] as const) {
	test(`axe finds no fault with what is written, folded, selected and zoomed, in ${colorScheme}`, async () => {
		const tab = await app.open(await app.profile({ colorScheme }));
		await written(tab);
		expect(await tab.violations()).toEqual([]);
		await tab.press("ArrowUp", "ArrowUp", "ArrowUp", "Escape", "Shift+ArrowUp");
		await expect.poll(() => tab.page.$$eval(".row.selected", (rows) => rows.length)).toBeGreaterThan(1);
		expect(await tab.violations()).toEqual([]);
		await tab.press("Escape", "Control+.");
		await expect.poll(() => tab.page.$(".title")).not.toBeNull();
		expect(await tab.violations()).toEqual([]);
	});
}

test("rows say what a screen reader tells of them", async () => {
	const tab = await app.open();
	await tab.type("a\n");
	await tab.press("Tab");
	await tab.type("b\nc");
	await tab.saved();
	const told = await tab.page.$$eval("[role=treeitem]", (rows) =>
		rows.map((row) =>
			["aria-level", "aria-posinset", "aria-setsize", "aria-expanded"].map((name) => row.getAttribute(name)).join(" "),
		),
	);
	expect(told).toEqual(["1 1 1 true", "2 1 2 ", "2 2 2 "]);
});
