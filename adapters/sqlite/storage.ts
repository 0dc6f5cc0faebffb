import { isConflict, OutlineError, quoted } from "../../src/errors.js";
import { finished, turn } from "../../src/pace.js";
import type { Batch, CommitNotice, DisposableStorage, Peek, Query, Snapshot, StoredNode } from "../../src/storage.js";
import { assertRecordsFit } from "../record-size.js";
import { RevisionWatch } from "../sql/revision-watch.js";
import { outlinesTable, schemaTable } from "../sql/schema.js";
import { closed, conflict } from "../storage-error.js";
import type { AtOnce } from "./at-once.js";
import { BulkRead } from "./bulk-read.js";
import type { SqliteDatabase } from "./client.js";
import { SqliteConnection } from "./connection.js";
import { isBusy, Unsettled } from "./fault.js";
import { Bulky, fitsTogether, type ReadOptions } from "./read.js";
import { SqliteScan } from "./scan.js";
import { migrations } from "./schema.js";
import { readAtOnce } from "./small-read.js";
import { isLarge, Staging, settle } from "./staging.js";
import { assertVersion, faultOfTables, SqliteTables } from "./tables.js";
import { dropTombstones, runWrite, writesOf } from "./write.js";

/** The longest pause before a busy database is opened again, in milliseconds. */
const longestPause = 20;

/**
 * The number of tries to read a long answer in steps while other writers commit. Then it is read without a
 * pause.
 */
const restarts = 3;

/**
 * The number of large commits in a row that other commits may overtake. The next one is written without a
 * pause.
 */
const overtakings = 3;

/** All settings of a storage. */
export interface SqliteSettings {
	readonly outline: string;
	readonly synchronous: "full" | "normal";
	readonly busyTimeout: number;
	readonly pollInterval: number;
	readonly atOnce: AtOnce;
}

/** Changes no row if another writer has increased the revision, or if the tables have another schema. */
const advance = `UPDATE ${outlinesTable} SET revision = ?, staged = ?
	WHERE outline = ? AND revision = ? AND staged IS NULL AND (SELECT version FROM ${schemaTable}) = ${migrations.length}`;

const addOutline = `INSERT INTO ${outlinesTable} (name, revision) VALUES (?, 0) ON CONFLICT DO NOTHING`;

const outlineNumber = `SELECT outline FROM ${outlinesTable} WHERE name = ?`;

/**
 * An outline in an SQLite database. The client is synchronous, so the storage answers without waiting if it
 * can.
 */
export class SqliteStorage implements DisposableStorage {
	readonly #connection: SqliteConnection;
	readonly #settings: SqliteSettings;
	readonly #watch: RevisionWatch;
	readonly #scans = new Set<SqliteScan>();
	/** The present commits. Most are done before the next call. */
	readonly #commits = new Set<Promise<unknown>>();
	readonly #run: SqliteConnection["run"];
	/** The number of the outline in its database; undefined before the first use. */
	#outline: number | undefined;
	/** The opening of the database to which that number belongs. */
	#opened = 0;
	#options: ReadOptions | undefined;
	/** The last queries whose answer was too long for one step, as JSON, until `read` answers them in steps. */
	#tooLong: string | undefined;
	#closed = false;
	/** The number of large commits in a row that other commits have overtaken. */
	#overtaken = 0;

	constructor(database: SqliteDatabase, settings: SqliteSettings) {
		this.#connection = SqliteConnection.of(database);
		this.#run = (sql, ...parameters) => this.#connection.run(sql, ...parameters);
		this.#settings = settings;
		this.#watch = new RevisionWatch(async () => (await this.read([])).revision, settings.pollInterval);
	}

