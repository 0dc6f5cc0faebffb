import type { OutlineEvent, OutlineNode } from "outlinekit";
import { expect, test } from "vitest";
import { codeOf, newOutline, plant, planted } from "../../support/outline.js";
import { fileOf } from "./files.js";

test("an export of deleted nodes puts them back: ids, notes, completion, properties, times and mirrors", async () => {
	const outline = newOutline();
	const ids = await plant(outline, "p #p\n  a #a\n    b #b\n    c #c\n  z\no #o");
	await outline.update(ids.a, { note: "two\nlines", properties: { due: "2026-11-30", n: [1, { x: true }] } });
	await outline.complete(ids.b);
	const mirror = await outline.mirror(ids.o, { parent: ids.a, position: "top" });
	const before = await fileOf(outline, "json");
	const deleted: OutlineNode[] = [];
	const stop = outline.subscribe(({ changes }) => {
		for (const change of changes) {
			if (change.before !== undefined && change.after === undefined) deleted.push(change.before);
		}
	});
	await outline.delete(ids.a);
	stop();
	expect(deleted).toHaveLength(4);

	const file = await fileOf(outline, "json", { nodes: deleted });
	expect(file.match(/"properties"/g)).toHaveLength(1);
	const report = await outline.import(file, { format: "json", parent: ids.p, position: "top" });
	expect(report).toEqual({ nodes: 4, rootIds: [ids.a], lost: { priority: 1 } });
	expect((await outline.get(mirror.id)).mirror).toEqual({ originId: ids.o });
	const withoutPlace = (text: string) =>
		text
			.split("\n")
			.map((line) => (line.includes(`"id":"${ids.a}"`) ? line.replace(/"priority":-?\d+/, "") : line))
			.sort();
	expect(withoutPlace(await fileOf(outline, "json"))).toEqual(withoutPlace(before));
});

test("an event has the nodes of dropped keys, so that an export puts back days, the inbox and shortcuts", async () => {
	const outline = newOutline();
	const a = await outline.create({ parent: "2026-11-24", name: "a" });
	const inbox = (await outline.create({ parent: "inbox", name: "b" })).parentId!;
	await outline.setShortcut("a", a.id);
	await outline.setShortcut("moved", a.id);
	await outline.setShortcut("moved", inbox);
	const dayId = a.parentId!;
	const { parentId: month } = await outline.get(dayId);
	for (const [root, parent] of [
		[dayId, month],
		[inbox, null],
	] as const) {
		const before = await fileOf(outline, "json");
		const events: OutlineEvent[] = [];
		const stop = outline.subscribe((event) => events.push(event));
		await outline.delete(root);
		stop();
		const [{ changes, keys }] = events as [OutlineEvent];
		const file = await fileOf(outline, "json", {
			nodes: changes.flatMap((change) => (change.before && !change.after ? change.before : [])),
			keys: keys.map(({ key, previousId }) => ({ key, nodeId: previousId! })),
		});
		await outline.import(file, { format: "json", parent });
		const withoutTimes = (text: string) => text.replaceAll(/"(?:priority|modifiedAt)":-?\d+,/g, "");
		expect(withoutTimes(await fileOf(outline, "json"))).toBe(withoutTimes(before));
	}
	expect((await outline.get("2026-11-24")).id).toBe(dayId);
	expect((await outline.get("a")).id).toBe(a.id);
});

test("an export of nodes of several parents can be imported, also if their priorities are equal", async () => {
	const outline = newOutline();
	const ids = await plant(outline, "a #a\n  x\n    z\nb #b\n  y");
	const lists = await Promise.all([outline.list(ids.a), outline.list(ids.b)]);
	const nodes = lists.flatMap((list) => list.nodes);
	expect(nodes[0]!.priority).toBe(nodes[1]!.priority);
	const copy = newOutline();
	await copy.import(await fileOf(outline, "json", { nodes, keys: [{ key: "b", nodeId: ids.b }] }), { format: "json" });
	expect(await fileOf(copy, "text")).toBe("x\ny\n");
	expect(await codeOf(copy.get("b"))).toBe("not_found");
});

test("an export of nodes is in their order, in any format, with outermost nodes of several parents", async () => {
	const outline = newOutline();
	const ids = await plant(outline, "a\n  b #b\n    c\nd #d\n  e");
	const { nodes: belowB } = await outline.list(ids.b);
	const { nodes: belowD } = await outline.list(ids.d);
	const nodes = [...belowB, ...belowD, await outline.get(ids.b)];
	expect((await fileOf(outline, "text", { nodes })).split("\n").sort()).toEqual(["", "\tc", "b", "e"]);
	expect((await fileOf(outline, "text", { nodes: nodes.toReversed() })).split("\n").sort()).toEqual([
		"",
		"\tc",
		"b",
		"e",
	]);
	expect(await fileOf(outline, "text", { nodes: [] })).toBe("");
});

test("an export refuses nodes that aren't a list, that have one id twice, and a root beside them", async () => {
	const { outline, a } = await planted("a #a");
	const node = await outline.get(a);
	const exported = (options: object) => codeOf(fileOf(outline, "json", options));
	expect(await exported({ nodes: node })).toBe("invalid_argument");
	expect(await exported({ nodes: [node, node] })).toBe("invalid_argument");
	expect(await exported({ nodes: [node], root: a })).toBe("invalid_argument");
	expect(await exported({ nodes: [node], keys: "home" })).toBe("invalid_argument");
	expect(await exported({ keys: [] })).toBe("invalid_argument");
	expect(await exported({ nodes: [node], keys: [] })).toBeUndefined();
});

test("an export refuses nodes and keys that aren't as the outline returns them, in every format", async () => {
	const { outline, a } = await planted("a #a");
	const node = await outline.get(a);
	const wrong: object[] = [
		{ nodes: [undefined] },
		{ nodes: [null] },
		{ nodes: [{ ...node, id: null }] },
		{ nodes: [{ ...node, parentId: 3 }] },
		{ nodes: [{ ...node, name: ["a"] }] },
		{ nodes: [{ ...node, note: 3 }] },
		{ nodes: [{ ...node, priority: Number.NaN }] },
		{ nodes: [{ ...node, layoutMode: "h4" }] },
		{ nodes: [{ ...node, properties: null }] },
		{ nodes: [{ ...node, createdAt: 1n }] },
		{ nodes: [{ ...node, completedAt: undefined }] },
	];
	for (const format of ["json", "opml", "markdown", "text"] as const) {
		for (const options of wrong) expect(await codeOf(fileOf(outline, format, options))).toBe("invalid_argument");
	}
	const dropped = { key: "home", nodeId: null };
	expect(await codeOf(fileOf(outline, "json", { nodes: [node], keys: [dropped] } as object))).toBeUndefined();
	for (const key of [null, { key: "home" }, { key: 1, nodeId: a }]) {
		expect(await codeOf(fileOf(outline, "json", { nodes: [node], keys: [key] } as object))).toBe("invalid_argument");
	}
});

test("an export refuses nodes whose parents form a circle, because no file would have them", async () => {
	const { outline, a, b } = await planted("a #a\nb #b");
	const [one, other] = [await outline.get(a), await outline.get(b)];
	const nodes = [
		{ ...one, parentId: b },
		{ ...other, parentId: a },
	];
	expect(await codeOf(fileOf(outline, "json", { nodes }))).toBe("invalid_argument");
	expect(await codeOf(fileOf(outline, "text", { nodes: [{ ...one, parentId: a }] }))).toBe("invalid_argument");
});
