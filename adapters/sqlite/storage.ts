import { OutlineError, quoted } from "../../src/errors.js";
import type {
	Batch,
	CommitNotice,
	KeyChange,
	NodeChange,
	Peek,
	Query,
	ReceiptChanges,
	Snapshot,
	StorageAdapter,
	StoredNode,
} from "../../src/storage.js";
import { RevisionWatch } from "../sql/revision-watch.js";
import { keysTable, nodesTable, outlinesTable, receiptsTable, schemaTable } from "../sql/schema.js";
import type { SqliteDatabase } from "./client.js";
import { intact, SqliteConnection } from "./connection.js";
import { fault, isBusy } from "./fault.js";
import { everyNode, storedNodeIn } from "./read.js";
import { migrations } from "./schema.js";

/** How many nodes a scan gives at once. */
const chunkSize = 500;

/** The longest pause before a database that is busy is opened again, in milliseconds. */
const longestPause = 20;

/** For a node that is new or comes back, and for one that becomes a mirror or ceases to be one: every index is written. */
const setNode = `INSERT INTO ${nodesTable}
	(outline, id, short_id, origin_id, parent_id, priority, name, note, layout_mode, created_at, modified_at, completed_at, revision,
		deleted)
	VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
	ON CONFLICT (outline, id) DO UPDATE SET parent_id = excluded.parent_id, priority = excluded.priority, name = excluded.name,
		note = excluded.note, layout_mode = excluded.layout_mode, created_at = excluded.created_at,
		modified_at = excluded.modified_at, completed_at = excluded.completed_at, origin_id = excluded.origin_id,
		revision = excluded.revision, deleted = 0`;

const content = "name = ?, note = ?, layout_mode = ?, created_at = ?, modified_at = ?, completed_at = ?, revision = ?";

const ofNode = "WHERE outline = ? AND id = ?";

/** For a node that stays in its place. Whatever index has a column that is set is written, even if the value stays. */
const setContent = `UPDATE ${nodesTable} SET ${content} ${ofNode}`;

/** For one that goes elsewhere: besides, the index of the places is written. */
const setPlace = `UPDATE ${nodesTable} SET parent_id = ?, priority = ?, ${content} ${ofNode}`;

const deleteNode = `UPDATE ${nodesTable}
	SET parent_id = NULL, priority = 0, name = '', note = NULL, completed_at = NULL, origin_id = NULL, revision = ?, deleted = 1
	${ofNode}`;

const setKey = `INSERT INTO ${keysTable} (outline, key, key_group, node_id) VALUES (?, ?, ?, ?)
	ON CONFLICT (outline, key) DO UPDATE SET key_group = excluded.key_group, node_id = excluded.node_id`;

const deleteKey = `DELETE FROM ${keysTable} WHERE outline = ? AND key = ?`;

const addReceipt = `INSERT INTO ${receiptsTable} (outline, key, request, created_at, result) VALUES (?, ?, ?, ?, ?)`;

const deleteReceipt = `DELETE FROM ${receiptsTable} WHERE outline = ? AND key = ?`;

/** What a storage is made with, all of it given. */
export interface SqliteSettings {
	readonly outline: string;
	readonly synchronous: "full" | "normal";
	readonly busyTimeout: number;
	readonly pollInterval: number;
}

/** Refused where others have moved the outline on, or have brought the tables to a schema that isn't known here. */
const advance = `UPDATE ${outlinesTable} SET revision = ?
	WHERE outline = ? AND revision = ? AND (SELECT version FROM ${schemaTable}) = ${migrations.length}`;

const addOutline = `INSERT INTO ${outlinesTable} (name, revision) VALUES (?, 0) ON CONFLICT DO NOTHING`;

const outlineNumber = `SELECT outline FROM ${outlinesTable} WHERE name = ?`;

/** An outline in an SQLite database. The client answers at once, and so does the storage wherever it may. */
export class SqliteStorage implements StorageAdapter {
	readonly #connection: SqliteConnection;
	readonly #settings: SqliteSettings;
	readonly #watch: RevisionWatch;
	/** The tables in which scans under way have put nodes aside. */
	readonly #scans = new Set<string>();
	/** The number of the outline in its database; undefined before the first use. */
	#outline: number | undefined;
	/** Which opening of the database that number belongs to. */
	#opened = 0;
	#closed = false;

	constructor(database: SqliteDatabase, settings: SqliteSettings) {
		this.#connection = SqliteConnection.of(database);
		this.#settings = settings;
		this.#watch = new RevisionWatch(async () => (await this.read([])).revision, settings.pollInterval);
	}

	read<const Q extends readonly Query[]>(queries: Q): Promise<Snapshot<Q>> {
		return this.#use((outline) => this.#snapshot(outline, queries));
	}

