import type { AbstractBatchOptions } from "abstract-level";
import {
	type Batch,
	type CommitNotice,
	OutlineError,
	type Query,
	type Snapshot,
	type StorageAdapter,
	type StoredNode,
} from "outlinekit";
import { Answers } from "./answers.js";
import { type Database, type Moment, type Tables, tablesOf } from "./rows.js";
import { writesOf } from "./writes.js";

/** The number of nodes in a chunk of a scan. */
const chunkSize = 500;

/** Without `sync`, a commit that has been acknowledged could be lost with the next power cut. */
const durably: AbstractBatchOptions<string, unknown> & { readonly sync: true } = { sync: true };

/**
 * A storage in a database of the Level family that has snapshots (classic-level, memory-level). One database
 * may hold many outlines. Closing the storage doesn't close the database. An outline may have one storage at
 * a time.
 *
 * A commit is acknowledged when LevelDB has synced its log to the disk.
 */
export function createLevelStorage(database: Database, { outline }: { outline: string }): StorageAdapter {
	if (!/^[\w-]+$/.test(outline)) {
		throw new OutlineError("invalid_argument", "outline must be a name of letters, digits, - and _.");
	}
	if (!database.supports.explicitSnapshots) {
		throw new OutlineError("invalid_argument", "The database has no snapshots. Use classic-level or memory-level.");
	}
	return new LevelStorage(database, tablesOf(database, outline));
}

class LevelStorage implements StorageAdapter {
	readonly #database: Database;
	readonly #tables: Tables;
	readonly #moments = new Set<Moment>();
	readonly #listeners = new Set<(notice: CommitNotice) => void>();
	/** The last of the commits, which come one after the other. Never rejects. */
	#committing: Promise<unknown> = Promise.resolve();
	#closed = false;

	constructor(database: Database, tables: Tables) {
		this.#database = database;
		this.#tables = tables;
	}

	async read<const Q extends readonly Query[]>(queries: Q): Promise<Snapshot<Q>> {
		const moment = await this.#moment();
		try {
			const answers = new Answers(this.#tables, moment);
			const [revision, results] = await Promise.all([
				answers.revision(),
				Promise.all(queries.map((query) => answers.answer(query))),
			]);
			return { revision, results: results as never };
		} catch (error) {
			throw this.#closed ? closedError() : failure(error);
		} finally {
			await this.#release(moment);
		}
	}

	commit(batch: Batch): Promise<number> {
		if (this.#closed) return Promise.reject(closedError());
		const commit = this.#committing.then(() => this.#commit(batch));
		this.#committing = commit.catch(() => {});
		return commit;
	}

	async *scan(): AsyncIterable<readonly StoredNode[]> {
		const moment = await this.#moment();
		try {
			const answers = new Answers(this.#tables, moment);
			for (let last = ""; ; ) {
				const records = await this.#tables.nodes.values({ gt: last, limit: chunkSize, snapshot: moment }).all();
				if (records.length === 0) return;
				yield await answers.stored(records);
				if (this.#closed) throw closedError();
				last = records.at(-1)!.id;
			}
		} catch (error) {
			throw this.#closed ? closedError() : failure(error);
		} finally {
			await this.#release(moment);
		}
	}

	watch(listener: (notice: CommitNotice) => void): () => void {
		const entry = (notice: CommitNotice) => listener(notice);
		this.#listeners.add(entry);
		return () => this.#listeners.delete(entry);
	}

	async close(): Promise<void> {
		this.#closed = true;
		await this.#committing;
		this.#listeners.clear();
		for (const moment of this.#moments) await this.#release(moment);
	}

	async #commit(batch: Batch): Promise<number> {
		try {
			const current = (await this.#tables.state.get("revision")) ?? 0;
			if (batch.base !== current) {
				throw new OutlineError("conflict", `The commit is based on ${batch.base}, and the outline is at ${current}.`);
			}
			await this.#database.batch(await writesOf(batch, this.#tables), durably);
		} catch (error) {
			throw failure(error);
		}
		const revision = batch.base + 1;
		for (const listener of this.#listeners) {
			try {
				listener({ revision });
			} catch (error) {
				// A listener's error must not make the commit fail: it surfaces as unhandled.
				void Promise.reject(error);
			}
		}
		return revision;
	}

	/** Holds on to the tables as they are now. */
	async #moment(): Promise<Moment> {
		if (this.#closed) throw closedError();
		try {
			// A database opens on its own, and has no snapshots before.
			if (this.#database.status === "opening") await this.#database.open();
			if (this.#closed) throw closedError();
			const moment = this.#database.snapshot();
			this.#moments.add(moment);
			return moment;
		} catch (error) {
			throw failure(error);
		}
	}

	async #release(moment: Moment): Promise<void> {
		this.#moments.delete(moment);
		await moment.close();
	}
}

function closedError(): OutlineError {
	return new OutlineError("closed", "The storage has been closed.");
}

/**
 * The error for an error of the database. After a failed write, LevelDB accepts no more until it is opened
 * again.
 */
function failure(error: unknown): unknown {
	const { code, message } = error as { code?: string; message?: string };
	if (error instanceof OutlineError || !code?.startsWith("LEVEL_")) return error;
	if (code === "LEVEL_CORRUPTION") return new OutlineError("storage_corrupt", `Damaged: ${message}`, { cause: error });
	if (/no space/i.test(message ?? "")) return new OutlineError("quota_exceeded", `Full: ${message}`, { cause: error });
	const advice = "If it was a commit that failed, whether it is kept shows when the database is opened again.";
	return new OutlineError("storage_unavailable", `The database can't be used: ${message}. ${advice}`, { cause: error });
}
