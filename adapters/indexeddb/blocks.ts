import type { NodeRecord } from "../../src/storage.js";
import { portionsOf } from "../portions.js";
import type { IndexPart } from "../resident/index/record-index.js";
import { type Block, blocksOf } from "../resident/snapshot-block.js";
import { sizeOf } from "./record-size.js";

/**
 * The most bytes that the browser makes of a block, approximately. Chromium puts a value of more than 64 KiB
 * in a file beside the database. That takes longer, and disk cleaners have deleted such files.
 */
const blockBytes = 60_000;

/** The approximate number of bytes of an entry in a block besides its text. */
const entryBytes = 150;

/**
 * Yields the blocks of a snapshot. Each is made only when it is needed, and small enough to be kept in the
 * database itself.
 */
export function* smallBlocks({ nodes, keys, deleted, droppedKeys, documents }: Required<IndexPart>): Generator<Block> {
	const empty = { nodes: [], keys: [], deleted: [], droppedKeys: [], documents: [] };
	for (const some of portions(nodes, textBytes)) yield* blocksOf({ ...empty, nodes: some });
	for (const some of portions(keys, ({ key }) => sizeOf(key))) yield* blocksOf({ ...empty, keys: some });
	for (const some of portions(deleted, () => 0)) yield* blocksOf({ ...empty, deleted: some });
	for (const some of portions(droppedKeys, ({ key }) => sizeOf(key))) {
		yield* blocksOf({ ...empty, droppedKeys: some });
	}
	for (const some of portions(documents, ({ key, value }) => sizeOf(key) + sizeOf(value))) {
		yield* blocksOf({ ...empty, documents: some });
	}
}

function textBytes({ name, note, properties }: NodeRecord): number {
	return sizeOf(name) + sizeOf(note ?? "") + sizeOf(properties ?? "");
}

/** Returns parts of a list that fit into a block, or a single entry that is larger. */
function portions<T>(entries: readonly T[], textBytesOf: (entry: T) => number): Generator<readonly T[]> {
	return portionsOf(entries, (entry) => entryBytes + textBytesOf(entry), blockBytes);
}
