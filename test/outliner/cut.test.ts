import { describe, expect, test } from "vitest";
import { App, type Tab } from "./app.js";
import { Devices, offline, patience, synced } from "./devices.js";

const app = new App();

/** Selects a row, and more rows behind it, and cuts them. Waits until they are gone: a click may miss a row that moves. */
async function cut(tab: Tab, name: string, more = 0): Promise<void> {
	const { length } = await tab.rows();
	await tab.into(name);
	await tab.press("Escape", ...Array<string>(more).fill("Shift+ArrowDown"));
	await tab.copied("Control+x");
	await expect.poll(async () => (await tab.rows()).length).toBeLessThan(length);
}

/** Pastes behind the row with a name. */
async function pasteBehind(tab: Tab, name: string): Promise<void> {
	await tab.into(name);
	await tab.press("Control+v");
}

/** The records of the nodes and keys, by name and key, without the places among siblings. */
async function records(tab: Tab): Promise<Record<string, Record<string, unknown>>> {
	const lines = (await tab.exported()).map((line) => JSON.parse(line) as Record<string, unknown>);
	return Object.fromEntries(
		lines.flatMap(({ priority: _, ...fields }) => {
			const name = fields.key ?? fields.name;
			return name === undefined ? [] : [[`${name}${fields.originId ? " (mirror)" : ""}`, fields]];
		}),
	);
}

/** The ids of the nodes by their names. */
async function ids(tab: Tab): Promise<Record<string, unknown>> {
	const found = await records(tab);
	return Object.fromEntries(Object.entries(found).map(([name, { id }]) => [name, id]));
}

/** Puts a mirror of a node behind a row. */
async function mirrorBehind(tab: Tab, name: string, origin: string): Promise<void> {
	await tab.into(name);
	await tab.press("Enter");
	await tab.type(`((${origin}`);
	await expect.poll(() => tab.choices()).toEqual([`› ${origin}`]);
	await tab.press("Enter");
	await expect.poll(() => tab.caret()).toBe(`${origin}|`);
	await tab.saved();
}

/** The texts of the nodes that link to the one in the title. */
function linking({ page }: Tab): Promise<string[]> {
	return page.$$eval(".linked-from li a", (links) => links.map(({ textContent }) => textContent!));
}

test("cut rows are the same nodes after pasting, with their notes, dates, shortcuts and links", async () => {
	const tab = await app.openWith("Work", "  Trip", "    pack", "    book", "Home");
	await tab.into("pack");
	await tab.press("Control+Enter", "Shift+Enter");
	await tab.type("the tent");
	await tab.into("book");
	await tab.press("Enter");
	await tab.paste("TODO call\nprice:: 12");
	await tab.into("Trip");
	await tab.press("Alt+Shift+s");
	await tab.type("trip\n");
	await tab.press("Escape");
	await tab.into("Home");
	await tab.press("Enter");
	await tab.type("see [[Trip");
	await expect.poll(() => tab.choices()).toContain("› Trip");
	await tab.press("Enter");
	await tab.saved();
	const before = await records(tab);
	expect(before.call).toMatchObject({ properties: { price: "12" } });

	await cut(tab, "Trip");
	await expect.poll(async () => (await tab.rows()).length).toBe(3);
	await pasteBehind(tab, "Home");
	const link = `see <a href="#/${String(before.Trip!.id).slice(-12)}">Trip</a>`;
	const rows = ["Work", "Home", "Trip", "  pack", "  book", "  call", link];
	await expect.poll(() => tab.rows()).toEqual(rows);
	expect(await tab.caret()).toBe("call|");
	expect(await records(tab)).toEqual({ ...before, Trip: { ...before.Trip, parentId: null } });
	await tab.page.click(".name a");
	await expect.poll(() => tab.title()).toBe("Trip");
	await expect.poll(() => linking(tab)).toEqual(["see Trip"]);
});

