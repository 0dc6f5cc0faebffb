import { batchOf } from "../resident/delta.js";
import type { IndexPart, RecordIndex } from "../resident/index/record-index.js";
import type { Database } from "./database.js";
import {
	blockContent,
	damaged,
	type JournalRecord,
	journalContent,
	type Meta,
	metaContent,
	metaKey,
	stores,
} from "./stored.js";
import { type Mode, type Transaction, transact, unheeded } from "./transaction.js";

/** The number of blocks, of some hundred nodes each, to read at once. */
const blocksAtOnce = 16;

/** The number of records of the journal to read at once. */
const recordsAtOnce = 1000;

/** The stored content at one revision. */
export interface Stored {
	readonly meta: Meta;
	/** The snapshot, in parts. */
	readonly parts: readonly IndexPart[];
	/** The commits after the snapshot. */
	readonly records: readonly JournalRecord[];
}

/** Reads the whole content. @throws `storage_corrupt` if something is missing or invalid */
export function readStored(database: Database): Promise<Stored> {
	const { outline } = database;
	return database.run("reading", ({ connection }) =>
		transact(connection, { stores: Object.values(stores), mode: "readonly" }, async (transaction) => {
			const journal = transaction.objectStore(stores.journal);
			const meta = metaContent(await transaction.objectStore(stores.meta).get(metaKey), outline);
			const parts = await readBlocks(transaction, meta.blocks, outline);
			const [last] = await journal.getAllKeys(IDBKeyRange.lowerBound(meta.revision), 1);
			if (meta.revision > 0 && last !== meta.revision)
				throw damaged(outline, "The journal doesn't go on from the snapshot");
			const records: JournalRecord[] = [];
			for (let found = recordsAtOnce; found === recordsAtOnce; ) {
				const known = meta.revision + records.length;
				const values = await journal.getAll(IDBKeyRange.lowerBound(known, true), recordsAtOnce);
				for (const value of values) records.push(journalContent(value, outline));
				found = values.length;
			}
			return { meta, parts, records };
		}),
	);
}

/**
 * Fills an empty index. @throws `storage_corrupt` if a record of the journal doesn't fit the one before it
 */
export function fillIndex(index: RecordIndex, { meta, parts, records }: Stored, outline: string): void {
	for (const part of parts) index.load(part);
	index.revision = meta.revision;
	index.horizon = meta.horizon;
	for (const record of records) {
		const batch = batchOf(record, index);
		if (batch === null) throw damaged(outline, `The commit ${record.revision} doesn't fit revision ${index.revision}`);
		index.apply(batch);
	}
}

async function readBlocks(transaction: Transaction<Mode>, count: number, outline: string): Promise<IndexPart[]> {
	const parts: IndexPart[] = [];
	const store = transaction.objectStore(stores.blocks);
	const read = (first: number) => {
		const last = Math.min(first + blocksAtOnce, count) - 1;
		return first <= last ? unheeded(store.getAll(IDBKeyRange.bound(first, last))) : [];
	};
	let reading = read(0);
	for (let first = 0; first < count; first += blocksAtOnce) {
		const values = await reading;
		// The browser reads the next blocks while these are checked.
		reading = read(first + blocksAtOnce);
		if (values.length < Math.min(blocksAtOnce, count - first))
			throw damaged(outline, "A block of the snapshot is missing");
		for (const value of values) parts.push(blockContent(value, outline));
	}
	return parts;
}
