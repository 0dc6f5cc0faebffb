import { OutlineError, quoted } from "../../src/errors.js";
import { finished, turn } from "../../src/pace.js";
import type { Batch, CommitNotice, DisposableStorage, Peek, Query, Snapshot, StoredNode } from "../../src/storage.js";
import { assertRecordsFit } from "../record-size.js";
import { RevisionWatch } from "../sql/revision-watch.js";
import { outlinesTable, schemaTable } from "../sql/schema.js";
import type { AtOnce } from "./at-once.js";
import { BulkRead } from "./bulk-read.js";
import type { SqliteDatabase } from "./client.js";
import { SqliteConnection } from "./connection.js";
import { isBusy } from "./fault.js";
import { Bulky, type ReadOptions } from "./read.js";
import { SqliteScan } from "./scan.js";
import { migrations } from "./schema.js";
import { type Reading, readAtOnce } from "./small-read.js";
import { isLarge, Staging, settle, Unsettled } from "./staging.js";
import { assertVersion, faultOfTables, SqliteTables } from "./tables.js";
import { runWrite, writesOf } from "./write.js";

/** The longest pause before a database that is busy is opened again, in milliseconds. */
const longestPause = 20;

/** How often much is read in steps while others commit in between. Then it is read in one go. */
const restarts = 3;

/** How many large commits in a row others overtake before one is written at once. */
const overtakings = 3;

/** What a storage is made with, all of it given. */
export interface SqliteSettings {
	readonly outline: string;
	readonly synchronous: "full" | "normal";
	readonly busyTimeout: number;
	readonly pollInterval: number;
	readonly atOnce: AtOnce;
}

/** Refused where others have moved the outline on, or have brought the tables to a schema that isn't known here. */
const advance = `UPDATE ${outlinesTable} SET revision = ?, staged = ?
	WHERE outline = ? AND revision = ? AND staged IS NULL AND (SELECT version FROM ${schemaTable}) = ${migrations.length}`;

const addOutline = `INSERT INTO ${outlinesTable} (name, revision) VALUES (?, 0) ON CONFLICT DO NOTHING`;

const outlineNumber = `SELECT outline FROM ${outlinesTable} WHERE name = ?`;

/** An outline in an SQLite database. The client answers at once, and so does the storage wherever it may. */
export class SqliteStorage implements DisposableStorage {
	readonly #connection: SqliteConnection;
	readonly #settings: SqliteSettings;
	readonly #watch: RevisionWatch;
	readonly #scans = new Set<SqliteScan>();
	/** The commits under way. Most are done with before anything else is asked. */
	readonly #commits = new Set<Promise<unknown>>();
	readonly #run: SqliteConnection["run"];
	/** The number of the outline in its database; undefined before the first use. */
	#outline: number | undefined;
	/** Which opening of the database that number belongs to. */
	#opened = 0;
	#options: ReadOptions | undefined;
	#closed = false;
	/** How many large commits in a row others have overtaken while these were put aside. */
	#overtaken = 0;

	constructor(database: SqliteDatabase, settings: SqliteSettings) {
		this.#connection = SqliteConnection.of(database);
		this.#run = (sql, ...parameters) => this.#connection.run(sql, ...parameters);
		this.#settings = settings;
		this.#watch = new RevisionWatch(async () => (await this.read([])).revision, settings.pollInterval);
	}