	read<const Q extends readonly Query[]>(queries: Q): Promise<Snapshot<Q>> {
		if (this.#isTooLong(queries)) {
			this.#tooLong = undefined;
			return this.#readInSteps(queries);
		}
		return this.#use((outline) => this.#snapshot(outline, queries)).catch((error) => {
			if (error instanceof Bulky) return this.#readInSteps(queries);
			throw error;
		});
	}

	peek<const Q extends readonly Query[]>(queries: Q): Peek<Q> | undefined {
		const outline = this.#known();
		if (outline === undefined || this.#closed || this.#connection.underWay(outline) !== undefined) return undefined;
		if (this.#isTooLong(queries)) return undefined;
		try {
			this.#connection.finish();
			const { revision, results } = this.#snapshot(outline, queries);
			return { revision, durable: true, results };
		} catch (error) {
			if (error instanceof Bulky && fitsTogether(queries)) this.#tooLong = JSON.stringify(queries);
			// A later `read` will throw any other error.
			return undefined;
		}
	}

	#isTooLong(queries: readonly Query[]): boolean {
		return this.#tooLong !== undefined && this.#tooLong === JSON.stringify(queries);
	}

	commit(batch: Batch): Promise<number> {
		const large = isLarge(batch, this.#settings.atOnce);
		// If small commits keep coming, a large one that is written in parts would always be too late.
		const inParts = large && this.#overtaken < overtakings;
		const committing = inParts
			? this.#commitInParts(batch)
			: batch.horizon === undefined
				? this.#commitAtOnce(batch)
				: this.#commitHorizon(batch, batch.horizon);
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
	 * Uses the outline. Prepares the database on first use; from then on all short work is done synchronously,
	 * before a promise is returned.
	 */
	async #use<T>(work: (outline: number) => T): Promise<T> {
		const end = performance.now() + this.#settings.busyTimeout;
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

	/** Repairs the cause of a failure if possible, so that the caller can retry. Throws otherwise. */
	#remedy(error: unknown, end: number): Promise<void> {
		if (error instanceof Bulky) throw error;
		const outline = this.#known();
		if (error instanceof Unsettled && outline !== undefined) {
			const settling = () => settle(this.#connection, outline, this.#settings.atOnce);
			return this.#connection.alone(outline, settling).catch((failure) => {
				throw faultOfTables(this.#connection, failure);
			});
		}
		// SQLite itself doesn't wait for another connection that is changing the same file to WAL.
		if (outline === undefined && isBusy(error) && performance.now() < end) {
			return new Promise((resolve) => setTimeout(resolve, Math.random() * longestPause));
		}
		throw faultOfTables(this.#connection, error);
	}

	/** Returns the number of the outline if the database is prepared for it. */
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
		if (this.#closed) throw closed();
	}

	#snapshot<const Q extends readonly Query[]>(outline: number, queries: Q): Snapshot<Q> {
		const found = readAtOnce(this.#connection, outline, queries, this.#options!);
		if (found === undefined) throw this.#removed();
		return found as Snapshot<Q>;
	}

	/** Reads a long answer in steps. If another writer commits meanwhile, begins again. */
	async #readInSteps<const Q extends readonly Query[]>(queries: Q): Promise<Snapshot<Q>> {
		for (let attempt = 0; attempt < restarts; attempt++) {
			const found = await this.#readAtOneRevision(queries);
			if (found !== undefined) return found as Snapshot<Q>;
		}
		const found = await this.#use((outline) =>
			this.#connection.snapshot((): Snapshot<readonly Query[]> => {
				const revision = this.#revision(outline);
				const read = new BulkRead(this.#connection, outline, this.#options!);
				return { revision, results: finished(read.answers(queries, revision)) };
			}),
		);
		return found as Snapshot<Q>;
	}

	/** Reads in steps. Returns undefined if the steps saw different revisions. */
	async #readAtOneRevision(queries: readonly Query[]): Promise<Snapshot<readonly Query[]> | undefined> {
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

	/** Commits a horizon, and then drops the tombstones, some at a time: there may be millions. */
	async #commitHorizon(batch: Batch, horizon: number): Promise<number> {
		const revision = await this.#commitAtOnce(batch);
		try {
			for (const statement of dropTombstones) while ((await this.#dropSome(statement, horizon)) > 0) await turn();
		} catch {
			// The commit is durable, and no answer has these tombstones any more. The next prune drops the rest.
		}
		return revision;
	}

	#dropSome(statement: string, horizon: number): Promise<number> {
		const { rows } = this.#settings.atOnce;
		return this.#use((outline) =>
			this.#connection.transaction(() => this.#connection.run(statement, outline, horizon, rows)),
		);
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
			// If the parts can't be removed now, a later commit removes them.
			await staging.discard().catch(() => {});
			throw error instanceof Unsettled ? overtaken(batch.base) : faultOfTables(this.#connection, error);
		}
		// The commit is durable. If applying its parts fails now, the next read retries it and reports the error.
		await settle(this.#connection, outline, atOnce).catch(() => {});
		return this.#committed(batch);
	}

	#assertFits(batch: Batch): void {
		assertRecordsFit(batch, SqliteTables.known(this.#connection).longestRecord);
	}

	#committed({ base }: Batch): number {
		this.#watch.notify(base + 1);
		return base + 1;
	}

	/**
	 * Increases the outline's revision, in a transaction.
	 *
	 * @param staged - the name of the commit, if its parts aren't applied yet
	 */
	#advance(outline: number, base: number, staged: string | null): void {
		if (this.#connection.run(advance, base + 1, staged, outline, base) === 0) this.#refuse(outline, base);
	}

	/** Throws the reason why the revision can't be increased. */
	#refuse(outline: number, base: number): never {
		assertVersion(this.#connection);
		throw overtaken(base, this.#revision(outline));
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

function overtaken(base: number, current?: number): OutlineError {
	const where = current === undefined ? "has been moved on" : `is at ${current}`;
	return conflict(`The commit is based on revision ${base}, and the outline ${where}.`);
}
