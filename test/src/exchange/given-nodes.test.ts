import type { OutlineNode } from "outlinekit";
import { expect, test } from "vitest";
import { codeOf, newOutline, plant } from "../../support/outline.js";
import { fileOf } from "./files.js";

test("an export of deleted nodes puts them back: ids, notes, completion, properties, times and mirrors", async () => {
	const outline = newOutline();
	const ids = await plant<"p" | "a" | "b" | "c" | "o">(outline, "p #p\n  a #a\n    b #b\n    c #c\n  z\no #o");
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

test("an export of nodes is in their order, in any format, with outermost nodes of several parents", async () => {
	const outline = newOutline();
	const ids = await plant<"b" | "d">(outline, "a\n  b #b\n    c\nd #d\n  e");
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
	const outline = newOutline();
	const { a } = await plant<"a">(outline, "a #a");
	const node = await outline.get(a);
	const exported = (options: object) => codeOf(fileOf(outline, "json", options));
	expect(await exported({ nodes: node })).toBe("invalid_argument");
	expect(await exported({ nodes: [node, node] })).toBe("invalid_argument");
	expect(await exported({ nodes: [node], root: a })).toBe("invalid_argument");
	expect(await exported({ nodes: [node] })).toBeUndefined();
});
