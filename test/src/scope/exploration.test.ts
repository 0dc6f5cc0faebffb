import fc from "fast-check";
import { expect, test } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import { type Operation, read } from "../../../src/engine/protocol.js";
import { Exploration, Reach } from "../../../src/scope/exploration.js";
import type { Query, Snapshot, StorageAdapter } from "../../../src/storage.js";
import { idOf } from "../../conformance/records.js";
import { recordAt } from "../../support/batches.js";
import { storageWith } from "./state.js";

/** Runs an operation with a limit of reads. `parents` has the parent of each node by number, 0 for none. */
async function run(
	parents: readonly number[],
	origins: ReadonlyMap<number, number>,
	limit: number,
	begin: () => Operation<void>,
): Promise<void> {
	const records = parents.map((parent, place) => {
		const originId = origins.has(place + 1) ? idOf(origins.get(place + 1)!) : null;
		return recordAt(place + 1, 1, { parentId: parent === 0 ? null : idOf(parent), originId });
	});
	const inner = await storageWith({ nodes: new Map(records.map((each) => [each.id, each])), keys: new Map() });
	let reads = 0;
	const storage: StorageAdapter = {
		...createMemoryStorage(),
		read<const Q extends readonly Query[]>(queries: Q): Promise<Snapshot<Q>> {
			reads += 1;
			if (reads > limit) throw new Error(`more than ${limit} reads`);
			return inner.read(queries);
		},
	};
	const { settled } = await read(storage, begin);
	if ("error" in settled) throw settled.error;
}

test("a missing node is neither inside nor visible, and is read once", async () => {
	const known = new Exploration(idOf(1));
	await run([0], new Map(), 1, () => known.locate([idOf(9)]));
	await run([0], new Map(), 0, () => known.explore([idOf(9)]));
	expect([known.isInside(idOf(9)), known.isVisible(idOf(9))]).toEqual([false, false]);
	expect(known.find({ id: idOf(9) })).toBe(idOf(9));
	expect(known.find({ key: "k" })).toBeUndefined();
});

test("an outside node is visible through mirrors of mirrors, after two reads for each", async () => {
	// 1 is the top with the mirror 2 of 3; below 3 the mirror 4 of 5; below 5 is 6. 7 has a mirror, 8, that is
	// hidden.
	const parents = [0, 1, 0, 3, 0, 5, 0, 7];
	const origins = new Map([
		[2, 3],
		[4, 5],
		[8, 7],
	]);
	const known = new Exploration(idOf(1));
	await run(parents, origins, 6, () => known.explore([idOf(6), idOf(8)]));
	const visible = parents.map((_, place) => known.isVisible(idOf(place + 1)));
	expect(visible).toEqual([true, true, true, true, true, true, false, false]);
	expect(parents.map((_, place) => known.isInside(idOf(place + 1))).filter(Boolean)).toHaveLength(2);
});

test("mirrors that show each other in a circle end", async () => {
	// 2 is below 1 and shows 3; 4 is below 3 and shows 1. The top is 5.
	const known = new Exploration(idOf(5));
	const origins = new Map([
		[2, 3],
		[4, 1],
	]);
	await run([0, 1, 0, 3, 0], origins, 8, () => known.explore([idOf(1), idOf(2), idOf(3), idOf(4)]));
	expect([1, 2, 3, 4, 5].filter((number) => known.isVisible(idOf(number)))).toEqual([5]);
});

test("the order of edges makes no difference to the nodes that they reach", () => {
	const edge = fc.tuple(fc.nat(9), fc.nat(9));
	fc.assert(
		fc.property(fc.array(edge, { maxLength: 20 }), (edges) => {
			const reach = new Reach("0");
			const reached = new Set([0]);
			for (const [place, [from, to]] of edges.entries()) {
				reach.connect(`${from}`, `${to}`);
				for (let size = 0; size !== reached.size; ) {
					size = reached.size;
					for (const [start, end] of edges.slice(0, place + 1)) if (reached.has(start)) reached.add(end);
				}
				for (let node = 0; node < 10; node++) expect(reach.has(`${node}`)).toBe(reached.has(node));
			}
		}),
	);
});

test("a long path is reached as soon as its first node is", () => {
	const reach = new Reach("0");
	for (let node = 100_000; node > 0; node--) reach.connect(`${node}`, `${node + 1}`);
	expect(reach.has("100001")).toBe(false);
	reach.connect("0", "1");
	expect(reach.has("100001")).toBe(true);
});
