import type { KeyRecord } from "../../src/storage.js";
import { keyRecord, type Row } from "../sql/answer.js";
import { keysTable, nodesTable, outlinesTable } from "../sql/schema.js";
import { fillSlots, isRowOf, recordColumns, storedNodes } from "../sql/select.js";
import type { Sized } from "./at-once.js";
import { intact, type SqliteConnection } from "./connection.js";
import { bytesOfNode, bytesOfOrigin, type Cells, dialect, jsonRow, type ReadOptions, rowOf } from "./read.js";

/* Portions are read by ids. The ids and the size of each node are known before any long text is read. */

/** A row of a node or of a tombstone. */
export interface Written extends Sized {
	readonly id: string;
	readonly revision: number;
	/** The row's number, which distinguishes and orders the rows of one revision. */
	readonly row: number;
}

/** Some nodes, in the order in which they were written. */
export interface WrittenNodes {
	/** The short nodes, each as the JSON for `storedNodeIn`. */
	readonly rows: readonly string[];
	/** The ids of the nodes that are too long to be read together with others. */
	readonly longIds: readonly string[];
	/** The position of the last of them; null if there are no more. */
	readonly last: RowPosition | null;
}

/** A position in the order in which rows were written. */
export type RowPosition = Pick<Written, "revision" | "row">;

/** Returns the position after a revision's last row. */
export function endOf(revision: number): Written {
	return { id: "", revision, row: Number.MAX_SAFE_INTEGER, size: 0 };
}

/** Reads portions of an outline. */
export class Portions {
	readonly #connection: SqliteConnection;
	readonly #outline: number;
	readonly #options: ReadOptions;
	readonly #bytes: string;

	constructor(connection: SqliteConnection, outline: number, options: ReadOptions) {
		this.#connection = connection;
		this.#outline = outline;
		this.#options = options;
		this.#bytes = `${bytesOfNode("n", options.bytesOf)} + ${bytesOfOrigin("n", "n.outline", options.bytesOf)}`;
	}

	/**
	 * Returns the nodes written after a position, up to a revision: as many as one step reads, or all if there
	 * are fewer.
	 */
	nodesAfter({ revision, row }: RowPosition, until: number): WrittenNodes {
		const isEnd = row === endOf(revision).row;
		// JSON rounds a larger number, which is damage. So it is read from its row.
		const isRounded = !isEnd && Math.abs(revision) > Number.MAX_SAFE_INTEGER;
		const [at, known] = isRounded ? [`(SELECT revision FROM ${nodesTable} WHERE rowid = ?)`, row] : ["?", revision];
		const lines = isEnd ? [] : this.#nodeLines(`n.revision = ${at} AND n.rowid > ?`, known, row);
		if (lines.length < this.#options.rows) {
			// A damaged revision may be a text, which is more than any number.
			const found =
				until === Number.POSITIVE_INFINITY
					? this.#nodeLines(`n.revision > ${at}`, known)
					: this.#nodeLines(`n.revision > ${at} AND n.revision <= ?`, known, until);
			lines.push(...found);
		}
		const isLong = (line: string) => line.startsWith("{");
		const parsed = (line: string) => intact(() => JSON.parse(line));
		const longIds = lines.filter(isLong).map((line) => parsed(line).id as string);
		const rows = longIds.length === 0 ? lines : lines.filter((line) => !isLong(line));
		if (lines.length < this.#options.rows) return { rows, longIds, last: null };
		const end = parsed(lines.at(-1)!);
		return { rows, longIds, last: isLong(lines.at(-1)!) ? end : { revision: end[10], row: end[14] } };
	}

	#nodeLines(condition: string, ...parameters: number[]): string[] {
		const select = storedNodes(dialect, condition, { columns: { "n.rowid AS row": "row" } });
		const text = fillSlots(select.text, () => "?");
		const ofOrigin = `SELECT ${bytesOfNode("o", this.#options.bytesOf)} FROM ${nodesTable} o
			WHERE o.outline = ? AND ${isRowOf("o", "found.origin_id", dialect)} AND NOT o.deleted`;
		const bytes = `${bytesOfNode("found", this.#options.bytesOf)} + coalesce((${ofOrigin}), 0)`;
		const long = "json_object('id', found.id, 'revision', found.revision, 'row', found.row)";
		const line = `CASE WHEN ${bytes} > ${this.#longNode} THEN ${long} ELSE ${jsonRow(select)} END`;
		const sql = `SELECT ${line} AS answer FROM (${text} ORDER BY n.revision, n.rowid LIMIT ${this.#options.rows}) found`;
		return this.#connection.lines(sql, this.#outline, this.#outline, ...parameters);
	}

	/**
	 * The size from which on a node is read alone. Shorter ones fit into a step together, as many as it reads.
	 */
	get #longNode(): number {
		return Math.floor(this.#options.characters / this.#options.rows);
	}

