import { serialize } from "node:v8";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { IndexedDbJournal } from "../../../adapters/indexeddb/journal.js";
import { assertFits, batchBound } from "../../../adapters/indexeddb/record-size.js";
import { deltaOf } from "../../../adapters/resident/delta.js";
import { ResidentStorage } from "../../../adapters/resident/resident-storage.js";
import type { Batch, StorageAdapter } from "../../../src/storage.js";
import { FaultyIndexedDb } from "../../faults/faulty-indexeddb.js";
import { recordAt } from "../../support/batches.js";
import { codeOf } from "../../support/outline.js";
import { trialDatabase } from "./trial.js";

const texts = fc.string({ unit: fc.constantFrom("a", "ä", "字", "😀"), maxLength: 2000 });
const batches: fc.Arbitrary<Batch> = fc.record({
	base: fc.nat(1000),
	nodes: fc.array(
		fc
			.tuple(fc.nat(1000), texts, fc.option(texts), fc.option(texts), fc.constantFrom("made", "changed", "deleted"))
			.map(([number, name, note, properties, how]) => {
				const before = recordAt(number, 1, { originId: "0b2f6f0e-6c6e-4c5a-9a3d-5e0f3c1b2a49" });
				const texts = { name, note, properties };
				const after = { ...before, ...texts, completedAt: 1_795_219_200, parentId: before.originId };
				return how === "deleted" ? { before, after: null } : { before: how === "made" ? null : before, after };
			}),
	),
	keys: fc.array(
		texts.map((key) => ({ before: null, after: { key, group: "shortcut", nodeId: "x".repeat(36), revision: 1 } })),
	),
	documents: fc.record({
		put: fc.array(texts.map((text) => ({ key: text, value: text }))),
		dropped: fc.array(texts),
	}),
});

/** The largest limit at which the delta of a batch is refused. */
function sizeOf(batch: Batch): number {
	let [fits, refused] = [2 ** 30, -1];
	while (fits - refused > 1) {
		const middle = Math.floor((fits + refused) / 2);
		try {
			assertFits(deltaOf(batch), middle);
			fits = middle;
		} catch {
			refused = middle;
		}
	}
	return fits;
}

test("no record takes more bytes than estimated, nor a commit more than its bound", () => {
	fc.assert(
		fc.property(batches, (batch) => {
			const size = sizeOf(batch);
			// The record itself takes a few bytes more.
			expect(serialize({ ...deltaOf(batch), by: "x".repeat(40) }).length).toBeLessThanOrEqual(size + 300);
			expect(size).toBeLessThanOrEqual(batchBound(batch));
		}),
	);
});

describe("a commit whose record the browser might refuse", () => {
	const open = (database: FaultyIndexedDb): StorageAdapter => {
		const options = { durability: "strict", compactAfter: 2, recordLimit: 10_000 } as const;
		return new ResidentStorage(new IndexedDbJournal({ database: trialDatabase(database), ...options }));
	};
	const adding = (base: number, note: string): Batch => ({
		base,
		nodes: [{ before: null, after: recordAt(base, base + 1, { note }) }],
		keys: [],
	});

	test("is refused before anything is written, and no other commit with it", async () => {
		const database = new FaultyIndexedDb(new IDBFactory());
		const storage = open(database);
		const notes = ["a".repeat(9000), "ä".repeat(9000), "字".repeat(4500)];
		const kept = await Promise.all(notes.map((note, base) => storage.commit(adding(base, note))));
		expect(kept).toEqual([1, 2, 3]);
		for (const note of ["a".repeat(10_001), "字".repeat(5001)]) {
			const outcomes = await Promise.all([codeOf(storage.commit(adding(3, note))), codeOf(storage.read([]))]);
			expect(outcomes).toEqual(["too_large", undefined]);
		}
		// Fields that don't change aren't written again, however long they are.
		const { results } = await storage.read([{ type: "node", at: { id: recordAt(0, 1).id } }]);
		const before = results[0]!.record;
		const moved = [{ before, after: { ...before, priority: 5, revision: 4 } }];
		expect(await storage.commit({ base: 3, nodes: [...moved], keys: [] })).toBe(4);
		await storage.close();
		const again = open(database);
		const read = await again.read([{ type: "children", of: null, scope: "own" }]);
		expect(read.revision).toBe(4);
		expect(read.results[0].map(({ record }) => record.note).sort()).toEqual([...notes].sort());
		await again.close();
	});
});