test("several cut rows move in their order, in one step to undo and to do again", async () => {
	const tab = await app.openWith("a", "b", "  b1", "c", "d");
	const before = await ids(tab);
	await cut(tab, "b", 1);
	await expect.poll(() => tab.rows()).toEqual(["a", "d"]);
	await pasteBehind(tab, "d");
	const moved = ["a", "d", "b", "  b1", "c"];
	await expect.poll(() => tab.rows()).toEqual(moved);
	expect(await ids(tab)).toEqual(before);
	await tab.press("Control+z");
	await expect.poll(() => tab.rows()).toEqual(["a", "d"]);
	await tab.press("Control+z");
	await expect.poll(() => tab.rows()).toEqual(["a", "b", "  b1", "c", "d"]);
	await tab.press("Control+y");
	await expect.poll(() => tab.rows()).toEqual(["a", "d"]);
	await tab.press("Control+y");
	await expect.poll(() => tab.rows()).toEqual(moved);
	expect(await ids(tab)).toEqual(before);
	// After an undo they go somewhere else.
	await tab.press("Control+z");
	await pasteBehind(tab, "a");
	await expect.poll(() => tab.rows()).toEqual(["a", "b", "  b1", "c", "d"]);
	expect(await ids(tab)).toEqual(before);
});

test("cut rows replace a blank row, in one step to undo and to do again", async () => {
	const tab = await app.openWith("a", "b", "  b1", "c");
	const before = await ids(tab);
	await cut(tab, "b");
	await tab.into("c");
	await tab.press("Enter", "Control+v");
	const moved = ["a", "c", "b", "  b1"];
	await expect.poll(() => tab.rows()).toEqual(moved);
	expect(await ids(tab)).toEqual(before);
	await tab.press("Control+z");
	await expect.poll(() => tab.rows()).toEqual(["a", "c", ""]);
	await tab.press("Control+y");
	await expect.poll(() => tab.rows()).toEqual(moved);
	await tab.press("Control+z", "Control+z");
	await expect.poll(() => tab.rows()).toEqual(["a", "c"]);
	await tab.press("Control+z");
	await expect.poll(() => tab.rows()).toEqual(["a", "b", "  b1", "c"]);
	for (const rows of [["a", "c"], ["a", "c", ""], moved]) {
		await tab.press("Control+y");
		await expect.poll(() => tab.rows()).toEqual(rows);
	}
	expect(await ids(tab)).toEqual(before);
	// The first row, and then behind a row that isn't blank: the cut stays a step of its own.
	await cut(tab, "b");
	await pasteBehind(tab, "a");
	await expect.poll(() => tab.rows()).toEqual(["a", "b", "  b1", "c"]);
	await tab.press("Control+z");
	await expect.poll(() => tab.rows()).toEqual(["a", "c"]);
});

test("a click while rows are cut leaves them cut, and the caret where it was clicked", async () => {
	const tab = await app.openWith("a", "b", "  b1", "c");
	await tab.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
	await tab.page.evaluate(() => {
		const write = navigator.clipboard.write.bind(navigator.clipboard);
		navigator.clipboard.write = async (items) => {
			await write(items);
			await new Promise((resolve) => setTimeout(resolve, 500));
		};
	});
	await tab.into("b");
	await tab.press("Escape", "Control+x");
	await tab.row("c").locator(".name").first().click();
	await tab.press("End");
	await tab.type("!");
	await expect.poll(() => tab.rows()).toEqual(["a", "c!"]);
	expect(await tab.caret()).toBe("c!|");
	await tab.press("Control+v");
	await expect.poll(() => tab.rows()).toEqual(["a", "c!", "b", "  b1"]);
});