	/**
	 * Returns the rows written after one, up to a revision, in order: as many as one step reads, or all if
	 * there are fewer.
	 */
	writtenAfter({ revision, row }: Written, until: number): Written[] {
		const isEnd = row === endOf(revision).row;
		const found = isEnd ? [] : this.#written("n.revision = ? AND n.rowid > ?", revision, row);
		// An index finds the rows of one revision, and the rows after it, but not both by one condition.
		if (found.length < this.#options.rows)
			found.push(...this.#written("n.revision > ? AND n.revision <= ?", revision, until));
		return found;
	}

	#written(condition: string, ...parameters: number[]): Written[] {
		const rows = `SELECT json_array(n.id, n.revision, n.rowid, ${this.#bytes}) AS answer FROM ${nodesTable} n
			WHERE n.outline = ? AND ${condition} ORDER BY n.revision, n.rowid LIMIT ${this.#options.rows}`;
		const lines = this.#lines(rows, this.#outline, ...parameters) as [string, number, number, number][];
		return lines.map(([id, revision, row, size]) => ({ id, revision, row, size }));
	}

	/** Returns the size of each node, in the order of the ids. Leaves out ids without a node. */
	sized(ids: readonly string[]): (Sized & { readonly id: string })[] {
		const rows = `SELECT json_array(n.id, ${this.#bytes}) AS answer FROM ${nodesTable} n
			WHERE n.outline = ? AND ${rowAmong("n.", "?")} AND NOT n.deleted`;
		const sizes = new Map(this.#lines(rows, this.#outline, JSON.stringify(ids)) as [string, number][]);
		return ids.flatMap((id) => (sizes.has(id) ? [{ id, size: sizes.get(id)! }] : []));
	}

	/** Returns nodes by their ids, in any order: the rows for `storedNodeIn`, as JSON. */
	nodes(ids: readonly string[]): string {
		return inOne(this.#connection.lines(nodesById, this.#outline, JSON.stringify(ids)));
	}

	/** Returns the rows of the records and tombstones with the ids, in any order. */
	records(ids: readonly string[]): Row[] {
		const rows = this.#lines(recordsById, this.#outline, JSON.stringify(ids)) as Cells[];
		return rows.map((cells) => rowOf(cells, recordRow));
	}

	/** Returns the ids of the existing nodes among these, of their origins and of their mirrors, each once. */
	relatedTo(ids: readonly string[]): string[] {
		const list = JSON.stringify(ids);
		return this.#lines(relatedByIds, this.#outline, list, this.#outline, list, this.#outline, list) as string[];
	}

	/** Returns the ids of the children of the nodes, in any order: at most one more than one step reads. */
	childrenOf(ids: readonly string[]): string[] {
		return this.#lines(childrenByParents, this.#outline, JSON.stringify(ids), this.#options.rows + 1) as string[];
	}

	/** Returns the keys that point at the nodes. */
	keysOf(ids: readonly string[]): KeyRecord[] {
		return (this.#lines(keysByNodes, this.#outline, JSON.stringify(ids)) as Row[]).map(keyRecord);
	}

	/** Returns the rows of the keys written after a revision, and of their tombstones, ordered by revision. */
	keysAfter(revision: number): (Row & { readonly revision: number })[] {
		return this.#lines(keysByRevision, this.#outline, revision) as (Row & { readonly revision: number })[];
	}

	/** Returns the horizon of the outline. */
	horizon(): number {
		return Number(
			this.#connection.rows(`SELECT horizon FROM ${outlinesTable} WHERE outline = ?`, this.#outline)[0]?.horizon ?? 0,
		);
	}

	#lines(sql: string, ...parameters: (number | string)[]): unknown[] {
		const lines = this.#connection.lines(sql, ...parameters);
		return intact(() => JSON.parse(inOne(lines)));
	}
}

/** Joins values in JSON to one list. */
function inOne(lines: readonly string[]): string {
	return `[${lines.join(",")}]`;
}

/** Returns the condition that a row is that of one of the nodes in a parameter with their ids. */
function rowAmong(node: "" | "n.", parameter: string): string {
	return dialect.among(dialect.rowKey(`${node}id`), parameter, dialect.rowKey);
}

const nodesById = ((): string => {
	const select = storedNodes(dialect, rowAmong("n.", ":ids"));
	return `SELECT ${jsonRow(select)} AS answer FROM (${fillSlots(select.text, () => "?")}) found`;
})();

const recordRow = ["deleted", ...recordColumns] as const;

const recordsById = `SELECT json_array(${recordRow.join(", ")}) AS answer FROM ${nodesTable}
	WHERE outline = ? AND ${rowAmong("", "?")}`;

const relatedByIds = `SELECT json_quote(id) AS answer FROM ${nodesTable}
		WHERE outline = ? AND ${rowAmong("", "?")} AND NOT deleted
	UNION SELECT json_quote(id) FROM ${nodesTable}
		WHERE outline = ? AND ${dialect.among("origin_id", "?")} AND NOT deleted
	UNION SELECT json_quote(o.id) FROM ${nodesTable} n CROSS JOIN ${nodesTable} o
		WHERE n.outline = ? AND ${rowAmong("n.", "?")} AND NOT n.deleted
			AND o.outline = n.outline AND ${isRowOf("o", "n.origin_id", dialect)} AND NOT o.deleted`;

const childrenByParents = `SELECT json_quote(id) AS answer FROM ${nodesTable}
	WHERE outline = ? AND ${dialect.among("parent_id", "?")} AND NOT deleted LIMIT ?`;

const keyRow = "json_object('key', key, 'key_group', key_group, 'node_id', node_id, 'revision', revision)";

const keysByNodes = `SELECT ${keyRow} AS answer FROM ${keysTable} WHERE outline = ? AND ${dialect.among("node_id", "?")}`;

const keysByRevision = `SELECT ${keyRow} AS answer FROM ${keysTable} WHERE outline = ? AND revision > ? ORDER BY revision`;
