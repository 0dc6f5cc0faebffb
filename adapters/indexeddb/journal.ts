import { OutlineError } from "../../src/errors.js";
import type { Batch } from "../../src/storage.js";
import { type Delta, deltaOf } from "../resident/delta.js";
import type { IndexImage, RecordIndex } from "../resident/index/record-index.js";
import type { Journal, SharedJournal } from "../resident/journal.js";
import { conflict } from "../storage-error.js";
import { Compaction, entriesOf } from "./compaction.js";
import { type Database, databaseName, type Use } from "./database.js";
import { fillIndex, readStored } from "./load.js";
import { Notices } from "./notices.js";
import { assertFits, batchBound, recordLimit } from "./record-size.js";
import { writeSnapshot } from "./snapshot.js";
import { type JournalRecord, journalContent, metaContent, metaKey, randomName, stores } from "./stored.js";
import { type Connection, transact, transactAtOnce, unheeded } from "./transaction.js";

/** The number of writes to which another tab's may come first until this tab asks for its turn. */
const patience = 3;

/** Options of the journal. */
export interface IndexedDbJournalOptions {
	readonly database: Database;
	readonly durability: "strict" | "relaxed";
	/** The minimum number of commits after a snapshot before a new one is written. */
	readonly compactAfter: number;
	/** The most bytes of a record. Default {@link recordLimit}; tests use less. */
	readonly recordLimit?: number;
}

/**
 * The journal of one outline in an IndexedDB database, which other tabs write to as well. A flush is one
 * transaction: it reads where the journal ends and adds a record for each commit. It is acknowledged when the
 * transaction completes.
 *
 * To check the end of the journal before the transaction may end would cost a turn through the browser, a
 * third of the time of a commit. So the transaction ends without waiting, and the check comes afterwards.
 * Adding a record under an existing key fails and undoes the whole flush. If a key is free although it isn't
 * the next one, a snapshot has deleted the record that was there, and no tab reads that part any more.
 */
export class IndexedDbJournal implements Journal {
	readonly others: SharedJournal;
	readonly #database: Database;
	readonly #durability: "strict" | "relaxed";
	readonly #compaction: Compaction;
	readonly #recordLimit: number;
	/** The name of this journal. With a count, it names each of its writes. */
	readonly #writer = randomName();
	#writes = 0;
	/** The connection on which a write has found the expected end of the journal. */
	#trusted: Connection | null = null;
	/** The last known revision of the snapshot. */
	#snapshotRevision = 0;
	#notices: Notices | null = null;
	/** The number of writes since the last successful one to which another tab's came first. */
	#lost = 0;

	constructor({ database, durability, compactAfter, recordLimit: limit = recordLimit }: IndexedDbJournalOptions) {
		this.#database = database;
		this.#durability = durability;
		this.#compaction = new Compaction(compactAfter);
		this.#recordLimit = limit;
		this.others = {
			get gone() {
				return database.gone;
			},
			since: (revision) => this.#since(revision),
			load: (index) => this.open(index),
			listen: (listener) => {
				this.#notices = new Notices(databaseName(database.outline), listener);
				database.onLoss = listener;
			},
		};
	}

	get snapshotDue(): boolean {
		return this.#compaction.due;
	}

