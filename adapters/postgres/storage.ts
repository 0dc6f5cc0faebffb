import { OutlineError } from "../../src/errors.js";
import { paced } from "../../src/pace.js";
import type { Batch, CommitNotice, DisposableStorage, Query, Snapshot, StoredNode } from "../../src/storage.js";
import { assertCommitFits } from "../record-size.js";
import type { Row } from "../sql/answer.js";
import { RevisionWatch } from "../sql/revision-watch.js";
import { outlinesTable } from "../sql/schema.js";
import { closed, conflict } from "../storage-error.js";
import type { PostgresPool } from "./client.js";
import { commitName, commitNameLength, commitStatement, deleteDroppedDocuments } from "./commit.js";
import type { PostgresQuery } from "./connection.js";
import { isRefusal } from "./fault.js";
import { channelOf, PostgresListener } from "./listener.js";
import { migrate } from "./migrate.js";
import { nameOf } from "./prepared.js";
import { readParameters, readStatement, snapshotFrom } from "./read.js";
import { PostgresScan } from "./scan.js";
import { PostgresServer } from "./server.js";
import { statisticsDue, takeStatistics } from "./statistics.js";

/**
 * The most attempts for a server that hasn't been reached before. A server that has been reached is retried
 * until the timeout. A server that hasn't more likely has a wrong address, and the caller should learn of
 * that soon.
 */
const firstAttempts = 10;

/**
 * The most milliseconds of work that no caller waits for: notifying, deleting documents, taking statistics.
 */
const asideTimeout = 5000;

/**
 * The milliseconds for which commits are gathered before one notification. A notification costs as much as a
 * commit.
 */
const notifyDelay = 10;

/**
 * The most bytes of a commit on its way to the server. A smaller commit can always be read again: V8 strings
 * have up to 2^29 characters.
 */
const longestCommit = 2 ** 28;

/** All settings of a storage. */
export interface PostgresSettings {
	readonly outline: string;
	readonly createSchema: boolean;
	/** Whether to notify other processes of commits. */
	readonly notify: boolean;
	/** Whether to listen for notifications of other processes. */
	readonly listen: boolean;
	readonly pollInterval: number;
	readonly timeout: number;
}

/** The checks of the schema, one for each pool; separate ones for storages that create missing tables. */
const checks = { create: new WeakMap<PostgresPool, Promise<void>>(), look: new WeakMap<PostgresPool, Promise<void>>() };

/** An outline in a PostgreSQL database. Each read and each commit is one statement. */
export class PostgresStorage implements DisposableStorage {
	readonly #pool: PostgresPool;
	readonly #server: PostgresServer;
	readonly #aside: PostgresServer;
	readonly #settings: PostgresSettings;
	readonly #watch: RevisionWatch;
	readonly #underWay = new Set<Promise<unknown>>();
	readonly #scans = new Set<PostgresScan>();
	#unlisten: (() => void) | undefined;
	/** Whether a notification is being sent, and whether another one is due after it. */
	#notifying: "no" | "yes" | "again" = "no";
	#closed = false;

	constructor(pool: PostgresPool, settings: PostgresSettings) {
		this.#pool = pool;
		this.#settings = settings;
		this.#server = new PostgresServer(pool, settings.timeout);
		this.#aside = new PostgresServer(pool, Math.min(settings.timeout, asideTimeout));
		this.#watch = new RevisionWatch(async () => (await this.read([])).revision, settings.pollInterval);
	}

	read<const Q extends readonly Query[]>(queries: Q): Promise<Snapshot<Q>> {
		return this.#use(async () => {
			const statement = readStatement(queries);
			const parameters = readParameters(statement, this.#settings.outline, queries);
			const rows = await this.#server.run((query) =>
				query(statement.sql, parameters, nameOf(statement.sql, this.#pool)),
			);
			return snapshotFrom(statement, queries, rows as (Row & { current: unknown; part: unknown })[]);
		});
	}

