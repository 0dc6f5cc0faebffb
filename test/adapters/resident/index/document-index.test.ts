import fc from "fast-check";
import { expect, test } from "vitest";
import { DocumentIndex } from "../../../../adapters/resident/index/document-index.js";
import type { Document } from "../../../../src/storage.js";
import { document } from "../../../conformance/records.js";

/** Returns an index with the same documents in packed blocks, as a snapshot has them; in an earlier release, in any order. */
function packed(index: DocumentIndex, size: number, ordered: boolean): DocumentIndex {
	const documents = [...index.image()];
	if (!ordered) documents.reverse();
	const copy = new DocumentIndex();
	for (let at = 0; at < documents.length; at += size) copy.loadPacked(blockOf(documents.slice(at, at + size)));
	expect(copy.image()).toHaveLength(documents.length);
	return copy;
}

function blockOf(documents: readonly Document[], unpacked = () => {}) {
	const packed = JSON.stringify(documents);
	return {
		first: documents[0]!.key,
		last: documents.at(-1)!.key,
		count: documents.length,
		documents: (): Document[] => {
			unpacked();
			return JSON.parse(packed);
		},
	};
}

test("the index finds the same documents as a look at all does, between changes and after they are undone", () => {
	const name = fc.string({ unit: fc.constantFrom("a", "b", "/", "!", "~"), minLength: 1, maxLength: 3 });
	const change = fc.record({
		put: fc.uniqueArray(name, { maxLength: 5 }),
		dropped: fc.uniqueArray(name, { maxLength: 5 }),
		look: fc.option(
			fc.record({
				prefix: fc.oneof(name, fc.constant("")),
				after: fc.option(name, { nil: undefined }),
				limit: fc.nat(3),
			}),
		),
		back: fc.boolean(),
		pack: fc.option(fc.record({ size: fc.integer({ min: 1, max: 4 }), ordered: fc.boolean() })),
	});
	fc.assert(
		fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
			let index = new DocumentIndex();
			let documents = new Map<string, string>();
			for (const [number, { put, dropped, look, back, pack }] of changes.entries()) {
				const batch = {
					put: put.map((key) => document(key, `${number}`)),
					dropped: dropped.filter((key) => !put.includes(key)),
				};
				const undo = index.undo(batch);
				index.change(batch);
				if (back) index.change(undo);
				else {
					documents = new Map(documents);
					for (const { key, value } of batch.put) documents.set(key, value);
					for (const key of batch.dropped) documents.delete(key);
				}
				if (pack !== null) index = packed(index, pack.size, pack.ordered);
				if (look === null) continue;
				const { prefix, after, limit } = look;
				const found = Array.from(documents, ([key, value]) => ({ key, value }))
					.filter(({ key }) => key.startsWith(prefix) && (after === undefined || key > after))
					.sort((left, right) => (left.key < right.key ? -1 : 1))
					.slice(0, limit || undefined);
				const query = { type: "documents", prefix, ...(after !== undefined && { after }), ...(limit > 0 && { limit }) };
				expect(index.found(query as Parameters<typeof index.found>[0])).toEqual(found);
				expect(new Map(Array.from(index.image(), ({ key, value }) => [key, value]))).toEqual(documents);
			}
		}),
		{ numRuns: 500 },
	);
});

test("a hundred thousand documents come and go quickly, although each commit drops the first ones", () => {
	const index = new DocumentIndex();
	const count = 100_000;
	const name = (number: number) => `age/${String(number).padStart(9, "0")}`;
	index.change({ put: Array.from({ length: count }, (_, number) => document(name(number * 2))), dropped: [] });
	for (let commit = 0; commit < count; commit++) {
		const first = index.found({ type: "documents", prefix: "age/", limit: 2 });
		const put = [count * 2 + commit, commit * 2 + 1].map((number) => document(name(number)));
		index.change({ put, dropped: first.map(({ key }) => key) });
	}
	const keys = Array.from(index.image(), ({ key }) => key);
	expect(keys).toHaveLength(count);
	expect(index.found({ type: "documents", prefix: "" }).map(({ key }) => key)).toEqual(keys.sort());
});

test("documents that come in any order, and runs of documents between others, are in ascending order", () => {
	const index = new DocumentIndex();
	const documents = new Map<string, string>();
	const name = (number: number) => String(number).padStart(6, "0");
	const put = (number: number) => {
		index.change({ put: [document(name(number), `${documents.size}`)], dropped: [] });
		documents.set(name(number), `${documents.size}`);
	};
	const count = 5003;
	// A prime number of steps goes through all numbers in a mixed order.
	for (let step = 0; step < count; step++) put(((step * 1861) % count) * 100);
	for (const start of [1, 250_001, 500_201]) for (let number = start; number < start + 99; number++) put(number);
	for (let step = 0; step < count; step += 3) {
		index.change({ put: [], dropped: [name(step * 100)] });
		documents.delete(name(step * 100));
	}
	const found = index.found({ type: "documents", prefix: "" });
	expect(found.map(({ key }) => key)).toEqual([...documents.keys()].sort());
	expect(Array.from(index.image(), ({ key }) => key)).toEqual(found.map(({ key }) => key));
});

test("the documents of a snapshot stay packed until a query or a change needs them, block by block", () => {
	const index = new DocumentIndex();
	const unpacked: number[] = [];
	const name = (number: number) => `age/${String(number).padStart(9, "0")}`;
	for (let block = 0; block < 10; block++) {
		const documents = Array.from({ length: 100 }, (_, at) => document(name(block * 100 + at)));
		index.loadPacked(blockOf(documents, () => unpacked.push(block)));
	}
	index.change({ put: [document(name(1000)), document("state")], dropped: [] });
	index.found({ type: "documents", prefix: "state", limit: 1 });
	expect(unpacked).toEqual([]);
	index.found({ type: "documents", prefix: "age/", limit: 100 });
	expect(unpacked).toEqual([0]);
	index.found({ type: "documents", prefix: "age/", after: name(149), limit: 100 });
	expect(unpacked).toEqual([0, 1, 2]);
	index.change({ put: [], dropped: [name(555)] });
	expect(unpacked).toEqual([0, 1, 2, 5]);
	expect(index.found({ type: "documents", prefix: "" })).toHaveLength(1001);
	expect(unpacked).toEqual([0, 1, 2, 5, 3, 4, 6, 7, 8, 9]);
});
