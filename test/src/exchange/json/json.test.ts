import { Outline, OutlineError } from "outlinekit";
import { createMemoryStorage } from "outlinekit/memory";
import { describe, expect, test } from "vitest";
import { countedIds, numberedId } from "../../../support/ids.js";
import { bound } from "../../../support/notices.js";
import { exported, newOutline, noon, picture, plant, planted } from "../../../support/outline.js";
import { fileOf } from "../files.js";

const a = numberedId(10);
const b = numberedId(11);
const c = numberedId(12);
const header = (nodes: number, keys = 0, others: object = {}) => ({
	format: "outlinekit",
	version: 1,
	nodes,
	keys,
	...others,
});
const node = (id: string, change: object = {}) => ({
	...{ id, parentId: null, priority: Number.parseInt(id.slice(-1), 16), name: "n", note: null, layoutMode: "bullets" },
	...{ createdAt: 1, modifiedAt: 2, completedAt: null, originId: null },
	...change,
});
const key = (name: string, group: string, nodeId: string) => ({ key: name, group, nodeId });
const file = (...lines: (object | string)[]) =>
	lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");

const scene = `
work #work
  boat #boat
    sail
  plans
    (mirror boat) #mirror`;

test("a day keeps its key in JSON if it was moved away before its month and its year were deleted", async () => {
	const outline = newOutline();
	const { id } = await outline.ensure("2026-12-01");
	await outline.move(id, { parent: null });
	await outline.delete("2026");
	const restored = newOutline();
	const { lost } = await restored.import(await fileOf(outline, "json"), { format: "json" });
	expect(lost).toEqual({});
	expect((await restored.get("2026-12-01")).id).toBe(id);
});

test("a key that is dropped and pruned while an export reads the nodes isn't in the file", async () => {
	const storage = createMemoryStorage();
	const writer = newOutline({ storage });
	const { id } = await writer.create({ name: "a" });
	await writer.setShortcut("first", id);
	await writer.setShortcut("second", id);
	let scans = 0;
	const outline = newOutline({
		storage: {
			...bound(storage),
			async *scan() {
				if (++scans === 1) {
					await writer.deleteShortcut("first");
					await writer.create({ name: "b" });
					await writer.prune({ before: (await storage.read([])).revision });
				}
				yield* storage.scan();
			},
		},
	});
	const keys = (await fileOf(outline, "json")).split("\n").flatMap((line) => /"key":"(\w+)"/.exec(line)?.[1] ?? []);
	expect(keys).toEqual(["second"]);
	expect(scans).toBe(2);
});

describe("importing JSON into an outline that isn't empty", () => {
	test("replaces taken ids, keeps taken keys in the outline, and links mirrors to origins in the file", async () => {
		const { outline, boat, work } = await planted(scene);
		await outline.setShortcut("home", boat);
		await outline.create({ parent: "inbox", name: "post" });
		const text = await fileOf(outline, "json");
		const report = await outline.import(text, { format: "json", parent: work });
		expect(report.nodes).toBe(7);
		expect(report.lost).toEqual({ id: 7, key: 2, priority: 2 });
		const copy = (await outline.list(report.rootIds[0])).nodes;
		const plans = copy.find(({ name }) => name === "plans")!;
		const [mirror] = (await outline.list(plans.id)).nodes;
		expect(mirror!.mirror).toEqual({ originId: copy.find(({ name }) => name === "boat")!.id });
		expect((await outline.get("home")).id).toBe(boat);
		expect((await outline.list(work)).nodes.map(({ name }) => name)).toEqual(["boat", "plans", "work", "Inbox"]);
		expect((await outline.verify()).problems).toEqual([]);
	});

	test("imports a subtree with its keys, and links its mirrors to origins in the outline", async () => {
		const { outline, boat, mirror, work } = await planted(scene);
		const { parentId } = await outline.get(mirror);
		await outline.setShortcut("there", mirror);
		await outline.update(boat, { name: "new boat", note: "of wood", properties: { due: "2026-12-01" } });
		const part = await fileOf(outline, "json", { root: parentId });
		const { revision } = await outline.changes({ since: 0 });
		expect(part.split("\n").map((line) => line.slice(0, 6))).toEqual(['{"form', '{"id":', '{"id":', '{"key"', ""]);

		const { rootIds, lost } = await outline.import(part, { format: "json", parent: work, position: "top" });
		expect(lost).toEqual({ id: 2, key: 1, priority: 1 });
		const [again] = (await outline.list(rootIds[0])).nodes;
		expect(again!.mirror).toEqual({ originId: boat });
		expect((await outline.get(boat)).mirror).toEqual({ mirrorIds: [mirror, again!.id].sort() });
		const changes = await outline.changes({ since: revision });
		expect(changes.nodes.find(({ id }) => id === boat)!.mirror).toEqual((await outline.get(boat)).mirror);

		// In another outline, the origin is missing. The node keeps the content that the mirror showed.
		const other = newOutline();
		expect((await other.import(part, { format: "json" })).lost).toEqual({ mirror: 1 });
		expect(await picture(other)).toBe("plans\n  new boat");
		const there = await other.get("there");
		expect(there).toMatchObject({ note: "of wood", properties: { due: "2026-12-01" } });
		expect(there.mirror).toBeUndefined();

		// A mirror can't be a child of its own origin.
		const alone = await fileOf(outline, "json", { root: mirror });
		const under = await outline.import(alone, { format: "json", parent: boat });
		expect(under.lost).toEqual({ id: 1, key: 1, mirror: 1, priority: 1 });
		expect((await outline.verify()).problems).toEqual([]);
	});

	test("skips ids of the host that are also in the file, and asks for none for a parent created on demand", async () => {
		const counted = () => newOutline({ generateId: countedIds() });
		const outline = counted();
		await plant(outline, "a\n  b\n  c\nd");
		const text = await fileOf(outline, "json");
		const other = counted();
		expect((await other.import(text, { format: "json", parent: "inbox" })).lost).toEqual({});
		expect((await other.import(text, { format: "json" })).lost).toEqual({ id: 4, priority: 2 });
		expect(await picture(other)).toBe("Inbox\n  a\n    b\n    c\n  d\na\n  b\n  c\nd");
		expect((await other.verify()).problems).toEqual([]);
	});
});

