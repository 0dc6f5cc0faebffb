import fc from "fast-check";
import { expect, test } from "vitest";
import { RecordIndex } from "../../adapters/resident/record-index.js";
import type { Query, StoredNode, Subtree } from "../../src/storage.js";
import { NaiveRecords } from "./naive-records.js";
import { batchOf, commits, queriesAbout } from "./random-batches.js";

const numbers = [0, 3, 7, 12, 20, 33, 40];

/** Answers without the order that the contract leaves open. */
function comparable(query: Query, answer: unknown): unknown {
	const byId = (nodes: readonly StoredNode[]) =>
		[...nodes].sort((left, right) => (left.record.id < right.record.id ? -1 : 1));
	if (query.type === "related") return byId(answer as StoredNode[]);
	if (query.type !== "subtree") return answer;
	const { nodes, keys } = answer as Subtree;
	return { nodes: byId(nodes), keys: [...keys].sort((left, right) => (left.key < right.key ? -1 : 1)) };
}

function expectEqual(index: RecordIndex, naive: NaiveRecords): void {
	const queries = queriesAbout(numbers, naive.revision);
	const answers = index.answer(queries);
	for (const [place, query] of queries.entries()) {
		expect(comparable(query, answers[place]), JSON.stringify(query)).toEqual(comparable(query, naive.answer(query)));
	}
	expect(index.revision).toBe(naive.revision);
}

test("the index, changed step by step, answers as a look through all records does", () => {
	fc.assert(
		fc.property(commits, (sequence) => {
			const index = new RecordIndex();
			const naive = new NaiveRecords();
			for (const steps of sequence) {
				const batch = batchOf(steps, naive);
				index.apply(batch);
				naive.apply(batch);
				expectEqual(index, naive);
			}
		}),
		{ numRuns: 60 },
	);
});

test("taking batches back, newest first, leaves no trace of them", () => {
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
			expectEqual(index, naive);
		}),
		{ numRuns: 60 },
	);
});

test("an image loaded into a new index, part by part, answers the same", () => {
	fc.assert(
		fc.property(commits, (sequence) => {
			const index = new RecordIndex();
			const naive = new NaiveRecords();
			for (const steps of sequence) {
				const batch = batchOf(steps, naive);
				index.apply(batch);
				naive.apply(batch);
			}
			const { revision, nodes, keys, deleted } = index.image();
			const copy = new RecordIndex();
			copy.revision = revision;
			const half = nodes.length >> 1;
			copy.load({ nodes: nodes.slice(half) });
			copy.load({ keys, deleted });
			copy.load({ nodes: nodes.slice(0, half) });
			expectEqual(copy, naive);
		}),
		{ numRuns: 60 },
	);
});

test("a subtree gives each parent before its children", () => {
	fc.assert(
		fc.property(commits, (sequence) => {
			const index = new RecordIndex();
			const naive = new NaiveRecords();
			for (const steps of sequence) {
				const batch = batchOf(steps, naive);
				index.apply(batch);
				naive.apply(batch);
			}
			for (const { id } of naive.nodes) {
				const [{ nodes }] = index.answer([{ type: "subtree", of: { id } }]);
				const seen = new Set<string | null>([nodes[0]!.record.parentId]);
				for (const { record } of nodes) {
					expect(seen).toContain(record.parentId);
					seen.add(record.id);
				}
			}
		}),
		{ numRuns: 60 },
	);
});