	peek<const Q extends readonly Query[]>(queries: Q): Peek<Q> | undefined {
		const outline = this.#known();
		if (outline === undefined || this.#closed) return undefined;
		try {
			const { revision, results } = this.#snapshot(outline, queries);
			return { revision, durable: true, results };
		} catch {
			// A read will tell what the matter is.
			return undefined;
		}
	}

	commit(batch: Batch): Promise<number> {
		const revision = batch.base + 1;
		return this.#use((outline) => {
			this.#connection.transaction(() => {
				if (this.#connection.run(advance, revision, outline, batch.base) === 0) this.#refuse(outline, batch.base);
				for (const change of batch.nodes) this.#writeNode(outline, change, revision);
				for (const change of batch.keys) this.#writeKey(outline, change);
				if (batch.receipts !== undefined) this.#writeReceipts(outline, batch.receipts);
			});
			this.#watch.tell(revision);
			return revision;
		});
	}

	async *scan(): AsyncIterable<readonly StoredNode[]> {
		// A statement that is being read would keep its connection from committing, so the nodes are copied aside in one go,
		// into a table that SQLite keeps on disk for this connection alone.
		const table = `outlinekit_scan_${Math.random().toString(36).slice(2)}`;
		await this.#use((outline) => {
			this.#connection.exec(`CREATE TEMP TABLE ${table} AS ${everyNode(outline)}`);
			this.#scans.add(table);
		});
		try {
			const page = this.#connection.pages(`temp.${table}`, chunkSize);
			for (let place = 0; ; place += chunkSize) {
				const rows = page(place);
				if (rows.length === 0) break;
				yield intact(() => rows.map(storedNodeIn));
				this.#assertOpen();
			}
		} catch (error) {
			throw fault(error);
		} finally {
			this.#dropScan(table);
		}
	}

	watch(listener: (notice: CommitNotice) => void): () => void {
		return this.#closed ? () => {} : this.#watch.add(listener);
	}

	async close(): Promise<void> {
		this.#closed = true;
		this.#watch.stop();
		for (const table of this.#scans) this.#dropScan(table);
	}

	/**
	 * Does something with the outline. The database is prepared for it on first use; from then on everything is done here and
	 * now, before a promise is returned.
	 */
	async #use<T>(work: (outline: number) => T): Promise<T> {
		const end = Date.now() + this.#settings.busyTimeout;
		for (;;) {
			this.#assertOpen();
			try {
				return work(this.#known() ?? this.#prepare());
			} catch (error) {
				// SQLite itself doesn't wait for others that are just bringing the same file to WAL.
				const others = this.#known() === undefined && isBusy(error) && Date.now() < end;
				if (!others) throw fault(error);
			}
			await new Promise((resolve) => setTimeout(resolve, Math.random() * longestPause));
		}
	}

	/** The number of the outline, if the database is prepared for it. */
	#known(): number | undefined {
		return this.#opened === this.#connection.opened ? this.#outline : undefined;
	}

	/** Prepares the database for the outline. Returns its number. */
	#prepare(): number {
		const { outline, synchronous, busyTimeout } = this.#settings;
		this.#connection.configure(synchronous, busyTimeout);
		this.#connection.migrate();
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
		const found = this.#connection.read(outline, queries);
		if (found !== undefined) return found as Snapshot<Q>;
		throw new OutlineError(
			"storage_unavailable",
			`The outline ${quoted(this.#settings.outline)} has been removed from its database. Open it anew.`,
		);
	}

	/** Says why the outline can't be moved on. */
	#refuse(outline: number, base: number): never {
		this.#connection.assertVersion();
		const current = this.#snapshot(outline, []).revision;
		throw new OutlineError("conflict", `The commit is based on revision ${base}, and the outline is at ${current}.`);
	}

	/** What can't be dropped now goes with the connection. */
	#dropScan(table: string): void {
		try {
			this.#connection.exec(`DROP TABLE IF EXISTS temp.${table}`);
			this.#scans.delete(table);
		} catch {}
	}

	#writeNode(outline: number, { before, after }: NodeChange, revision: number): void {
		if (after === null) {
			this.#connection.run(deleteNode, revision, outline, before!.id);
			return;
		}
		const { id, parentId, priority, name, note, layoutMode, createdAt, modifiedAt, completedAt, originId } = after;
		const place = [parentId, priority];
		const content = [name, note, layoutMode, createdAt, modifiedAt, completedAt, after.revision];
		if (before === null || before.originId !== originId) {
			this.#connection.run(setNode, outline, id, id.slice(-12), originId, ...place, ...content);
		} else if (before.parentId !== parentId || before.priority !== priority) {
			this.#connection.run(setPlace, ...place, ...content, outline, id);
		} else this.#connection.run(setContent, ...content, outline, id);
	}

	#writeKey(outline: number, { before, after }: KeyChange): void {
		if (after === null) this.#connection.run(deleteKey, outline, before!.key);
		else this.#connection.run(setKey, outline, after.key, after.group, after.nodeId);
	}

	#writeReceipts(outline: number, { added, dropped }: ReceiptChanges): void {
		for (const key of dropped) this.#connection.run(deleteReceipt, outline, key);
		for (const { key, request, createdAt, result } of added) {
			this.#connection.run(addReceipt, outline, key, request, createdAt, result);
		}
	}
}