test("a second paste makes copies, and so does a paste after the cut was undone", async () => {
	const tab = await app.openWith("a", "b", "  b1", "c");
	const before = await ids(tab);
	await cut(tab, "b");
	await expect.poll(() => tab.rows()).toEqual(["a", "c"]);
	await tab.press("Control+z");
	await expect.poll(() => tab.rows()).toEqual(["a", "b", "  b1", "c"]);
	await pasteBehind(tab, "c");
	await expect.poll(() => tab.rows()).toEqual(["a", "b", "  b1", "c", "b", "  b1"]);
	await tab.press("Control+z");
	await expect.poll(() => tab.rows()).toEqual(["a", "b", "  b1", "c"]);
	expect(await ids(tab)).toEqual(before);

	await cut(tab, "b");
	await pasteBehind(tab, "c");
	await expect.poll(() => tab.rows()).toEqual(["a", "c", "b", "  b1"]);
	await tab.press("Control+v");
	await expect.poll(() => tab.rows()).toEqual(["a", "c", "b", "  b1", "  b", "    b1"]);
	const lines = await tab.exported();
	expect(lines.filter((line) => line.includes(`"id":"${before.b}"`))).toHaveLength(1);
	expect(lines.filter((line) => line.includes('"name":"b1"'))).toHaveLength(2);
});

test("the trash doesn't list cut rows after they are pasted, and lists them again after an undo", async () => {
	const tab = await app.open();
	const trash = async () => {
		const names = await tab.trash();
		await tab.press("Escape");
		return names;
	};
	await tab.write("a", "b", "c");
	await cut(tab, "b");
	await expect.poll(() => tab.rows()).toEqual(["a", "c"]);
	expect(await trash()).toEqual(["b"]);
	await pasteBehind(tab, "c");
	await expect.poll(() => tab.rows()).toEqual(["a", "c", "b"]);
	expect(await trash()).toEqual([]);
	await tab.press("Control+z");
	await expect.poll(() => tab.rows()).toEqual(["a", "c"]);
	expect(await trash()).toEqual(["b"]);
});

test("cut rows move after a reload, and in a second tab", async () => {
	const context = await app.profile();
	const tab = await app.open(context);
	await tab.write("a", "b", "  b1", "c");
	const before = await ids(tab);
	await cut(tab, "b");
	await expect.poll(() => tab.rows()).toEqual(["a", "c"]);
	await tab.reload();
	await pasteBehind(tab, "c");
	await expect.poll(() => tab.rows()).toEqual(["a", "c", "b", "  b1"]);
	expect(await ids(tab)).toEqual(before);

	const second = await app.open(context);
	await cut(tab, "b");
	await expect.poll(() => second.rows()).toEqual(["a", "c"]);
	await pasteBehind(second, "a");
	await expect.poll(() => second.rows()).toEqual(["a", "b", "  b1", "c"]);
	await expect.poll(() => tab.rows()).toEqual(["a", "b", "  b1", "c"]);
	expect(await ids(tab)).toEqual(before);
	await tab.page.bringToFront();
	for (const rows of [
		["a", "c"],
		["a", "c", "b", "  b1"],
	]) {
		await tab.press("Control+z");
		await expect.poll(() => tab.rows()).toEqual(rows);
	}
});

test("a cut mirror stays a mirror, and becomes a copy directly below its origin", async () => {
	const tab = await app.openWith("origin", "  below", "place", "end");
	await mirrorBehind(tab, "place", "origin");
	const before = await ids(tab);
	expect(before["origin (mirror)"]).toBeTypeOf("string");
	await tab.press("Escape");
	await tab.copied("Control+x");
	await expect.poll(() => tab.rows()).toEqual(["origin", "  below", "place", "end"]);
	await pasteBehind(tab, "end");
	await expect.poll(() => tab.rows()).toEqual(["origin", "  below", "place", "end", "origin"]);
	expect(await ids(tab)).toEqual(before);
	await tab.press("Escape");
	await tab.copied("Control+x");
	await pasteBehind(tab, "below");
	await expect.poll(() => tab.rows()).toEqual(["origin", "  below", "  origin", "place", "end"]);
	expect(await tab.page.locator(".row.mirror").count()).toBe(0);
});