describe("importing JSON", () => {
	test("accepts extreme priorities, and nodes can still be created beyond them", async () => {
		const outline = newOutline();
		const edges = [node(a, { priority: -(2 ** 51) }), node(b, { priority: 2 ** 51 })];
		await outline.import(file(header(2), ...edges), { format: "json" });
		await outline.create({ name: "first" });
		await outline.create({ name: "last", position: "bottom" });
		await outline.create({ name: "beside", position: { after: a } });
		expect((await outline.list()).nodes.map(({ id, name }) => (id === a ? "a" : id === b ? "b" : name))).toEqual([
			...["first", "a", "beside", "b", "last"],
		]);
		expect((await outline.verify()).problems).toEqual([]);
	});

	test("accepts any order, blank lines, upper-case ids and unknown fields", async () => {
		const outline = newOutline();
		const lines = [
			header(2, 1, { more: 1 }),
			"",
			key("2026", "calendar", a),
			{ ...node(b, { parentId: a }), extra: 1 },
			node(a.toUpperCase()),
		];
		const { lost, rootIds } = await outline.import(`${file(...lines)}\r\n`, { format: "json" });
		expect(lost).toEqual({ "field extra": 1 });
		expect(rootIds).toEqual([a]);
		expect(await exported(outline)).toHaveLength(2);
		expect((await outline.get("2026")).id).toBe(a);
	});

	test("keeps the keys of the calendar, down to its days", async () => {
		const outline = newOutline();
		for (const parent of ["2026-11-21", "2026-12", "2025", "inbox"]) await outline.create({ parent, name: "x" });
		const copy = newOutline();
		await copy.import(await fileOf(outline, "json"), { format: "json" });
		for (const word of ["inbox", "calendar", "2025", "2026", "2026-11", "2026-11-21", "2026-12"]) {
			expect(await copy.get(word)).toEqual(await outline.get(word));
		}
	});

	test("changes a negative zero into zero", async () => {
		const outline = newOutline();
		await outline.import(file(header(1), node(a)).replace(/"priority":\d+/, '"priority":-0'), { format: "json" });
		expect((await outline.get(a)).priority).toBe(0);
	});

	test("cleans names as an update does, and keeps canonical names unchanged", async () => {
		const outline = newOutline();
		const names = [
			"<b>x</b>",
			'<a href="https://a.example">y</a>',
			"<img onerror=z>",
			'<a href="tel:1">t</a>',
			"a\u0000\r\nb",
		];
		const ids = [a, b, c, a.replace("0a", "0d"), a.replace("0a", "0e")];
		const { lost } = await outline.import(file(header(5), ...names.map((name, at) => node(ids[at]!, { name }))), {
			format: "json",
		});
		expect(lost).toEqual({ name: 3 });
		expect((await outline.list()).nodes.map(({ name }) => name)).toEqual([
			...names.slice(0, 2),
			"&lt;img onerror=z&gt;",
			'&lt;a href="tel:1"&gt;t&lt;/a&gt;',
			"a\nb",
		]);
	});
});

