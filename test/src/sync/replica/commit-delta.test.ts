import { describe, expect, test } from "vitest";
import type { StorageAdapter } from "../../../../src/storage.js";
import type { Delta } from "../../../../src/sync/delta.js";
import { type Line, lineOf } from "../../../../src/sync/replica/read-line.js";
import { idOf } from "../../../conformance/records.js";
import { addingAll } from "../../../support/batches.js";
import { fours, places } from "../../../support/dense.js";
import { newOutline, noon, plant } from "../../../support/outline.js";
import { storages } from "../../../support/storages.js";
import { newDevice } from "./direct-remote.js";

const remote = { push: () => Promise.reject(new Error("offline")), image: () => Promise.reject(new Error("offline")) };

/** The entries in the journal of a storage. */
async function journal(local: StorageAdapter): Promise<(Delta & Line)[]> {
	const { results } = await local.read([{ type: "documents", prefix: "replica/entry/" }]);
	return results[0].map(lineOf) as (Delta & Line)[];
}

async function lastEntry(local: StorageAdapter): Promise<Delta> {
	return (await journal(local)).at(-1)!;
}

describe.each(storages)("the delta of a commit, %s", (_, create) => {
	const device = () => newDevice(remote as never, { local: create() });

	test("has a new node whole, with its neighbours and its ancestors", async () => {
		const { outline, local } = device();
		const { a, b, c, d } = await plant<"a" | "b" | "c" | "d">(outline, "a #a\n  b #b\n    c #c\n    d #d");
		const node = await outline.create({ parent: b, name: "new", position: { after: c } });
		const { nodes, known, at } = await lastEntry(local);
		expect(at).toBe(noon / 1000);
		expect(nodes).toMatchObject([
			{ id: node.id, before: null, after: { name: "new", parentId: b }, above: c, below: d },
		]);
		expect(known).toEqual({ [b]: { parentId: a }, [a]: { parentId: null } });
	});

	test("of an undo has the nodes that made room, without neighbours", async () => {
		const local = create();
		await local.commit(addingAll(fours));
		const { outline } = newDevice(remote as never, { local });
		const before = await places(outline);
		const { id } = await outline.create({ name: "x", position: { after: idOf(1) } });
		const moved = Object.entries(await places(outline)).filter(
			([each, [, at]]) => each !== id && before[each]![1] !== at,
		);
		await outline.undo();
		expect(await places(outline)).toEqual(before);
		const { nodes } = await lastEntry(local);
		expect(
			nodes
				.filter(({ aside }) => aside)
				.map((node) => node.id)
				.sort(),
		).toEqual(moved.map(([each]) => each).sort());
		expect(nodes.filter(({ above, below }) => above !== undefined || below !== undefined)).toEqual([]);
		expect(nodes).toContainEqual(expect.objectContaining({ id, after: null }));
	});

	test("has the neighbours of a node at an end: at the top level, below a node with and without children, below a mirror", async () => {
		const { outline, local } = device();
		const { a, o, m } = await plant<"a" | "o" | "m">(outline, "a #a\no #o\n  p #p\nm #m\n  q #q");
		const { id: mirror } = await outline.mirror(o, { parent: m });
		for (const parent of [null, a, o, mirror, m]) {
			for (const position of ["top", "bottom", "bottom", "top"] as const) {
				const { id } = await outline.create({ parent, name: position, position });
				const { above, below, after } = (await lastEntry(local)).nodes[0]!;
				const of = after!.parentId === null ? null : { id: after!.parentId! };
				const { results } = await local.read([{ type: "children", of, scope: "own" }]);
				const siblings = results[0].map(({ record }) => record.id);
				const at = siblings.indexOf(id);
				expect([above, below]).toEqual([siblings[at - 1] ?? null, siblings[at + 1] ?? null]);
			}
		}
	});

	test("has the neighbours of a node that moves to an end, within a parent and to another", async () => {
		const { outline, local } = device();
		const { a, b, c, d, e, f } = await plant<"a" | "b" | "c" | "d" | "e" | "f">(
			outline,
			"a #a\n  b #b\n  c #c\n  d #d\ne #e\n  f #f",
		);
		const moved = async (id: string, parent: string, position: "top" | "bottom") => {
			await outline.move(id, { parent, position });
			const { above, below } = (await lastEntry(local)).nodes[0]!;
			return [above, below];
		};
		expect(await moved(b, a, "bottom")).toEqual([d, null]);
		expect(await moved(d, a, "top")).toEqual([null, c]);
		expect(await moved(d, e, "top")).toEqual([null, f]);
		expect(await moved(c, d, "bottom")).toEqual([null, null]);
	});

	test("has the neighbours of a copy that stays below a mirror", async () => {
		const { outline, local } = device();
		const { o, m, x } = await plant<"o" | "m" | "x">(outline, "o #o\n  p\nm #m\nx #x");
		const { id: mirror } = await outline.mirror(o, { parent: m });
		await outline.move(x, { parent: mirror, position: "top" });
		await outline.duplicate(x, { position: "bottom" });
		const { above, below, after } = (await lastEntry(local)).nodes[0]!;
		expect([above, below, after!.parentId]).toEqual([x, null, mirror]);
	});

	test("names no neighbour that the same batch has made and deleted", async () => {
		const { outline, local } = device();
		const { a, b } = await plant<"a" | "b">(outline, "a #a\n  b #b");
		await outline.batch([
			{ type: "create", as: "gone", parent: a, name: "gone", position: "bottom" },
			{ type: "create", parent: a, name: "new", position: "bottom" },
			{ type: "delete", ref: { as: "gone" } },
		]);
		expect((await lastEntry(local)).nodes).toMatchObject([{ above: b, below: null, after: { name: "new" } }]);
	});

	test("names no neighbour of another place in the same batch", async () => {
		const { outline, local } = device();
		const { a, b, c } = await plant<"a" | "b" | "c">(outline, "a #a\n  b #b\n  c #c\nd #d");
		await outline.batch([
			{ type: "move", ref: a, parent: null, position: "bottom" },
			{ type: "move", ref: b, parent: a, position: { after: c } },
		]);
		expect((await lastEntry(local)).nodes).toHaveLength(2);
		await outline.batch([
			{ type: "move", ref: b, parent: null, position: "bottom" },
			{ type: "move", ref: b, parent: a, position: { before: c } },
		]);
		expect((await lastEntry(local)).nodes).toMatchObject([{ above: null, below: c }]);
	});

	test("has the neighbours of a node that goes to the origin of a mirror with a child of its own", async () => {
		const { outline, local } = device();
		const { a, o, p } = await plant<"a" | "o" | "p">(outline, "a #a\no #o\n  p #p");
		const { id: mirror } = await outline.mirror(o, { parent: a });
		const { revision, results } = await local.read([{ type: "node", at: { id: p } }]);
		const own = {
			...results[0]!.record,
			id: "0wn00000-0000-4000-8000-000000000000",
			parentId: mirror,
			priority: 5_000_000,
		};
		await local.commit({
			base: revision,
			nodes: [{ before: null, after: { ...own, revision: revision + 1 } }],
			keys: [],
		});
		await outline.create({ parent: o, name: "first", position: "bottom" });
		const { id: first } = await outline.get((await lastEntry(local)).nodes[0]!.id);
		await outline.create({ parent: mirror, name: "second", position: "bottom" });
		expect((await lastEntry(local)).nodes[0]).toMatchObject({ above: first, below: null, after: { parentId: o } });
	});

	test("has the neighbours of a node beside a sibling, after a refused mirror at the end", async () => {
		const { outline, local } = device();
		const { a, b, c, d } = await plant<"a" | "b" | "c" | "d">(outline, "a #a\n  b #b\n  c #c\n  d #d");
		await expect(outline.mirror(a, { parent: a, position: "bottom" })).rejects.toThrow();
		await outline.create({ parent: a, name: "new", position: { after: b } });
		expect((await lastEntry(local)).nodes[0]).toMatchObject({ above: b, below: c });
		await expect(outline.mirror(a, { parent: a, position: "top" })).rejects.toThrow();
		await outline.create({ parent: a, name: "new", position: { after: c } });
		expect((await lastEntry(local)).nodes[0]).toMatchObject({ above: c, below: d });
	});

	test("has only the fields that differ, and what the node needs to return", async () => {
		const { outline, local } = device();
		const { a, b } = await plant<"a" | "b">(outline, "a #a\n  b #b");
		await outline.update(b, { name: "B", note: "n" });
		const [change] = (await lastEntry(local)).nodes;
		expect(change).toEqual({
			id: b,
			before: { name: "b", note: null },
			after: { name: "B", note: "n" },
			rest: { parentId: a, priority: 0, createdAt: noon / 1000 },
		});
		await outline.complete(b);
		expect((await lastEntry(local)).nodes[0]).toEqual({
			id: b,
			before: { completedAt: null },
			after: { completedAt: noon / 1000 },
		});
	});

	test("has a deleted node whole", async () => {
		const { outline, local } = device();
		const { a, b } = await plant<"a" | "b">(outline, "a #a\n  b #b");
		await outline.delete(a);
		const { nodes } = await lastEntry(local);
		expect(nodes.map(({ id }) => id).sort()).toEqual([a, b].sort());
		expect(nodes.find(({ id }) => id === b)).toMatchObject({ before: { name: "b", parentId: a }, after: null });
	});

	test("names the neighbours of a node among others that the commit moves", async () => {
		const { outline, local } = device();
		const { a, b, c } = await plant<"a" | "b" | "c">(outline, "a #a\nb #b\nc #c");
		const { ids } = await outline.batch([
			{ type: "create", as: "x", name: "x", position: "bottom" },
			{ type: "create", as: "y", name: "y", position: "bottom" },
			{ type: "move", ref: b, position: "top" },
			{ type: "delete", ref: c },
		]);
		const { nodes } = await lastEntry(local);
		const anchors = Object.fromEntries(nodes.map(({ id, above, below }) => [id, [above, below]]));
		expect(anchors[b]).toEqual([null, a]);
		expect(anchors[ids.x]).toEqual([a, ids.y]);
		expect(anchors[ids.y]).toEqual([ids.x, null]);
	});

	test("names the neighbours of many nodes", async () => {
		const { outline, local } = device();
		const { a, b } = await plant<"a" | "b">(outline, "a #a\nb #b");
		const operations = Array.from({ length: 100 }, () => ({ type: "create", name: "x", position: "bottom" }) as const);
		await outline.batch([...operations, { type: "move", ref: a, position: "bottom" }]);
		const { nodes } = await lastEntry(local);
		const first = nodes.find(({ above }) => above === b)!;
		const chain = [b, first.id];
		for (;;) {
			const { below } = nodes.find(({ id }) => id === chain.at(-1))!;
			if (below == null) break;
			chain.push(below);
		}
		expect(chain).toHaveLength(102);
		expect(chain.at(-1)).toBe(a);
	});

	test("names the key of a day, and the neighbours of a node that is created with it", async () => {
		const { outline, local } = device();
		const node = await outline.create({ parent: "2026-11-21", name: "x" });
		const { nodes, keys } = await lastEntry(local);
		expect(keys!.map(({ key }) => key).sort()).toEqual(["2026", "2026-11", "2026-11-21", "calendar"]);
		expect(nodes.find(({ id }) => id === node.id)).toMatchObject({ above: null, below: null });
		const other = await outline.create({ parent: "2026-11-21", name: "y", position: "bottom" });
		const later = await lastEntry(local);
		expect(later.nodes[0]).toMatchObject({ id: other.id, above: node.id, below: null });
		expect(Object.values(later.known!).map(({ key }) => key)).toEqual(["2026-11-21", "2026-11", "2026", "calendar"]);
	});

	test("has no neighbours below a node that the commit creates", async () => {
		const { outline, local } = device();
		await outline.createTree({ name: "a", children: [{ name: "b" }] });
		const { nodes } = await lastEntry(local);
		expect(nodes.map((node) => "above" in node).sort()).toEqual([false, true]);
	});

	test("says which nodes only made room", async () => {
		const { outline, local } = device();
		const { a } = await plant<"a">(outline, "a #a\nb");
		let made = await lastEntry(local);
		while (made.nodes.length === 1) {
			await outline.create({ name: "x", position: { after: a } });
			made = await lastEntry(local);
		}
		const aside = made.nodes.filter((node) => node.aside);
		expect(aside).toHaveLength(made.nodes.length - 1);
		for (const { rest, above } of aside) expect([rest, above]).toEqual([undefined, undefined]);
	});

	test("is no entry if only documents change", async () => {
		const { outline, local } = device();
		await outline.create({ name: "a" });
		await outline.prune({ before: 1 });
		const { revision } = await local.read([]);
		await local.commit({
			base: revision,
			nodes: [],
			keys: [],
			documents: { put: [{ key: "x", value: "y" }], dropped: [] },
		});
		expect(await journal(local)).toHaveLength(1);
	});

	test("is several lines if it is large", async () => {
		const { outline, local } = device();
		const name = "x".repeat(1000);
		await outline.createTree({ name, children: Array.from({ length: 1000 }, () => ({ name })) });
		const lines = await journal(local);
		expect(lines.length).toBeGreaterThan(3);
		expect(lines.map(({ more }) => more)).toEqual([...lines.slice(1).map(() => true), undefined]);
		expect(lines.flatMap(({ nodes }) => nodes)).toHaveLength(1001);
		for (const line of lines) expect(JSON.stringify(line).length).toBeLessThan(300_000);
	});
});

test("many writes at once keep their order, on a storage that must be awaited", async () => {
	const [, create] = storages[1]!;
	const { outline } = newDevice(remote as never, { local: create() });
	const names = Array.from({ length: 30 }, (_, at) => `${at}`);
	await Promise.all(names.map((name) => outline.create({ name, position: "bottom" })));
	expect((await outline.list()).nodes.map(({ name }) => name)).toEqual(names);
	expect((await newOutline().list()).nodes).toEqual([]);
});

test("a node at an end needs no query for its siblings, on a storage that must be awaited", async () => {
	const [, create] = storages[1]!;
	const local = create();
	const { outline } = newDevice(remote as never, { local });
	const { a } = await plant<"a">(outline, "a #a\n  b #b");
	const asked: string[][] = [];
	const { read } = local;
	local.read = (queries) => {
		asked.push(queries.map(({ type }) => type));
		return read.call(local, queries) as never;
	};
	await outline.create({ name: "at the top level", position: "bottom" });
	expect(asked.splice(0)).toHaveLength(1);
	await outline.create({ parent: a, name: "below a", position: "bottom" });
	expect(asked.splice(0)).toEqual([expect.arrayContaining(["children"]), ["ancestors"]]);
});
