import fc from "fast-check";
import { expect, test } from "vitest";
import { RecordIndex } from "../../../../adapters/resident/index/record-index.js";
import type { NodeChange } from "../../../../src/storage.js";
import type { Step } from "../../../conformance/random-batches.js";
import { NaiveRecords } from "../../../model/naive-records.js";
import { recordAt } from "../../../support/batches.js";
import { assertAgrees } from "../naive-agreement.js";
import { batchOf, commits, idOf } from "../random-batches.js";

/** Returns an index and a naive one after these commits. */
function committed(sequence: readonly Step[][]): { index: RecordIndex; naive: NaiveRecords } {
	const [index, naive] = [new RecordIndex(), new NaiveRecords()];
	for (const steps of sequence) {
		const batch = batchOf(steps, naive);
		index.apply(batch);
		naive.apply(batch);
	}
	return { index, naive };
}

test("the index, changed step by step, gives the same answers as a look through all records", () => {
	fc.assert(
		fc.property(commits, (sequence) => {
			const index = new RecordIndex();
			const naive = new NaiveRecords();
			for (const steps of sequence) {
				const batch = batchOf(steps, naive);
				index.apply(batch);
				naive.apply(batch);
				assertAgrees(index, naive);
			}
		}),
		{ numRuns: 60 },
	);
});

test("undoing batches, newest first, leaves no trace of them", () => {
	fc.assert(
		fc.property(commits, fc.nat(), (sequence, kept) => {
			const index = new RecordIndex();
			const naive = new NaiveRecords();
			const staying = kept % sequence.length;
			const all = new NaiveRecords();
			const undos = sequence.map((steps, place) => {
				const batch = batchOf(steps, all);
				const undo = index.undo(batch);
				index.apply(batch);
				all.apply(batch);
				if (place < staying) naive.apply(batch);
				return undo;
			});
			for (const undo of undos.slice(staying).reverse()) index.revert(undo);
			assertAgrees(index, naive);
		}),
		{ numRuns: 60 },
	);
});

test("an image loaded into a new index, part by part, gives the same answers", () => {
	fc.assert(
		fc.property(commits, (sequence) => {
			const { index, naive } = committed(sequence);
			const { revision, horizon, keys, deleted, droppedKeys, documents, ...image } = index.image();
			const nodes = [...image.nodes.records()];
			const [first = [], ...others] = Array.from(documents, (each) => [each]);
			const copy = new RecordIndex();
			copy.revision = revision;
			copy.horizon = horizon;
			const half = nodes.length >> 1;
			copy.load({ nodes: nodes.slice(half) });
			copy.load({ keys, deleted, documents: others.flat() });
			copy.load({ nodes: nodes.slice(0, half), droppedKeys, documents: first });
			assertAgrees(copy, naive);
		}),
		{ numRuns: 60 },
	);
});

test("few nodes that come after many deleted ones are all found", () => {
	const index = new RecordIndex();
	const commit = (nodes: readonly NodeChange[]) => index.apply({ base: index.revision, nodes, keys: [] });
	commit(Array.from({ length: 1000 }, (_, number) => ({ before: null, after: recordAt(number, 1) })));
	// The nodes that stay have the highest numbers in the table.
	commit(Array.from({ length: 990 }, (_, number) => ({ before: recordAt(number, 1), after: null })));
	for (let round = 0; round < 300; round++) {
		const others = Array.from({ length: 20 }, (_, number) => recordAt(1000 + round * 20 + number, 1));
		commit(others.map((after) => ({ before: null, after })));
		for (const { id } of others) expect(index.record(id)?.id).toBe(id);
		commit(others.map((before) => ({ before, after: null })));
	}
	for (let number = 990; number < 1000; number++) expect(index.record(idOf(number))?.id).toBe(idOf(number));
	expect(index.record(idOf(1))).toBeUndefined();
});
