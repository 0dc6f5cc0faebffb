import { OutlineError } from "../../src/errors.js";
import type { Batch } from "../../src/storage.js";
import { type Delta, deltaOf } from "../resident/delta.js";
import type { Journal, JournalOfOthers } from "../resident/journal.js";
import type { IndexImage, RecordIndex } from "../resident/record-index.js";
import { Compaction, entriesOf } from "./compaction.js";
import { type Database, databaseName, type Use } from "./database.js";
import { unheeded } from "./indexed-db.js";
import { fillIndex, readStored } from "./load.js";
import { Notices } from "./notices.js";
import { writeSnapshot } from "./snapshot.js";
import { type JournalRecord, journalContent, randomName, stores } from "./stored.js";
import { transact } from "./transaction.js";

/** How an outline is written. */
export interface IndexedDbJournalOptions {
	readonly database: Database;
	readonly durability: "strict" | "relaxed";
	/** How many commits must stand behind a snapshot, at least, before a new one is written. */
	readonly compactAfter: number;
}

/**
 * The journal of one outline in a database of IndexedDB, which other tabs write to as well. A flush is one transaction: it
 * looks where the journal ends and adds a record for each commit. It is acknowledged when the transaction is complete.
 */
export class IndexedDbJournal implements Journal {
	readonly others: JournalOfOthers;
	readonly #database: Database;
	readonly #durability: "strict" | "relaxed";
	readonly #compaction: Compaction;
	/** With a count, the name of each write of this journal. */
	readonly #writer = randomName();
	#writes = 0;
	/** The revision of the snapshot, as far as known. */
	#snapshotRevision = 0;
	#notices: Notices | null = null;

	constructor({ database, durability, compactAfter }: IndexedDbJournalOptions) {
		this.#database = database;
		this.#durability = durability;
		this.#compaction = new Compaction(compactAfter);
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

	async append(batches: readonly Batch[]): Promise<void> {
		const by = `${this.#writer}-${this.#writes++}`;
		const records = batches.map((batch): JournalRecord => ({ ...deltaOf(batch), by }));
		const write: Write = { base: batches[0]!.base, records, sent: false };
		try {
			await this.#database.run("writing to", (use) => this.#write(write, use));
		} catch (error) {
			const unavailable = error instanceof OutlineError && error.code === "storage_unavailable";
			throw unavailable && write.sent && this.#database.gone === null ? openOutcome(error) : error;
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

	#write(write: Write, { connection, again }: Use): Promise<void> {
		const { base, records } = write;
		const lookUp = again && write.sent;
		const options = { stores: [stores.journal], mode: "readwrite", durability: this.#durability } as const;
		return transact(connection, options, async (transaction) => {
			const journal = transaction.objectStore(stores.journal);
			if (lookUp) {
				const found = (await journal.get(base + 1)) as JournalRecord | undefined;
				if (found?.by === records[0]!.by) return;
			}
			// Adding under a key that is taken fails too. But the keys that a tab goes on with after a long sleep may be free
			// again: a snapshot has taken the place of what was there.
			const looking = unheeded(journal.getAllKeys(IDBKeyRange.lowerBound(base), 2));
			for (const record of records) unheeded(journal.add(record, record.revision));
			write.sent = true;
			const [first, second] = await looking;
			if (base === 0 ? first === undefined : first === base && second === undefined) return;
			if (lookUp && first !== undefined && first > base + 1) {
				throw new OutlineError(
					"storage_unavailable",
					"The connection was lost while the outline was being written to.",
				);
			}
			throw new OutlineError("conflict", `Somebody else has committed on revision ${base} first.`);
		});
	}

	async #since(revision: number): Promise<readonly Delta[] | null> {
		const { outline } = this.#database;
		const [first, values] = await this.#database.run("reading", ({ connection }) =>
			transact(connection, { stores: [stores.journal], mode: "readonly" }, async (transaction) => {
				const journal = transaction.objectStore(stores.journal);
				const looking = unheeded(journal.getAllKeys(IDBKeyRange.lowerBound(revision), 1));
				const reading = unheeded(journal.getAll(IDBKeyRange.lowerBound(revision, true)));
				return [(await looking)[0], await reading] as const;
			}),
		);
		if (first === undefined && revision > 0) throw this.#database.vanished();
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
	/** Whether the browser has got it once. */
	sent: boolean;
}

/** An error that leaves open what became of a write. */
function openOutcome(error: OutlineError): OutlineError {
	return new OutlineError(
		"storage_unavailable",
		`${error.message} The change may have been stored all the same: look before you repeat it.`,
		{ cause: error.cause },
	);
}