	async open(index: RecordIndex): Promise<void> {
		const stored = await readStored(this.#database);
		fillIndex(index, stored, this.#database.outline);
		this.#database.holdTo(stored.meta.id);
		this.#snapshotRevision = stored.meta.revision;
		this.#compaction.begin(stored.parts.reduce((sum, part) => sum + entriesOf(part), 0));
		this.#compaction.add(stored.records);
	}

	groupSize(batches: readonly Batch[]): number {
		let size = 0;
		for (const [index, batch] of batches.entries()) {
			size += batchBound(batch);
			if (size > this.#recordLimit) return Math.max(index, 1);
		}
		return batches.length;
	}

	async append(batches: readonly Batch[]): Promise<void> {
		if (this.#notices?.turn) await this.#notices.turn;
		try {
			await this.#append(batches);
			this.#lost = 0;
		} catch (error) {
			if (error instanceof OutlineError && error.code === "conflict") {
				this.#lost += 1;
				if (this.#lost >= patience) this.#notices?.askForTurn();
			}
			throw error;
		}
	}

	async #append(batches: readonly Batch[]): Promise<void> {
		const by = `${this.#writer}-${this.#writes++}`;
		const records = batches.map((batch): JournalRecord => ({ ...deltaOf(batch), by }));
		for (const [index, batch] of batches.entries()) {
			if (batchBound(batch) > this.#recordLimit) assertFits(records[index]!, this.#recordLimit);
		}
		const { base } = batches[0]!;
		const write: Write = { base, records, by, sent: false };
		let isInJournal: boolean;
		try {
			isInJournal = await this.#database.run("writing to", (use) => this.#write(write, use));
		} catch (error) {
			const unavailable = error instanceof OutlineError && error.code === "storage_unavailable";
			throw unavailable && write.sent && this.#database.gone === null ? openOutcome(error) : error;
		}
		if (!isInJournal) {
			// The records are in a part that no tab reads. If they can't be removed, the next snapshot deletes
			// them.
			await this.#remove(write).catch(() => {});
			throw overtaken(base);
		}
		this.#compaction.add(records);
		this.#notices?.notify();
	}

	async snapshot(image: IndexImage): Promise<void> {
		const { commits } = this.#compaction;
		try {
			// Another tab may have been first. Its snapshot is about as large and as new.
			this.#snapshotRevision = await writeSnapshot(this.#database, image, this.#snapshotRevision, this.#durability);
			this.#compaction.begin(entriesOf(image), this.#compaction.commits - commits);
		} catch {
			this.#compaction.postpone();
		}
	}

	async close(): Promise<void> {
		this.#notices?.close();
		await this.#database.close();
	}

	/** Adds the records. Returns whether they count: not if they are in a part that a snapshot has deleted. */
	async #write(write: Write, use: Use): Promise<boolean> {
		const { connection, again } = use;
		if (again || connection !== this.#trusted) await this.#writeCarefully(write, use);
		else if (!(await this.#writeAtOnce(write, connection))) return false;
		this.#trusted = connection;
		return true;
	}

	async #writeAtOnce(write: Write, connection: Connection): Promise<boolean> {
		const options = { stores: [stores.journal], mode: "readwrite", durability: this.#durability } as const;
		const add = (transaction: IDBTransaction) => {
			const journal = transaction.objectStore(stores.journal);
			const looking = journal.getAllKeys(IDBKeyRange.lowerBound(write.base), 2);
			for (const record of write.records) journal.add(record, record.revision);
			write.sent = true;
			return looking;
		};
		const keys = await transactAtOnce(connection, options, add, write.records.length > 1);
		return isEnd(write.base, keys);
	}

	/**
	 * Adds the records if the database may have changed after this tab's last write. Waits for the end of the
	 * journal, and checks whether a first try has already added them. @throws `conflict`
	 */
	#writeCarefully(write: Write, { connection, again }: Use): Promise<void> {
		const { base, records, by } = write;
		const lookUp = again && write.sent;
		const used = lookUp ? [stores.journal, stores.meta] : [stores.journal];
		const options = { stores: used, mode: "readwrite", durability: this.#durability } as const;
		return transact(connection, options, async (transaction) => {
			if (lookUp) {
				const { cut } = metaContent(await transaction.objectStore(stores.meta).get(metaKey), this.#database.outline);
				const found = (await transaction.objectStore(stores.journal).get(base + 1)) as JournalRecord | undefined;
				if (found?.by === by && base >= cut) return;
			}
			const journal = transaction.objectStore(stores.journal);
			const looking = unheeded(journal.getAllKeys(IDBKeyRange.lowerBound(base), 2));
			for (const record of records) unheeded(journal.add(record, record.revision));
			write.sent = true;
			const keys = await looking;
			if (isEnd(base, keys)) return;
			if (lookUp && keys[0] !== undefined && keys[0] > base + 1) {
				throw new OutlineError(
					"storage_unavailable",
					"The connection was lost while the outline was being written to.",
				);
			}
			throw overtaken(base);
		});
	}

	/** Removes records that were written and don't count. */
	async #remove({ base, records, by }: Write): Promise<void> {
		const options = { stores: [stores.journal], mode: "readwrite", durability: this.#durability } as const;
		await this.#database.run("writing to", ({ connection }) =>
			transact(connection, options, async (transaction) => {
				const journal = transaction.objectStore(stores.journal);
				const values = await journal.getAll(IDBKeyRange.bound(base + 1, base + records.length));
				for (const { by: writer, revision } of values as JournalRecord[]) {
					if (writer === by) unheeded(journal.delete(revision));
				}
			}),
		);
	}

	async #since(revision: number): Promise<readonly Delta[] | null> {
		const { outline } = this.#database;
		const [first, values, { cut }] = await this.#database.run("reading", ({ connection }) =>
			transact(connection, { stores: [stores.journal, stores.meta], mode: "readonly" }, async (transaction) => {
				const journal = transaction.objectStore(stores.journal);
				const meta = unheeded(transaction.objectStore(stores.meta).get(metaKey));
				const looking = unheeded(journal.getAllKeys(IDBKeyRange.lowerBound(revision), 1));
				const reading = unheeded(journal.getAll(IDBKeyRange.lowerBound(revision, true)));
				return [(await looking)[0], await reading, metaContent(await meta, outline)] as const;
			}),
		);
		if (first === undefined && revision > 0) throw this.#database.vanished();
		if (cut > 0 && revision <= cut) return null;
		if (first !== undefined && first !== Math.max(revision, 1)) return null;
		const records = values.map((value) => journalContent(value, outline));
		this.#compaction.add(records);
		return records;
	}
}

/** The records of a flush. */
interface Write {
	readonly base: number;
	readonly records: readonly JournalRecord[];
	/** The mark of all the records. */
	readonly by: string;
	/** Whether the browser has received the requests. */
	sent: boolean;
}

/** Whether the journal ends with a revision, judged by its keys from there on. */
function isEnd(revision: number, [first, second]: readonly IDBValidKey[]): boolean {
	return revision === 0 ? first === undefined : first === revision && second === undefined;
}

function overtaken(base: number): OutlineError {
	return conflict(`Another tab has committed on revision ${base} first.`);
}

/** Returns an error that says that the outcome of a write is unknown. */
function openOutcome(error: OutlineError): OutlineError {
	return new OutlineError(
		"storage_unavailable",
		`${error.message} The change may have been stored all the same: look before you repeat it.`,
		{ cause: error.cause },
	);
}
