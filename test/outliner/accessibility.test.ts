import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { short } from "../setup/soak.js";
import { App, type Tab } from "./app.js";
import { violationsOfView } from "./looks.js";

const app = new App();

/** Writes rows of every kind. */
async function written(tab: Tab): Promise<void> {
	await tab.type("# Heading\n**bold** text with a [link](https://example.org), `code`, #tag @name [2026-11-21]\n");
	await tab.press("Tab");
	await tab.type("[] open\ndone");
	await tab.press("Control+Enter", "Shift+Enter");
	await tab.type("a note");
	await tab.press("Escape", "Enter");
	await tab.press("Enter");
	await tab.type("> quote\n``` code");
	await tab.saved();
}

/** The steps that show each view and state, in this order, and the keys that leave it again. */
const views: { readonly [view: string]: readonly [show: (tab: Tab) => Promise<unknown>, leave?: string[]] } = {
	"first visit": [async () => {}],
	rows: [written],
	"a mirror": [
		async (tab) => {
			await tab.press("Control+Home", "End", "Enter");
			await tab.type("((quote");
			await expect.poll(() => tab.choices()).toEqual(["› quote"]);
		},
		["Enter"],
	],
	"folded rows": [
		async (tab) => {
			await tab.row("bold text with a link, code, #tag @name Sat, Nov 21, 2026").locator(".fold").click();
			await expect.poll(() => tab.page.locator(".bullet.filled").count()).toBe(1);
		},
		["Control+Home"],
	],
	"selected rows": [
		async (tab) => {
			await tab.press("Escape", "Shift+ArrowDown");
			await expect.poll(() => tab.page.$$eval(".row.selected", (rows) => rows.length)).toBeGreaterThan(1);
		},
		["Escape"],
	],
	"tags while typing": [
		async (tab) => {
			await tab.press("Control+Home", "End");
			await tab.type(" #t");
			await tab.page.waitForSelector(".offers");
		},
		["Escape", "Backspace", "Backspace", "Backspace"],
	],
	"a title with a note": [
		async (tab) => {
			await tab.press("Control+.");
			await tab.page.waitForSelector(".title");
			await tab.writeNote("note");
		},
		["Control+,"],
	],
	"a filter": [
		async (tab) => {
			await tab.filter("done");
			await tab.page.getByText("1 node").waitFor();
		},
	],
	"a filter without hits": [
		async (tab) => {
			await tab.type(" nowhere");
			await tab.page.getByText("Nothing found").waitFor();
		},
		["Escape"],
	],
	"save-search": [
		async (tab) => {
			await tab.filter("done");
			await tab.page.getByRole("button", { name: "Save", exact: true }).click();
			await tab.page.waitForSelector("dialog .save-search");
		},
		["Escape"],
	],
	// The test of the sidebar looks at the sheet, which a phone has in its place.
	sidebar: [
		async (tab) => {
			await tab.page.getByRole("button", { name: "Show all" }).click();
			await tab.press("Alt+Shift+b");
			await tab.page.waitForSelector(".sidebar");
		},
		["Alt+Shift+b"],
	],
	search: [
		async (tab) => {
			await tab.search("quote");
			await expect.poll(() => tab.choices()).toContain("› quote");
		},
		["Escape"],
	],
	"search without hits": [
		async (tab) => {
			await tab.search("nowhere");
			await tab.page.locator(".picker-status").waitFor();
		},
		["Escape"],
	],
	palette: [(tab) => tab.press("Control+Shift+k"), ["Escape"]],
	calendar: [(tab) => tab.command("calendar"), ["Escape"]],
	shortcuts: [(tab) => tab.command("shortcuts, name"), ["Escape"]],
	keys: [(tab) => tab.press("F1"), ["Escape"]],
	server: [(tab) => tab.command("server"), ["Escape"]],
	trash: [(tab) => tab.command("trash"), ["Escape"]],
	link: [
		async (tab) => {
			await tab.press("Control+Home", "End");
			await tab.command("link to a node");
		},
		["Escape"],
	],
	date: [(tab) => tab.command("insert a date"), ["Escape"]],
	mirror: [
		async (tab) => {
			await tab.press("Control+Home", "End");
			await tab.type(" ((");
		},
		["Escape", "Backspace", "Backspace", "Backspace"],
	],
	menu: [(tab) => tab.page.locator(".bullet").first().click({ button: "right" }), ["Escape", "Escape"]],
	send: [(tab) => tab.command("move to"), ["Escape"]],
	places: [
		async (tab) => {
			await tab.page.locator(".row:has(.bullet.filled) > .fold").click();
			await tab.page.locator("button.mirrors").click();
		},
		["Escape"],
	],
	files: [(tab) => tab.press("Control+s")],
	"an import report": [
		async (tab) => {
			await tab.page.getByRole("tab", { name: "Import" }).click();
			const text = "<opml><body><outline text='a' image='b.png'/></body></opml>";
			const file = { name: "feeds.opml", mimeType: "", buffer: Buffer.from(text) };
			await tab.page.locator("input[type=file]").setInputFiles(file);
			await tab.page.locator(".files section .outcome p").first().waitFor();
		},
		["Escape"],
	],
	"a notice": [
		async (tab) => {
			await tab.press("Control+Home", "Alt+Shift+m");
			await tab.type("quote");
			await expect.poll(() => tab.choices()).toEqual(["› quote"]);
			await tab.press("Enter");
			await tab.page.waitForSelector(".notice");
		},
	],
};

