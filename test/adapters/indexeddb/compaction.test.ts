import { describe, expect, test } from "vitest";
import { Compaction, entriesOf } from "../../../adapters/indexeddb/compaction.js";
import type { Delta } from "../../../adapters/resident/delta.js";
import { document } from "../../conformance/records.js";

const small = (count: number): Delta[] =>
	Array.from({ length: count }, (_, revision) => ({ revision, deleted: ["a"] }));
const large = (entries: number): Delta[] => [{ revision: 1, deleted: Array.from({ length: entries }, String) }];

describe("a snapshot is due", () => {
	test("after this many commits; a large one counts as several", () => {
		const compaction = new Compaction(10);
		compaction.add(small(9));
		expect(compaction.due).toBe(false);
		compaction.add(small(1));
		expect(compaction.due).toBe(true);
		const another = new Compaction(10);
		another.add(large(1000));
		expect(another.due).toBe(true);
	});

	test("not before reading the journal takes about as long as reading the snapshot", () => {
		const compaction = new Compaction(10);
		compaction.begin(4000);
		compaction.add(small(900));
		expect(compaction.due).toBe(false);
		compaction.add(small(100));
		expect(compaction.due).toBe(true);
	});

	test("so rarely that a growing outline writes each node only a few times", () => {
		const compaction = new Compaction(10);
		let written = 0;
		for (let entries = 100; entries <= 100_000; entries += 100) {
			compaction.add(large(100));
			if (!compaction.due) continue;
			written += entries;
			compaction.begin(entries);
		}
		expect(written).toBeLessThan(300_000);
	});

	test("for documents as for nodes: they count one by one, put, dropped and in the snapshot", () => {
		const documents = Array.from({ length: 1000 }, (_, number) => document(`${number}`));
		for (const delta of [{ documents }, { droppedDocuments: documents.map(({ key }) => key) }]) {
			const compaction = new Compaction(10);
			compaction.add([{ revision: 1, ...delta }]);
			expect(compaction.commits).toBe(250);
		}
		expect(entriesOf({ documents })).toBe(1000);
	});

	test("later, after one has failed", () => {
		const compaction = new Compaction(10);
		compaction.add(small(10));
		compaction.postpone();
		expect(compaction.due).toBe(false);
		compaction.add(small(10));
		expect(compaction.due).toBe(true);
	});
});
