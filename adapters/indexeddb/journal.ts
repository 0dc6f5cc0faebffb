import { OutlineError } from "../../src/errors.js";
import type { Batch } from "../../src/storage.js";
import { type Delta, deltaOf } from "../resident/delta.js";
import type { IndexImage, RecordIndex } from "../resident/index/record-index.js";
import type { Journal, JournalOfOthers } from "../resident/journal.js";
import { Compaction, entriesOf } from "./compaction.js";
import { type Database, databaseName, type Use } from "./database.js";
import { type Connection, unheeded } from "./indexed-db.js";
import { fillIndex, readStored } from "./load.js";
import { Notices } from "./notices.js";
import { assertFits, batchBound, recordLimit } from "./record-size.js";
import { writeSnapshot } from "./snapshot.js";
import { type JournalRecord, journalContent, metaContent, metaKey, randomName, stores } from "./stored.js";
import { transact, transactAtOnce } from "./transaction.js";

/** How an outline is written. */
export interface IndexedDbJournalOptions {
	readonly database: Database;
	readonly durability: "strict" | "relaxed";
	/** How many commits must stand behind a snapshot, at least, before a new one is written. */
	readonly compactAfter: number;
	/** The most bytes of a record. Default {@link recordLimit}; tests set less. */
	readonly recordLimit?: number;
}

/**
 * The journal of one outline in a database of IndexedDB, which other tabs write to as well. A flush is one transaction: it
 * looks where the journal ends and adds a record for each commit. It is acknowledged when the transaction is complete.
 *
 * To wait for what the look has found before the transaction may end would cost a turn through the browser, a third of what
 * a commit takes. So it ends by itself, and the look tells afterwards whether the records stand where they count: adding
 * under a key that is taken fails and takes everything back, and a key that isn't is free because a snapshot has deleted
 * what was there, which is where nobody reads any more.
 */
export class IndexedDbJournal implements Journal {
	readonly others: JournalOfOthers;
	readonly #database: Database;
	readonly #durability: "strict" | "relaxed";
	readonly #compaction: Compaction;
	readonly #recordLimit: number;
	/** With a count, the name of each write of this journal. */
	readonly #writer = randomName();
	#writes = 0;
	/** The connection on which a write has found everything as it must be. */
	#trusted: Connection | null = null;
	/** The revision of the snapshot, as far as known. */
	#snapshotRevision = 0;
	#notices: Notices | null = null;

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
		for (const [place, batch] of batches.entries()) {
			size += batchBound(batch);
			if (size > this.#recordLimit) return Math.max(place, 1);
		}
		return batches.length;
	}

	async append(batches: readonly Batch[]): Promise<void> {
		const by = `${this.#writer}-${this.#writes++}`;
		const records = batches.map((batch): JournalRecord => ({ ...deltaOf(batch), by }));
		for (const [place, batch] of batches.entries()) {
			if (batchBound(batch) > this.#recordLimit) assertFits(records[place]!, this.#recordLimit);
		}
		const { base } = batches[0]!;
		const write: Write = { base, records, by, sent: false };
		let counts: boolean;
		try {
			counts = await this.#database.run("writing to", (use) => this.#write(write, use));
		} catch (error) {
			const unavailable = error instanceof OutlineError && error.code === "storage_unavailable";
			throw unavailable && write.sent && this.#database.gone === null ? openOutcome(error) : error;
		}
		if (!counts) {
			// Where it stands it says nothing to anybody: who can't remove it leaves that to the next snapshot.
			await this.#remove(write).catch(() => {});
			throw overtaken(base);
		}
		this.#compaction.add(records);
		this.#notices?.tell();
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

	/** Adds the records. Gives whether they count: false if they stand where a snapshot has deleted what was there. */
	async #write(write: Write, use: Use): Promise<boolean> {
		const { connection, again } = use;
		if (again || connection !== this.#trusted) await this.#writeCarefully(write, use);
		else if (!(await this.#writeAtOnce(write, connection))) return false;
		this.#trusted = connection;
		return true;
	}

	async #writeAtOnce(write: Write, connection: Connection): Promise<boolean> {
		const options = { stores: [stores.journal], mode: "readwrite", durability: this.#durability } as const;
		const keys = await transactAtOnce(connection, options, (transaction) => {
			const journal = transaction.objectStore(stores.journal);
			const looking = journal.getAllKeys(IDBKeyRange.lowerBound(write.base), 2);
			for (const record of write.records) journal.add(record, record.revision);
			write.sent = true;
			return looking;
		});
		return isEnd(write.base, keys);
	}

	/**
	 * Adds the records where it isn't known whether the database is as this tab has left it: waits for what the look has
	 * found, and finds out whether they are there from a first try. @throws `conflict`
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

	/** Removes what was written and doesn't count. */
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

/** What is to be written. */
interface Write {
	readonly base: number;
	readonly records: readonly JournalRecord[];
	/** What all of them are marked with. */
	readonly by: string;
	/** Whether the browser has got it once. */
	sent: boolean;
}

/** Whether the journal ends with a revision, if these are its keys from there on. */
function isEnd(revision: number, [first, second]: readonly IDBValidKey[]): boolean {
	return revision === 0 ? first === undefined : first === revision && second === undefined;
}

function overtaken(base: number): OutlineError {
	return new OutlineError("conflict", `Somebody else has committed on revision ${base} first.`);
}

/** An error that leaves open what became of a write. */
function openOutcome(error: OutlineError): OutlineError {
	return new OutlineError(
		"storage_unavailable",
		`${error.message} The change may have been stored all the same: look before you repeat it.`,
		{ cause: error.cause },
	);
}
