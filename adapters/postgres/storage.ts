import { OutlineError } from "../../src/errors.js";
import { paced } from "../../src/pace.js";
import type { Batch, CommitNotice, DisposableStorage, Query, Snapshot, StoredNode } from "../../src/storage.js";
import { assertCommitFits } from "../record-size.js";
import type { Row } from "../sql/answer.js";
import { RevisionWatch } from "../sql/revision-watch.js";
import { outlinesTable } from "../sql/schema.js";
import type { PostgresPool } from "./client.js";
import { commitName, commitNameLength, commitStatement, deleteDroppedReceipts } from "./commit.js";
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
 * How often a server is tried that hasn't been reached before. One that has been is worth the whole time; here it is more
 * likely that its address is wrong, and nobody should wait long to hear of that.
 */
const firstAttempts = 10;

/** How long what nobody waits for may take at most, in milliseconds: notifying others, tidying up, taking statistics. */
const asideTimeout = 5000;

/**
 * How long commits are gathered before others are notified of them, in milliseconds: a notification costs as much as a commit.
 */
const notifyDelay = 10;

/** The most bytes that a commit is sent with. Whatever is sent with fewer can be read again: a text of V8 has up to 2^29. */
const longestCommit = 2 ** 28;

/** What a storage is made with, all of it given. */
export interface PostgresSettings {
	readonly outline: string;
	readonly createSchema: boolean;
	/** Whether others are notified of commits. */
	readonly notify: boolean;
	/** Whether it listens for notifications of others. */
	readonly listen: boolean;
	readonly pollInterval: number;
	readonly timeout: number;
}

/** The looks at the schema, one for each pool, and another for those that make what is missing. */
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
	/** Whether others are being notified, and whether there is more to tell them since. */
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
				throw new OutlineError("conflict", `The commit is based on revision ${batch.base}, which isn't the outline's.`);
			}
			this.#watch.tell(revision);
			if (this.#settings.notify) this.#notify();
			if (batch.receipts !== undefined && batch.receipts.dropped.length > 0) this.#deleteDroppedReceipts();
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
			this.#unlisten ??= PostgresListener.of(this.#pool).add(channelOf(outline), () => void this.#watch.look());
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

	/** Does something with the tables, once it is sure that they are there. */
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

	/** Closing waits for what is under way. */
	#follow<T>(work: Promise<T>): Promise<T> {
		const settled = work.then(
			() => {},
			() => {},
		);
		this.#underWay.add(settled);
		void settled.then(() => this.#underWay.delete(settled));
		return work;
	}

	/** Applies a batch. False if its base isn't the outline's revision. */
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
				// An attempt before may have been applied, and only the word of it been lost.
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

	/** The name of the commit that made a revision. */
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

	/** Lets others know that there is something new. Commits don't wait for it, and many share one notification. */
	#notify(): void {
		if (this.#notifying !== "no") {
			this.#notifying = "again";
			return;
		}
		this.#notifying = "yes";
		const telling = new Promise((resolve) => setTimeout(resolve, notifyDelay)).then(() =>
			this.#aside.run((query) =>
				query("SELECT pg_notify($1::text, $2::text)", [channelOf(this.#settings.outline), ""]),
			),
		);
		void this.#follow(telling)
			// Whoever hasn't heard of it looks by himself after a while.
			.catch(() => {})
			.then(() => {
				const again = this.#notifying === "again";
				this.#notifying = "no";
				if (again) this.#notify();
			});
	}

	/** Commits don't wait for it. What stays behind if it fails goes with the next. */
	#deleteDroppedReceipts(): void {
		const { outline } = this.#settings;
		void this.#follow(this.#aside.run((query) => query(deleteDroppedReceipts, [outline]))).catch(() => {});
	}

	/** Commits don't wait for it, and a server that won't isn't asked again. */
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

function closed(): OutlineError {
	return new OutlineError("closed", "The storage has been closed. Open it anew.");
}
