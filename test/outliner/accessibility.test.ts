import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import { expect, test } from "vitest";
import { App, type Tab } from "./app.js";

const app = new App();
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds fault with, in words. */
async function faults(tab: Tab): Promise<string[]> {
	await tab.page.evaluate(axe);
	const { violations } = await tab.page.evaluate(() =>
		(globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
	);
	return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 200)}`));
}

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
		expect(await faults(tab)).toEqual([]);
		await tab.press("ArrowUp", "ArrowUp", "Escape", "Shift+ArrowUp");
		await expect.poll(() => tab.page.$$eval(".row.selected", (rows) => rows.length)).toBeGreaterThan(1);
		expect(await faults(tab)).toEqual([]);
		await tab.press("Escape", "Control+.");
		await expect.poll(() => tab.page.$(".title")).not.toBeNull();
		expect(await faults(tab)).toEqual([]);
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
