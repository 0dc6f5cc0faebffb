import { Buffer } from "node:buffer";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { FileHandle } from "../../adapters/file/file-system.js";
import { snapshotLines } from "../../adapters/file/format.js";
import { loadFile } from "../../adapters/file/load.js";
import { RecordIndex } from "../../adapters/resident/record-index.js";
import type { StoredNode } from "../../src/storage.js";
import { assertAnswer } from "../conformance/agreement.js";
import { NaiveRecords } from "../conformance/naive-records.js";
import { batchOf, commits, queriesAbout } from "../resident/random-batches.js";

const numbers = [0, 3, 7, 12, 20, 33, 40];

function expectEqual(index: RecordIndex, naive: NaiveRecords): void {
	const queries = queriesAbout(numbers, naive);
	const answers = index.answer(queries);
	for (const [place, query] of queries.entries()) assertAnswer(query, answers[place], naive);
	expect(index.revision).toBe(naive.revision);
}

/** The index that is read from the snapshot of another. */
async function reread(index: RecordIndex): Promise<RecordIndex> {
	const bytes = Buffer.from([...snapshotLines(index.image())].join(""));
	const handle = {
		async read(buffer: Uint8Array, offset: number, length: number, position: number) {
			const piece = bytes.subarray(position, position + length);
			buffer.set(piece, offset);
			return { bytesRead: piece.length };
		},
	} as Partial<FileHandle> as FileHandle;
	const copy = new RecordIndex();
	const { size, snapshotSize } = await loadFile(handle, "a snapshot", copy);
	expect([size, snapshotSize]).toEqual([bytes.length, bytes.length]);
	return copy;
}

test("an index read from a snapshot answers as the one it was written from, and goes on like it", async () => {
	await fc.assert(
		fc.asyncProperty(commits, commits, commits, async (first, second, third) => {
			const naive = new NaiveRecords();
			let index = new RecordIndex();
			for (const [place, part] of [first, second, third].entries()) {
				for (const steps of part) {
					const batch = batchOf(steps, naive);
					const undo = index.undo(batch);
					index.apply(batch);
					index.revert(undo);
					index.apply(batch);
					naive.apply(batch);
				}
				// Some nodes are looked at before the next snapshot, and others are as they were read.
				if (place === 1) index.answer(queriesAbout(numbers.slice(0, 2), naive));
				index = await reread(index);
			}
			const scanned: StoredNode[] = [...index.scan(7)].flat();
			expect(scanned.map(({ record }) => record.id).sort()).toEqual([...naive.nodes.keys()].sort());
			for (const node of scanned) assertAnswer({ type: "node", at: { id: node.record.id } }, node, naive);
			expectEqual(index, naive);
		}),
		{ numRuns: 80 },
	);
});