test.each([
	["an origin with a mirror elsewhere", "origin", ["outer", "end", "origin"]],
	["a row above an origin with a mirror elsewhere", "outer", ["end", "outer", "  origin"]],
])("%s shows in both places after it is cut and pasted", async (_, name, rows) => {
	const tab = await app.openWith("outer", "  origin", "    below", "place", "end");
	await mirrorBehind(tab, "place", "origin");
	const before = await ids(tab);
	await cut(tab, name);
	await pasteBehind(tab, "end");
	await expect.poll(() => tab.page.locator(".row.mirror").count()).toBe(1);
	const shown = async () => (await tab.rows()).filter((row) => row.trim() !== "below");
	const expected = name === "origin" ? ["outer", "place", "origin", "end", "origin"] : ["place", "origin", ...rows];
	await expect.poll(shown).toEqual(expected);
	expect(await ids(tab)).toEqual(before);
	await tab.into("below");
	await tab.type("!");
	await tab.saved();
	expect(await ids(tab)).toEqual(
		Object.fromEntries(Object.entries(before).map(([key, id]) => [key === "below" ? "below!" : key, id])),
	);
	await tab.press("Control+z", "Control+z", "Control+z");
	await expect.poll(async () => (await shown())[0]).toBe("outer");
	expect(await records(tab)).toMatchObject({ origin: { parentId: before.outer } });
});

test("an origin and its mirror that are cut together move together", async () => {
	const tab = await app.openWith("start", "origin", "  below", "end");
	await tab.into("below");
	await tab.press("Enter", "Shift+Tab");
	await tab.type("((origin");
	await expect.poll(() => tab.choices()).toEqual(["› origin"]);
	await tab.press("Enter");
	await expect.poll(() => tab.caret()).toBe("origin|");
	const before = await ids(tab);
	await cut(tab, "origin", 1);
	await expect.poll(() => tab.rows()).toEqual(["start", "end"]);
	await pasteBehind(tab, "end");
	await expect.poll(() => tab.rows()).toEqual(["start", "end", "origin", "  below", "origin"]);
	expect(await tab.page.locator(".row.mirror").count()).toBe(1);
	expect(await ids(tab)).toEqual(before);
});

test("a forged file of cut nodes does no harm, and the nodes beside it are pasted", async () => {
	const tab = await app.openWith("a", "");
	const quoted = (text: string) => `"${text.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"`;
	const fields = { depth: 0, note: null, layoutMode: "bullets", completed: false, expanded: true, originId: null };
	const copied = quoted(JSON.stringify([{ ...fields, name: "copied" }]));
	const node = { id: "7d1f0c52-93ab-4e08-b6a4-52e1c9d07f3b", parentId: null, originId: null };
	for (const file of ["no file", "{}", "null", "", JSON.stringify(node)]) {
		await tab.paste("b", `<ul data-outlinekit=${copied} data-outlinekit-cut=${quoted(file)}><li>copied</li></ul>`);
		await expect.poll(() => tab.rows()).toEqual(["a", "copied"]);
		await tab.press("Control+z");
		await expect.poll(() => tab.rows()).toEqual(["a", ""]);
	}
	expect(await tab.message()).toBe(null);
});

describe("with a server", () => {
	const served = new App();
	const devices = new Devices(served);

	test("cut rows are the same nodes for another device, and keep what it writes meanwhile without a network", async () => {
		const tab = await devices.deviceWith("a", "b", "  b1", "c");
		const other = await devices.device();
		const before = await ids(other);
		await cut(tab, "b");
		await expect.poll(() => other.rows(), patience).toEqual(["a", "c"]);
		await pasteBehind(tab, "c");
		await expect.poll(() => tab.rows()).toEqual(["a", "c", "b", "  b1"]);
		await synced(tab);
		await expect.poll(async () => (await other.rows()).slice(0, 3), patience).toEqual(["a", "c", "b"]);
		expect(await ids(other)).toEqual(before);

		await offline(other, true);
		await other.into("b");
		await other.type("!");
		await other.saved();
		await cut(tab, "b");
		await pasteBehind(tab, "a");
		await expect.poll(() => tab.rows()).toEqual(["a", "b", "  b1", "c"]);
		await synced(tab);
		await offline(other, false);
		await expect.poll(() => tab.rows(), patience).toEqual(["a", "b!", "  b1", "c"]);
		await synced(other);
		expect((await other.rows()).filter((row) => row !== "  b1")).toEqual(["a", "b!", "c"]);
	});
});
