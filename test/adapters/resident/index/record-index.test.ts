import fc from "fast-check";
import { test } from "vitest";
import { RecordIndex } from "../../../../adapters/resident/index/record-index.js";
import { assertParentsFirst } from "../../../conformance/agreement.js";
import type { Step } from "../../../conformance/random-batches.js";
import { NaiveRecords } from "../../../model/naive-records.js";
import { assertAgrees } from "../naive-agreement.js";
import { batchOf, commits } from "../random-batches.js";

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
			const copy = new RecordIndex();
			copy.revision = revision;
			copy.horizon = horizon;
			const half = nodes.length >> 1;
			copy.load({ nodes: nodes.slice(half) });
			copy.load({ keys, deleted, documents: documents.slice(1) });
			copy.load({ nodes: nodes.slice(0, half), droppedKeys, documents: documents.slice(0, 1) });
			assertAgrees(copy, naive);
		}),
		{ numRuns: 60 },
	);
});

test("a subtree has each parent before its children", () => {
	fc.assert(
		fc.property(commits, (sequence) => {
			const { index, naive } = committed(sequence);
			for (const id of naive.nodes.keys()) {
				const [subtree] = index.answer([{ type: "subtree", of: { id } }]);
				assertParentsFirst(subtree, `the subtree of ${id}`);
			}
		}),
		{ numRuns: 60 },
	);
});
