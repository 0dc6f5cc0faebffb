import { expect, test } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import { type Reading, read } from "../../../src/engine/protocol.js";
import { Exploration } from "../../../src/scope/exploration.js";
import type { Query, Snapshot, StorageAdapter } from "../../../src/storage.js";
import { idOf } from "../../conformance/records.js";
import { recordAt } from "../../support/batches.js";
import { storageWith } from "./state.js";

/** Runs a reading on records, which are given as parents by number (0 for none), with so many reads at most. */
async function run(
	parents: readonly number[],
	origins: ReadonlyMap<number, number>,
	limit: number,
	begin: () => Reading<void>,
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

test("what isn't there is neither inside nor visible, and is looked for once", async () => {
	const known = new Exploration(idOf(1));
	await run([0], new Map(), 1, () => known.locate([idOf(9)]));
	await run([0], new Map(), 0, () => known.explore([idOf(9)]));
	expect([known.isInside(idOf(9)), known.isVisible(idOf(9))]).toEqual([false, false]);
	expect(known.find({ id: idOf(9) })).toBe(idOf(9));
	expect(known.find({ key: "k" })).toBeUndefined();
});

test("an outside node is visible by mirrors of mirrors, in two reads for each", async () => {
	// 1 is the top with the mirror 2 of 3; below 3 the mirror 4 of 5; below 5 stands 6. 7 has a mirror, 8, that is hidden.
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

test("mirrors that show each other in a circle come to an end", async () => {
	// 2 is below 1 and shows 3; 4 is below 3 and shows 1. The top is 5.
	const known = new Exploration(idOf(5));
	const origins = new Map([
		[2, 3],
		[4, 1],
	]);
	await run([0, 1, 0, 3, 0], origins, 8, () => known.explore([idOf(1), idOf(2), idOf(3), idOf(4)]));
	expect([1, 2, 3, 4, 5].filter((number) => known.isVisible(idOf(number)))).toEqual([5]);
});
