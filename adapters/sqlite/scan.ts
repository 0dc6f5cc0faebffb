import { OutlineError } from "../../src/errors.js";
import { turn } from "../../src/pace.js";
import type { StoredNode } from "../../src/storage.js";
import { portions } from "./at-once.js";
import { intact, type SqliteConnection } from "./connection.js";
import { endOf, Portions, type RowPosition, type Written, type WrittenNodes } from "./portion.js";
import { type Cells, type ReadOptions, storedNodeIn } from "./read.js";

/*
 * Reading all of a large outline without a pause would block the process. A transaction that stays open
 * during pauses would include the statements of other work. So a scan first copies the outline, some nodes at
 * a time, into a temporary table that SQLite keeps on disk for this connection only. It copies the nodes that
 * commits affect meanwhile again, until there are no new commits. Then the copy is of one revision, and only
 * then does the scan yield nodes.
 */

/** The most nodes in a chunk of a scan. */
const chunkSize = 500;

/** Distinguishes this copy of the library from another one that uses the same connection. */
const copy = Math.random().toString(36).slice(2);

const scans = new WeakMap<SqliteConnection, Set<number>>();

/** Returns the numbers of the scans of a connection. */
function scansOf(connection: SqliteConnection): Set<number> {
	let numbers = scans.get(connection);
	if (numbers === undefined) {
		numbers = new Set();
		scans.set(connection, numbers);
	}
	return numbers;
}

/** Reads an outline at one revision, when it may be read. */
type ReadAt = <T>(read: (revision: number, outline: number) => T) => Promise<T>;

/** A scan of every node of an outline. */
export class SqliteScan {
	readonly #connection: SqliteConnection;
	readonly #readAt: ReadAt;
	readonly #options: ReadOptions;
	readonly #number: number;
	readonly #table: string;
	/** The number of parts of the copy. Without parts there is no table. */
	#parts = 0;
	/** The part with the latest copy of each node that was copied again; infinity for a deleted node. */
	readonly #latest = new Map<string, number>();
	/** The origins of mirrors as they were copied; null until first needed. */
	#origins: Map<string, string> | null = null;