	commit(batch: Batch): Promise<number> {
		return this.#use(async () => {
			const revision = batch.base + 1;
			if (!(await this.#apply(batch, commitName()))) {
				throw conflict(`The commit is based on revision ${batch.base}, which isn't the outline's.`);
			}
			this.#watch.notify(revision);
			if (this.#settings.notify) this.#notify();
			if (batch.documents !== undefined && batch.documents.dropped.length > 0) this.#deleteDroppedDocuments();
			const due = statisticsDue(this.#pool, batch.nodes.length);
			if (due !== undefined) this.#takeStatistics(due);
			return revision;
		});
	}

	async *scan(): AsyncGenerator<readonly StoredNode[], void, undefined> {
		await this.#use(async () => {});
		const { outline, timeout } = this.#settings;
		const scan = new PostgresScan(this.#server, outline, timeout);
		this.#scans.add(scan);
		try {
			yield* scan.chunks();
		} finally {
			this.#scans.delete(scan);
		}
	}

	watch(listener: (notice: CommitNotice) => void): () => void {
		if (this.#closed) return () => {};
		const { listen, outline } = this.#settings;
		if (listen) {
			this.#unlisten ??= PostgresListener.of(this.#pool).add(channelOf(outline), () => void this.#watch.poll());
		}
		const remove = this.#watch.add(listener);
		return () => {
			remove();
			if (!this.#watch.active) this.#stopListening();
		};
	}

	async close(): Promise<void> {
		this.#closed = true;
		this.#watch.stop();
		this.#stopListening();
		for (const scan of this.#scans) scan.end(closed());
		while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
	}

	[Symbol.asyncDispose](): Promise<void> {
		return this.close();
	}

	/** Uses the tables after it is certain that they are there. */
	async #use<T>(work: () => Promise<T>): Promise<T> {
		this.#assertOpen();
		return this.#follow(this.#schema().then(work));
	}

	#schema(): Promise<void> {
		const { createSchema } = this.#settings;
		const known = createSchema ? checks.create : checks.look;
		let check = known.get(this.#pool);
		if (check === undefined) {
			check = migrate(new PostgresServer(this.#pool, this.#settings.timeout, firstAttempts), createSchema);
			known.set(this.#pool, check);
			check.catch(() => known.delete(this.#pool));
		}
		return check;
	}

	/** Adds work that closing waits for. */
	#follow<T>(work: Promise<T>): Promise<T> {
		const settled = work.then(
			() => {},
			() => {},
		);
		this.#underWay.add(settled);
		void settled.then(() => this.#underWay.delete(settled));
		return work;
	}

	/** Applies a batch. Returns false if its base isn't the outline's revision. */
	async #apply(batch: Batch, name: string): Promise<boolean> {
		assertCommitFits(batch, longestCommit);
		const { sql, parameters } = await paced(commitStatement(this.#settings.outline, batch, name));
		let lost = false;
		try {
			return await this.#server.run(async (query) => {
				const rows = await query(sql, parameters, nameOf(sql, this.#pool)).catch((error) => {
					lost ||= !isRefusal(error);
					throw error;
				});
				// An earlier attempt may have been applied, and only its answer lost.
				return rows.length > 0 || (lost && (await this.#nameOf(batch.base + 1, query)) === name);
			});
		} catch (error) {
			if (!lost) throw error;
			const said = error instanceof Error ? error.message : String(error);
			throw new OutlineError(
				"storage_unavailable",
				`It isn't known whether the commit was applied, for its answer was lost. Look at the outline to see. ${said}`,
				{ cause: error },
			);
		}
	}

	/** Returns the name of the commit that made a revision. */
	async #nameOf(revision: number, query: PostgresQuery): Promise<string | undefined> {
		const rows = await query(`SELECT revision, commits FROM ${outlinesTable} WHERE outline = $1::text`, [
			this.#settings.outline,
		]);
		const row = rows[0] as { revision: unknown; commits: string } | undefined;
		if (row === undefined) return undefined;
		const since = (Number(row.revision) - revision) * commitNameLength;
		if (since < 0) return undefined;
		if (since < row.commits.length) return row.commits.slice(since, since + commitNameLength);
		throw new OutlineError("storage_unavailable", "So many commits have followed that its name isn't there any more.");
	}

	/** Notifies other processes of commits. Commits don't wait for it, and many share one notification. */
	#notify(): void {
		if (this.#notifying !== "no") {
			this.#notifying = "again";
			return;
		}
		this.#notifying = "yes";
		const notifying = new Promise((resolve) => setTimeout(resolve, notifyDelay)).then(() =>
			this.#aside.run((query) =>
				query("SELECT pg_notify($1::text, $2::text)", [channelOf(this.#settings.outline), ""]),
			),
		);
		void this.#follow(notifying)
			// Processes that miss the notification poll after a while.
			.catch(() => {})
			.then(() => {
				const again = this.#notifying === "again";
				this.#notifying = "no";
				if (again) this.#notify();
			});
	}

	/**
	 * Deletes the rows of dropped documents. Commits don't wait for it. If it fails, a later call deletes them.
	 */
	#deleteDroppedDocuments(): void {
		const { outline } = this.#settings;
		void this.#follow(this.#aside.run((query) => query(deleteDroppedDocuments, [outline]))).catch(() => {});
	}

	/** Takes statistics. Commits don't wait for it, and a failed attempt isn't retried. */
	#takeStatistics(nodes: number): void {
		void this.#follow(this.#aside.run((query) => takeStatistics(query, nodes))).catch(() => {});
	}

	#stopListening(): void {
		this.#unlisten?.();
		this.#unlisten = undefined;
	}

	#assertOpen(): void {
		if (this.#closed) throw closed();
	}
}