	read<const Q extends readonly Query[]>(queries: Q): Promise<Snapshot<Q>> {
		return this.#use((outline) => this.#snapshot(outline, queries)).catch((error) => {
			if (error instanceof Bulky) return this.#readInSteps(queries);
			throw error;
		});
	}

	peek<const Q extends readonly Query[]>(queries: Q): Peek<Q> | undefined {
		const outline = this.#known();
		if (outline === undefined || this.#closed || this.#connection.underWay(outline) !== undefined) return undefined;
		try {
			this.#connection.finish();
			const { revision, results } = this.#snapshot(outline, queries);
			return { revision, durable: true, results };
		} catch {
			// It is too much for now, or a read will tell what the matter is.
			return undefined;
		}
	}

	commit(batch: Batch): Promise<number> {
		const large = isLarge(batch, this.#settings.atOnce);
		// Where small commits keep coming, a large one would never be the first.
		const inParts = large && this.#overtaken < overtakings;
		const committing = inParts ? this.#commitInParts(batch) : this.#commitAtOnce(batch);
		const end = () => this.#commits.delete(committing);
		this.#commits.add(committing);
		committing.then(() => {
			if (large) this.#overtaken = 0;
			end();
		}, end);
		return committing;
	}

	async *scan(): AsyncIterable<readonly StoredNode[]> {
		const options = await this.#use(() => this.#options!);
		const scan = new SqliteScan(this.#connection, options, (read) =>
			this.#use((outline) => this.#connection.snapshot(() => read(this.#revision(outline), outline))),
		);
		this.#scans.add(scan);
		try {
			for await (const chunk of scan.chunks()) {
				yield chunk;
				this.#assertOpen();
			}
		} catch (error) {
			throw faultOfTables(this.#connection, error);
		} finally {
			this.#scans.delete(scan);
		}
	}

	watch(listener: (notice: CommitNotice) => void): () => void {
		return this.#closed ? () => {} : this.#watch.add(listener);
	}

	async close(): Promise<void> {
		this.#closed = true;
		this.#watch.stop();
		for (const scan of this.#scans) scan.drop();
		while (this.#commits.size > 0) await Promise.allSettled(this.#commits);
	}

	[Symbol.asyncDispose](): Promise<void> {
		return this.close();
	}

	/**
	 * Does something with the outline. The database is prepared for it on first use; from then on everything that isn't much is
	 * done here and now, before a promise is returned.
	 */
	async #use<T>(work: (outline: number) => T): Promise<T> {
		const end = Date.now() + this.#settings.busyTimeout;
		this.#assertOpen();
		for (;;) {
			let wait: Promise<void>;
			try {
				this.#connection.finish();
				const outline = this.#known() ?? this.#prepare();
				const underWay = this.#connection.underWay(outline);
				if (underWay === undefined) return work(outline);
				wait = underWay;
			} catch (error) {
				wait = this.#remedy(error, end);
			}
			await wait;
		}
	}

	/** What can be done about a failure before the same is tried again. Throws if that is nothing. */
	#remedy(error: unknown, end: number): Promise<void> {
		if (error instanceof Bulky) throw error;
		const outline = this.#known();
		if (error instanceof Unsettled && outline !== undefined) {
			const settling = () => settle(this.#connection, outline, this.#settings.atOnce);
			return this.#connection.alone(outline, settling).catch((failure) => {
				throw faultOfTables(this.#connection, failure);
			});
		}
		// SQLite itself doesn't wait for others that are just bringing the same file to WAL.
		if (outline === undefined && isBusy(error) && Date.now() < end) {
			return new Promise((resolve) => setTimeout(resolve, Math.random() * longestPause));
		}
		throw faultOfTables(this.#connection, error);
	}

	/** The number of the outline, if the database is prepared for it. */
	#known(): number | undefined {
		return this.#opened === this.#connection.opened ? this.#outline : undefined;
	}

	/** Prepares the database for the outline. Returns its number. */
	#prepare(): number {
		const { outline, synchronous, busyTimeout, atOnce } = this.#settings;
		this.#connection.configure(synchronous, busyTimeout);
		const { bytesOf } = SqliteTables.of(this.#connection);
		this.#options = { ...atOnce, bytesOf };
		let [row] = this.#connection.rows(outlineNumber, outline);
		if (row === undefined) {
			this.#connection.transaction(() => this.#connection.run(addOutline, outline));
			[row] = this.#connection.rows(outlineNumber, outline);
		}
		this.#outline = Number((row as { outline?: unknown }).outline);
		this.#opened = this.#connection.opened;
		return this.#outline;
	}

	#assertOpen(): void {
		if (this.#closed) throw new OutlineError("closed", "The storage has been closed. Open it anew.");
	}

	#snapshot<const Q extends readonly Query[]>(outline: number, queries: Q): Snapshot<Q> {
		const found = readAtOnce(this.#connection, outline, queries, this.#options!);
		if (found === undefined) throw this.#removed();
		return found as Snapshot<Q>;
	}

	/** Reads a long answer in slices. If another writer commits meanwhile, it begins again. */
	async #readInSteps<const Q extends readonly Query[]>(queries: Q): Promise<Snapshot<Q>> {
		for (let attempt = 0; attempt < restarts; attempt++) {
			const found = await this.#readAtOneRevision(queries);
			if (found !== undefined) return found as Snapshot<Q>;
		}
		const found = await this.#use((outline) =>
			this.#connection.snapshot((): Reading => {
				const revision = this.#revision(outline);
				const read = new BulkRead(this.#connection, outline, this.#options!);
				return { revision, results: finished(read.answers(queries, revision)) };
			}),
		);
		return found as Snapshot<Q>;
	}

	/** Reads in steps. Undefined if not all of them have seen the same revision. */
	async #readAtOneRevision(queries: readonly Query[]): Promise<Reading | undefined> {
		let begun: { readonly revision: number; readonly steps: ReturnType<BulkRead["answers"]> } | undefined;
		for (;;) {
			const step = await this.#use((outline) =>
				this.#connection.snapshot(() => {
					const revision = this.#revision(outline);
					const read = new BulkRead(this.#connection, outline, this.#options!);
					begun ??= { revision, steps: read.answers(queries, revision) };
					return revision === begun.revision ? begun.steps.next() : undefined;
				}),
			);
			if (step === undefined) return undefined;
			if (step.done) return { revision: begun!.revision, results: step.value };
			await turn();
		}
	}

	#commitAtOnce(batch: Batch): Promise<number> {
		return this.#use((outline) => {
			this.#assertFits(batch);
			this.#connection.transaction(() => {
				this.#advance(outline, batch.base, null);
				for (const write of writesOf(batch)) runWrite(this.#run, outline, write);
			});
			return this.#committed(batch);
		});
	}

	async #commitInParts(batch: Batch): Promise<number> {
		const { committing } = await this.#use((outline) => {
			this.#assertFits(batch);
			if (this.#connection.revision(outline) !== batch.base) this.#refuse(outline, batch.base);
			return { committing: this.#connection.alone(outline, () => this.#writeInParts(outline, batch)) };
		});
		return committing;
	}

	async #writeInParts(outline: number, batch: Batch): Promise<number> {
		const { atOnce } = this.#settings;
		const staging = new Staging(this.#connection, outline);
		try {
			await staging.add(batch, atOnce);
			this.#connection.transaction(() => this.#advance(outline, batch.base, staging.name));
		} catch (error) {
			if (error instanceof Unsettled || isConflict(error)) this.#overtaken += 1;
			// What can't be removed now is by a later commit.
			await staging.discard().catch(() => {});
			throw error instanceof Unsettled ? conflict(batch.base) : faultOfTables(this.#connection, error);
		}
		// It is durable. If settling fails now, the next read tries again and reports the error.
		await settle(this.#connection, outline, atOnce).catch(() => {});
		return this.#committed(batch);
	}

	#assertFits(batch: Batch): void {
		assertRecordsFit(batch, SqliteTables.known(this.#connection).longestRecord);
	}

	#committed({ base }: Batch): number {
		this.#watch.tell(base + 1);
		return base + 1;
	}

	/** Moves the outline on from a revision, in a transaction. @param staged - the name of the commit, if its parts are put aside */
	#advance(outline: number, base: number, staged: string | null): void {
		if (this.#connection.run(advance, base + 1, staged, outline, base) === 0) this.#refuse(outline, base);
	}

	/** Says why the outline can't be moved on. */
	#refuse(outline: number, base: number): never {
		assertVersion(this.#connection);
		throw conflict(base, this.#revision(outline));
	}

	#revision(outline: number): number {
		const revision = this.#connection.revision(outline);
		if (revision === undefined) throw this.#removed();
		return revision;
	}

	#removed(): OutlineError {
		return new OutlineError(
			"storage_unavailable",
			`The outline ${quoted(this.#settings.outline)} has been removed from its database. Open it again.`,
		);
	}
}

function isConflict(error: unknown): boolean {
	return error instanceof OutlineError && error.code === "conflict";
}

function conflict(base: number, current?: number): OutlineError {
	const where = current === undefined ? "has been moved on" : `is at ${current}`;
	return new OutlineError("conflict", `The commit is based on revision ${base}, and the outline ${where}.`);
}