	constructor(connection: SqliteConnection, options: ReadOptions, readAt: ReadAt) {
		this.#connection = connection;
		this.#readAt = readAt;
		this.#options = { ...options, rows: Math.min(chunkSize, options.rows) };
		// Names are used again, so that no more statements are kept compiled than there are scans at a time.
		const used = scansOf(connection);
		this.#number = 0;
		while (used.has(this.#number)) this.#number += 1;
		used.add(this.#number);
		this.#table = `temp.outlinekit_scan_${copy}_${this.#number}`;
	}

	/** Yields every node, in chunks. */
	async *chunks(): AsyncGenerator<readonly StoredNode[], void, undefined> {
		try {
			const small = await this.#copy();
			if (small !== null) yield nodesIn(small);
			for (let part = 0; part < this.#parts; part++) {
				// Reads without waiting: a long commit of another storage doesn't concern the copy.
				const nodes = nodesIn(this.#part(part));
				const current = nodes.filter(({ record }) => (this.#latest.get(record.id) ?? part) === part);
				if (current.length > 0) yield current;
			}
		} finally {
			this.drop();
		}
	}

	/** Deletes the copy. If it can't be deleted now, it disappears with the connection. */
	drop(): void {
		try {
			if (this.#parts > 0) this.#connection.exec(`DROP TABLE IF EXISTS ${this.#table}`);
			this.#parts = 0;
			scansOf(this.#connection).delete(this.#number);
		} catch {}
	}

	/** Copies the outline. If it is small, returns its rows instead. */
	async #copy(): Promise<string | null> {
		// A damaged revision may be any number.
		const all = { from: endOf(Number.NEGATIVE_INFINITY), until: Number.POSITIVE_INFINITY };
		const { revision, some } = await this.#readAt((revision, outline) => {
			const some = new Portions(this.#connection, outline, this.#options).nodesAfter(all.from, all.until);
			const isAll = some.last === null && some.longIds.length === 0;
			if (!isAll) this.#putNodes(some, outline);
			return { revision, some };
		});
		if (this.#parts === 0) return `[${some.rows.join(",")}]`;
		for (let position: RowPosition | null = some.last; position !== null; ) {
			await turn();
			const from: RowPosition = position;
			position = await this.#readAt((_, outline) => {
				const all = new Portions(this.#connection, outline, this.#options);
				return this.#putNodes(all.nodesAfter(from, revision), outline);
			});
		}
		for (let known: Written | null = endOf(revision); known !== null; ) {
			const from: Written = known;
			const next: Written | null | undefined = await this.#readAt((current, outline) =>
				this.#copyChanged(from, current, outline),
			);
			if (next === undefined) await this.#learnOrigins();
			else known = next;
			await turn();
		}
		return null;
	}

	/**
	 * Copies the rows written after a row again, with all related nodes. Returns the last row, or null if there
	 * is none; undefined if the origins have to be read first.
	 */
	#copyChanged(after: Written, current: number, outline: number): Written | null | undefined {
		const all = new Portions(this.#connection, outline, this.#options);
		const page = all.writtenAfter(after, current);
		if (page.length === 0) {
			this.#copyDamaged(current, outline);
			return null;
		}
		const origins = this.#origins;
		if (origins === null) return undefined;
		const ids = page.map(({ id }) => id);
		for (const id of ids) this.#latest.set(id, Number.POSITIVE_INFINITY);
		// A change of a mirror affects its former origin too.
		const concerned = all.relatedTo([...ids, ...ids.flatMap((id) => origins.get(id) ?? [])]);
		this.#putById(concerned, outline);
		return page.at(-1)!;
	}

	/**
	 * Copies rows of future revisions. No commit has written them: they are damage, which a verification must
	 * find.
	 */
	#copyDamaged(current: number, outline: number): void {
		const all = new Portions(this.#connection, outline, this.#options);
		for (let position: RowPosition | null = endOf(current); position !== null; ) {
			const some = all.nodesAfter(position, Number.POSITIVE_INFINITY);
			const ids = nodesIn(`[${some.rows.join(",")}]`).map(({ record }) => record.id);
			this.#putById([...ids, ...some.longIds], outline);
			position = some.last;
		}
	}

	/** Copies nodes. Returns the position of the last of them; null if there are no more. */
	#putNodes({ rows, longIds, last }: WrittenNodes, outline: number): RowPosition | null {
		if (rows.length > 0) this.#put(`[${rows.join(",")}]`);
		if (longIds.length > 0) this.#putById(longIds, outline);
		return last;
	}

	/** Copies nodes, in place of their earlier copies. */
	#putById(ids: readonly string[], outline: number): void {
		const all = new Portions(this.#connection, outline, this.#options);
		for (const some of portions(all.sized(ids), this.#options)) {
			for (const { id } of some) this.#latest.set(id, this.#parts);
			this.#put(all.nodes(some.map(({ id }) => id)));
		}
	}

	#put(rows: string): void {
		if (this.#parts === 0) {
			// A table that was deleted in a transaction of the host exists again if the host rolled back.
			this.#connection.exec(`DROP TABLE IF EXISTS ${this.#table}`);
			this.#connection.exec(`CREATE TABLE ${this.#table} (part INTEGER PRIMARY KEY, nodes TEXT)`);
		}
		this.#connection.run(`INSERT INTO ${this.#table} VALUES (?, ?)`, this.#parts++, rows);
		if (this.#origins !== null) this.#noteOrigins(rows);
	}

	#part(part: number): string {
		const [rows] = this.#connection.lines(`SELECT nodes AS answer FROM ${this.#table} WHERE part = ?`, part);
		if (rows !== undefined) return rows;
		throw new OutlineError(
			"storage_unavailable",
			"A part of a scan is gone: the host has taken back a transaction that the scan came into. Scan again.",
		);
	}

	async #learnOrigins(): Promise<void> {
		this.#origins = new Map();
		for (let part = 0; part < this.#parts; part++) {
			this.#noteOrigins(this.#part(part));
			await turn();
		}
	}

	/** Records both directions: a mirror may have been changed before it was copied, and its origin after. */
	#noteOrigins(rows: string): void {
		for (const { record, mirrorIds } of nodesIn(rows)) {
			if (record.originId !== null) this.#origins!.set(record.id, record.originId);
			for (const id of mirrorIds) this.#origins!.set(id, record.id);
		}
	}
}

function nodesIn(rows: string): StoredNode[] {
	return intact(() => (JSON.parse(rows) as Cells[]).map(storedNodeIn));
}
