import { OutlineError } from "../../src/errors.js";
import { type Batch, textLength } from "../../src/storage.js";
import type { Delta } from "../resident/delta.js";

/**
 * The most bytes of a record of the journal. Browsers refuse larger records: Chromium from 133,169,152 bytes
 * on, and only after it has received them. A block of a snapshot is much smaller, unless it is a single node.
 */
export const recordLimit = 128_000_000;

/** More bytes than any entry takes besides its texts: the names of a node's fields, ids and numbers. */
const entrySize = 320;

/**
 * Returns an upper bound of a batch's size in the journal, which stores only the changed fields of a changed
 * node.
 */
export function batchBound({ nodes, keys, documents }: Batch): number {
	let size = entrySize * nodes.length;
	for (const { after } of nodes) {
		if (after !== null) size += 2 * textLength(after);
	}
	for (const { before, after } of keys) {
		const { key, group } = (after ?? before)!;
		size += entrySize + 2 * (key.length + group.length);
	}
	for (const { key, value } of documents?.put ?? []) size += entrySize + 2 * (key.length + value.length);
	for (const key of documents?.dropped ?? []) size += entrySize + 2 * key.length;
	return size;
}

/** Checks that the browser will store a commit's record. @throws `too_large` if it might refuse it */
export function assertFits(delta: Delta, limit: number): void {
	const { nodes = [], deleted = [], keys = [], droppedKeys = [], documents = [], droppedDocuments = [] } = delta;
	let size = entrySize * (nodes.length + deleted.length + keys.length + documents.length);
	for (const { name = "", note, properties } of nodes) {
		size += sizeOf(name) + sizeOf(note ?? "") + sizeOf(properties ?? "");
	}
	for (const { key, group } of keys) size += sizeOf(key) + sizeOf(group);
	for (const { key, value } of documents) size += sizeOf(key) + sizeOf(value);
	for (const key of [...droppedKeys, ...droppedDocuments]) size += entrySize + sizeOf(key);
	if (size <= limit) return;
	throw new OutlineError(
		"too_large",
		`The commit would take ${size} bytes in this browser's database, which keeps ${limit} in one record. ` +
			"Nothing was written. Write it in several commits, or in shorter texts.",
	);
}

/** The bytes of a text as browsers store it: one for each character, or two if any character needs more. */
export function sizeOf(text: string): number {
	return (/[^\0-\xff]/.test(text) ? 2 : 1) * text.length;
}