test.each<[string, number, string]>([
	["an empty file", 1, ""],
	["no JSON", 2, file(header(1), "{")],
	["a list", 2, file(header(1), "[]")],
	["a text", 1, '"outlinekit"'],
	["deeply nested lists", 2, file(header(1), "[".repeat(100_000))],
	["no header", 1, file(node(a))],
	["another format", 1, file(header(0, 0, { format: "other" }))],
	["a newer version", 1, file(header(0, 0, { version: 2 }))],
	["a version that is no number", 1, file(header(0, 0, { version: "1" }))],
	["a header without its counts", 1, file(header(0, 0, { nodes: null }))],
	["a truncated file", 2, file(header(2), node(a))],
	["missing keys", 2, file(header(1, 1), node(a))],
	["no id", 2, file(header(1), node("a"))],
	["an id that is no text", 2, file(header(1), node(a, { id: 1 }))],
	["an id twice", 3, file(header(2), node(a), node(a))],
	["a short id twice", 3, file(header(2), node(a), node(a.replace("0000", "1111"), { priority: 2 }))],
	["a priority that is no integer", 2, file(header(1), node(a, { priority: 0.5 }))],
	["an extreme priority", 2, file(header(1), node(a, { priority: 2 ** 51 + 1 }))],
	["an extreme negative priority", 2, file(header(1), node(a, { priority: -(2 ** 51) - 1 }))],
	["the same priority", 3, file(header(2), node(a), node(b, { priority: 10 }))],
	["an unknown layout mode", 2, file(header(1), node(a, { layoutMode: "toString" }))],
	["a name that is no text", 2, file(header(1), node(a, { name: null }))],
	["a name that is too long", 2, file(header(1), node(a, { name: "x".repeat(101) }))],
	["a note that is too long", 2, file(header(1), node(a, { note: "x".repeat(101) }))],
	["a note that is missing", 2, file(header(1), node(a, { note: undefined }))],
	["a time before the calendar", 2, file(header(1), node(a, { createdAt: -1e12 }))],
	["a time that is no number", 2, file(header(1), node(a, { modifiedAt: "1" }))],
	["a completion that is missing", 2, file(header(1), node(a, { completedAt: undefined }))],
	["a parent that isn't there", 3, file(header(2), node(a), node(b, { parentId: c }))],
	["a node below itself", 2, file(header(1), node(a, { parentId: a }))],
	["a circle", 3, file(header(3), node(a), node(b, { parentId: c }), node(c, { parentId: b }))],
	["a mirror of a mirror", 4, file(header(3), node(a), node(b, { originId: a }), node(c, { originId: b }))],
	["a mirror of itself", 2, file(header(1), node(a, { originId: a }))],
	["a mirror under its origin", 3, file(header(2), node(a), node(b, { parentId: a, originId: a }))],
	["an origin under its mirror", 2, file(header(2), node(a, { parentId: b }), node(b, { originId: a }))],
	[
		"a mirror under another mirror of its origin",
		4,
		file(header(3), node(a), node(b, { originId: a }), node(c, { originId: a, parentId: b })),
	],
	["a key twice", 4, file(header(1, 2), node(a), key("x", "shortcut", a), key("x", "shortcut", a))],
	["a key of a missing node", 3, file(header(1, 1), node(a), key("x", "shortcut", b))],
	["a key of another group", 3, file(header(1, 1), node(a), key("x", "system", a))],
	["a reserved key", 3, file(header(1, 1), node(a), key("today", "shortcut", a))],
	["a key like an id", 3, file(header(1, 1), node(a), key(b, "shortcut", a))],
	["a day that doesn't exist", 3, file(header(1, 1), node(a), key("2026-02-30", "2026-02", a))],
	["a year that doesn't exist", 3, file(header(1, 1), node(a), key("0000", "calendar", a))],
	["a key that the outline would change", 3, file(header(1, 1), node(a), key("a\u0000", "shortcut", a))],
	["a key that is no text", 3, file(header(1, 1), node(a), { key: 1, group: "shortcut", nodeId: a })],
])("importing malformed JSON is refused with the line, and nothing is imported: %s", async (_, line, text) => {
	const outline = new Outline({ storage: createMemoryStorage(), now: () => noon, limits: { name: 100, note: 100 } });
	const error = await outline.import(text, { format: "json" }).catch((thrown) => thrown);
	expect(error).toBeInstanceOf(OutlineError);
	expect(["invalid_argument", "reserved_key"]).toContain(error.code);
	expect(error.message).toMatch(new RegExp(`^Line ${line}: .*Nothing was imported\\.$`, "s"));
	expect(await exported(outline)).toEqual([]);
	expect((await outline.changes({ since: 0 })).revision).toBe(0);
});

test("a time in milliseconds is refused with the unit that it should have", async () => {
	const importing = newOutline().import(file(header(1), node(a, { createdAt: noon })), { format: "json" });
	await expect(importing).rejects.toThrow(
		`createdAt is ${noon}. It must be an integer from -62135596800 to 253402300799, in Unix seconds.`,
	);
});

test("a line that would take too long to parse is refused by its length, and the host's limit of properties is room", async () => {
	const properties = { a: Object.fromEntries(Array.from({ length: 100_000 }, (_, number) => [`key ${number}`, 1])) };
	const text = file(header(1), node(a, { properties }));
	await expect(newOutline().import(text, { format: "json" })).rejects.toThrow("1064960 are allowed");
	const large = newOutline({ limits: { properties: 2_000_000 } });
	await large.import(text, { format: "json" });
	expect((await large.get(a)).properties).toEqual(properties);
	// Long texts are parsed in slices.
	const note = "x".repeat(1_000_000);
	const others = { note, properties: { a: "x".repeat(15_000) } };
	const plain = newOutline();
	await plain.import(file(header(1), node(b, { name: note, ...others })), { format: "json" });
	expect(await plain.get(b)).toMatchObject(others);
});
