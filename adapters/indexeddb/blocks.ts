import type { NodeRecord, Receipt } from "../../src/storage.js";
import type { IndexPart } from "../resident/index/record-index.js";
import { type Block, blocksOf } from "../resident/snapshot/block.js";

/**
 * About how many bytes the browser makes of a block. Chromium puts a value of more than 64 KiB in a file beside the database,
 * which takes longer and which people have lost to programs that clean up disks.
 */
const blockBytes = 60_000;

/** About how many bytes of a block an entry takes besides its text. */
const entryBytes = 150;

/** The blocks of a snapshot, each made when it is asked for and small enough to be kept in the database itself. */
export function* smallBlocks({ nodes, keys, deleted, receipts }: Required<IndexPart>): Generator<Block> {
	const empty = { nodes: [], keys: [], deleted: [], receipts: [] };
	for (const some of portions(nodes, textBytes)) yield* blocksOf({ ...empty, nodes: some });
	for (const some of portions(keys, ({ key }) => bytesOf(key))) yield* blocksOf({ ...empty, keys: some });
	for (const some of portions(deleted, () => 0)) yield* blocksOf({ ...empty, deleted: some });
	for (const some of portions(receipts, receiptBytes)) yield* blocksOf({ ...empty, receipts: some });
}

function textBytes({ name, note }: NodeRecord): number {
	return bytesOf(name) + (note === null ? 0 : bytesOf(note));
}

function receiptBytes({ key, request, result }: Receipt): number {
	return bytesOf(key) + bytesOf(request) + bytesOf(result);
}

/** A text is kept in one byte for each character if all are of Latin-1, else in two. */
function bytesOf(text: string): number {
	return /[^\0-\xff]/.test(text) ? 2 * text.length : text.length;
}

/** Cuts a list into portions of no more than a block holds, or of one entry that is larger by itself. */
function* portions<T>(entries: readonly T[], textBytesOf: (entry: T) => number): Generator<readonly T[]> {
	let start = 0;
	let bytes = 0;
	for (const [place, entry] of entries.entries()) {
		const more = entryBytes + textBytesOf(entry);
		if (place > start && bytes + more > blockBytes) {
			yield entries.slice(start, place);
			start = place;
			bytes = 0;
		}
		bytes += more;
	}
	if (start < entries.length) yield entries.slice(start);
}