/** The dialogs that the outliner has. */
const dialogs = readFileSync(
	fileURLToPath(new URL("../../examples/outliner/src/dialogs.tsx", import.meta.url)),
	"utf8",
).matchAll(/case "([\w-]+)":/g);

test.runIf(!short)(
	"axe finds no fault with any view: light, dark, in forced colours and on a phone",
	async () => {
		for (const [, dialog] of dialogs) expect(Object.keys(views)).toContain(dialog);
		const tab = await app.open();
		for (const [view, [show, leave = []]] of Object.entries(views)) {
			await show(tab);
			const isDialog = (await tab.dialog()) !== null;
			expect(await violationsOfView(tab, view)).toEqual([]);
			await tab.press(...leave);
			if (isDialog && leave.length > 0) await expect.poll(() => tab.dialog()).toBeNull();
		}
	},
	120_000,
);

/**
 * The elements of some kinds as the browser tells screen readers of them: name, text, description and states.
 */
async function told({ page }: Tab, ...kinds: string[]): Promise<string[]> {
	const session = await page.context().newCDPSession(page);
	const { nodes } = await session.send("Accessibility.getFullAXTree");
	await session.detach();
	return nodes
		.filter(({ role }) => kinds.includes(role?.value))
		.map(({ name, description, value, properties = [] }) => {
			const states = properties.filter((each) => ["level", "expanded", "selected"].includes(each.name));
			const said = states.filter(({ value: state }) => state.value !== false);
			const shown = said.map((each) => (each.value.value === true ? each.name : `${each.name} ${each.value.value}`));
			return [name?.value, value?.value, description?.value, ...shown].filter(Boolean).join(" | ");
		});
}

test("a row is called by its text, and its field by its place, with its state beside both", async () => {
	const tab = await app.openWith("News", "  **old** one", "    deep", "  done");
	await tab.press("Control+Enter", "ArrowUp", "ArrowUp", "Control+ArrowUp");
	await expect.poll(() => tab.rows()).toEqual(["News", "  <b>old</b> one", "  done"]);
	await expect
		.poll(() => told(tab, "treeitem"))
		.toEqual(["News | 2 below | level 1 | expanded", "old one | folded | level 2", "done | completed | level 2"]);
	expect(await told(tab, "textbox")).toEqual([
		"Level 1, 1 of 1 | News | 2 below",
		"Level 2, 1 of 2 | old one | folded",
		"Level 2, 2 of 2 | done | completed",
	]);
	const [fold, unfold] = await tab.page.getByRole("tree").getByRole("button").all();
	expect([await fold!.ariaSnapshot(), await unfold!.ariaSnapshot()]).toEqual([
		'- button "Collapse News"',
		'- button "Expand old one"',
	]);
	await tab.press("Control+End", "Enter");
	await expect.poll(async () => (await told(tab, "treeitem")).at(-1)).toBe("Untitled | level 2");
});

test("a screen reader hears which row is selected, and how to leave the rows", async () => {
	const tab = await app.openWith("a", "b", "c");
	await tab.press("Escape", "Shift+ArrowUp");
	const active = () =>
		tab.page.evaluate(() => {
			const id = document.activeElement!.getAttribute("aria-activedescendant");
			return id === null ? null : document.getElementById(id)!.querySelector(".name")!.textContent;
		});
	await expect.poll(active).toBe("b");
	expect(await told(tab, "treeitem")).toEqual(["a | level 1", "b | level 1 | selected", "c | level 1 | selected"]);
	expect(await told(tab, "tree")).toEqual(["Outline | Tab indents. F6 leads out of the rows, F1 lists the keys."]);
});

test("rows say what a screen reader tells of them", async () => {
	const tab = await app.openWith("a", "  b", "  c");
	const said = await tab.page.$$eval("[role=treeitem]", (rows) =>
		rows.map((row) =>
			["aria-level", "aria-posinset", "aria-setsize", "aria-expanded"].map((name) => row.getAttribute(name)).join(" "),
		),
	);
	expect(said).toEqual(["1 1 1 true", "2 1 2 ", "2 2 2 "]);
});
