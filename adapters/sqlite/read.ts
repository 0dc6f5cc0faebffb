import type { Answer, Query, StoredNode } from "../../src/storage.js";
import { answerFrom, childrenAmong, originIn, type Row, recordIn } from "../sql/answer.js";
import { nodesTable, outlinesTable } from "../sql/schema.js";
import {
	type Dialect,
	endOfIntegers,
	fillSlots,
	isRowOf,
	type Select,
	type Slot,
	selectsFor,
	slotValue,
} from "../sql/select.js";
import type { AtOnce } from "./at-once.js";
import type { Parameter } from "./client.js";
import { shortIdFirst, shortIdFirstOf, shortIdOf } from "./schema.js";

/*
 * All values are read as text, in JSON. The work of a client for each value of each row costs more than
 * finding the row. It also costs more than letting SQLite write, and V8 parse, one text with all values.
 */

/** SQLite's part of the common selects. */
export const dialect: Dialect = {
	rowKey: shortIdFirst,
	rowKeySlot: ":atKey",
	shortId: shortIdOf("id"),
	hasShortId,
	takenAmong: () =>
		`SELECT wanted.value AS short_id FROM (SELECT DISTINCT value FROM json_each(:shortIds)) wanted CROSS JOIN ${nodesTable} n
			WHERE outline = :outline AND ${hasShortId("wanted.value", "n.id")} AND NOT deleted`,
	endOfSiblings: (siblings, limit, direction) => {
		// Its index has no ids, and sorting takes longer.
		const last = `SELECT n.priority FROM ${nodesTable} n WHERE n.outline = :outline AND ${siblings} AND NOT n.deleted
			ORDER BY n.parent_id ${direction}, n.priority ${direction} LIMIT 1 OFFSET ${limit - 1}`;
		return direction === "ASC"
			? `AND n.priority <= coalesce((${last}), ${endOfIntegers})`
			: `AND n.priority >= coalesce((${last}), -${endOfIntegers})`;
	},
	// SQLite takes the rows of a line in their order.
	endOfLine: (limit) => `LIMIT ${limit}`,
	among: (expression, parameter, convert = (value) => value) =>
		`${expression} IN (SELECT ${convert("value")} FROM json_each(${parameter}))`,
	joinedIds: (expression) => `group_concat(${expression})`,
	// The concatenation makes it a plain text. The result of a function might become a part of the JSON around
	// it.
	jsonArray: (expressions) => `json_array(${expressions.join(", ")}) || ''`,
};

/** Returns the condition that a node has a short id. The index finds the row keys that begin with it. */
function hasShortId(shortId: string, id = "id"): string {
	const rowKey = shortIdFirst(id);
	return `${rowKey} >= ${shortId} AND ${rowKey} < ${shortId} || '~' AND ${shortIdOf(id)} = ${shortId}`;
}

/** The most queries that one statement answers. */
const queriesAtOnce = 16;

/** The most ids of a `related` query in such a statement. */
const relatedAtOnce = 100;

/**
 * The most nodes of a subtree that is read at once. SQLite finds the children of each of these before it stops, so it
 * may find as many as the square.
 */
const subtreeAtOnce = 200;

/** The most nodes that are read without checking their length. */
const fewNodes = 8;

/** The number of bytes from which on a node is read alone: many such nodes would be too much for one text. */
const longNode = 2 ** 16;

/**
 * Returns an expression for the bytes of a text. From version 3.43 on, SQLite has one that needn't read the
 * text.
 */
export type BytesOf = (text: string) => string;

/** The options of statements. */
export interface ReadOptions extends AtOnce {
	readonly bytesOf: BytesOf;
}

/** Thrown if an answer is too long for one step. */
export class Bulky extends Error {}

/** The values of a row, in the order of its select's columns. */
export type Cells = readonly unknown[];

/** A statement that returns one column of texts, with the meaning of its parameters. */
export interface ReadStatement {
	readonly sql: string;
	readonly slots: readonly { readonly slot: Slot; readonly query: number }[];
	/** The columns of each select, by query. */
	readonly columns: readonly (readonly Select["columns"][])[];
}

/** Whether one statement may answer the queries. Queries that may take long are answered alone. */
export function fitsTogether(queries: readonly Query[]): boolean {
	return queries.length <= queriesAtOnce && queries.every(isSmall);
}

/** Whether a query's answer is usually short. */
function isSmall(query: Query): boolean {
	switch (query.type) {
		case "node":
		case "children":
		case "ancestors":
		case "taken":
		case "keys":
		case "subtree":
			return true;
		case "related":
			return query.ids.length <= relatedAtOnce;
		default:
			return false;
	}
}

/** Returns the query with its limit reduced to one node more than one step reads. */
export function limited<Q extends Query>(query: Q, { rows }: AtOnce): Q {
	if (query.type !== "children" && query.type !== "ancestors") return query;
	if (query.limit === undefined || query.limit <= rows) return query;
	return { ...query, limit: rows + 1 };
}

/** Returns the most rows that one step reads for a query. */
function rowsOf(query: Query, { rows }: AtOnce): number {
	return query.type === "subtree" ? Math.min(subtreeAtOnce, rows) : rows;
}

/**
 * Checks that a query neither asks for more than one step reads, nor has found more. @throws `Bulky` if it
 * does
 */
export function assertNotBulky(query: Query, found: number, options: AtOnce): void {
	const rows = rowsOf(query, options);
	const asked = query.type === "taken" ? query.shortIds.length : query.type === "related" ? query.ids.length : 0;
	if (Math.max(asked, found) > rows) throw new Bulky();
}

/**
 * Returns the statement that answers queries that fit together: one text, with the revision and the rows of
 * each select. One statement sees one state. It returns no row if there is no such outline, or if it isn't
 * settled.
 */
export function statementForAll(queries: readonly Query[], options: ReadOptions): ReadStatement {
	const slots: { slot: Slot; query: number }[] = [];
	const columns: Select["columns"][][] = [];
	const parts = queries.flatMap((query, index) => {
		const selects = selectsFor(limited(query, options), dialect, rowsOf(query, options) + 1);
		columns.push(selects.map((select) => select.columns));
		return selects.map((select) => {
			const isNode = query.type === "node";
			const rows = isNode ? `SELECT ${jsonRow(select)} FROM (${select.text}) found` : shortRows(query, select, options);
			const text = fillSlots(rows, (slot) => {
				if (slot === "outline") return "r.outline";
				slots.push({ slot, query: index });
				return "?";
			});
			const all = isNode ? text : `SELECT group_concat(line) FROM (${text}) found`;
			return `'[' || coalesce((${all}), '') || ']'`;
		});
	});
	slots.push({ slot: "outline", query: 0 });
	const text = `'[' || ${["r.revision", ...parts].join(" || ',' || ")} || ']'`;
	const sql = `SELECT ${cutOff(text, options)} AS answer FROM ${outlinesTable} r WHERE r.outline = ? AND r.staged IS NULL`;
	return { sql, slots, columns };
}

/**
 * Returns the statements that answer a query together, within one step. Each returns one text with all its
 * rows.
 */
export function statementsFor(query: Query, options: ReadOptions): ReadStatement[] {
	return selectsFor(limited(query, options), dialect, rowsOf(query, options) + 1).map((select) => {
		const { text, slots } = filled(shortRows(query, select, options));
		const all = `'[' || coalesce(group_concat(line), '') || ']'`;
		return { sql: `SELECT ${cutOff(all, options)} AS answer FROM (${text}) found`, slots, columns: [[select.columns]] };
	});
}

/**
 * Returns the statements that answer a query together, whatever the size. Each returns a text for each row.
 */
export function wholeStatementsFor(query: Query): ReadStatement[] {
	return selectsFor(query, dialect).map((select) => {
		const { text, slots } = filled(select.text);
		return { sql: `SELECT ${jsonRow(select)} AS answer FROM (${text}) found`, slots, columns: [[select.columns]] };
	});
}

/** Returns statements as {@link wholeStatementsFor}, but only for the id and the priority of each node. */
export function idStatementsFor(query: Query): ReadStatement[] {
	return selectsFor(query, dialect).map((select) => {
		const { text, slots } = filled(select.text);
		const sql = `SELECT json_array(found.id, found.priority) AS answer FROM (${text}) found`;
		return { sql, slots, columns: [[["id", "priority"]]] };
	});
}

function filled(text: string): { text: string; slots: { slot: Slot; query: number }[] } {
	const slots: { slot: Slot; query: number }[] = [];
	// better-sqlite3 doesn't take numbered parameters by position.
	const placeholder = (slot: Slot) => {
		slots.push({ slot, query: 0 });
		return "?";
	};
	return { text: fillSlots(text, placeholder), slots };
}

/** Returns the values of a statement's parameters. */
export function parametersOf({ slots }: ReadStatement, outline: number, queries: readonly Query[]): Parameter[] {
	return slots.map(({ slot, query }) => {
		if (slot === "outline") return outline;
		const value = slotValue(slot, queries[query]!);
		if (slot === "atKey") return shortIdFirstOf(value as string);
		return typeof value === "object" ? JSON.stringify(value) : value;
	});
}

/** Answers a query from the rows of its selects. */
export function answerIn(
	query: Query,
	columns: readonly Select["columns"][],
	selects: readonly (readonly Cells[])[],
	revision: number,
): Answer<Query> {
	switch (query.type) {
		case "node": {
			const [cells] = selects[0]!;
			return cells === undefined ? null : storedNodeIn(cells);
		}
		case "children":
			return childrenAmong(query, selects.flat().map(storedNodeIn));
		case "related":
			return selects[0]!.map(storedNodeIn);
		default:
			return answerFrom(
				query,
				selects.map((rows, index) => rows.map((cells) => rowOf(cells, columns[index]!))),
				revision,
			);
	}
}

/**
 * Returns the node in a row that begins with the columns of `storedNodes`. @throws `Bulky` if it was too long
 * to read
 */
export function storedNodeIn(cells: Cells | null): StoredNode {
	if (cells === null) throw new Bulky();
	const mirrors = cells[13] as string | null;
	return {
		record: recordIn(cells),
		origin: originIn(cells[12]),
		mirrorIds: mirrors === null ? [] : mirrors.split(",").sort(),
	};
}

/** Returns an expression for a row of a select, as JSON. */
export function jsonRow({ columns }: Select): string {
	return `json_array(${columns.map((column) => `found.${column}`).join(", ")})`;
}

/** Returns an expression for the bytes of a node's texts. */
export function bytesOfNode(node: string, bytesOf: BytesOf): string {
	const bytesIfAny = (text: string) => `coalesce(${bytesOf(`${node}.${text}`)}, 0)`;
	return `${bytesOf(`${node}.name`)} + ${bytesIfAny("note")} + ${bytesIfAny("properties")}`;
}

/** Returns an expression for the bytes of the texts of a node's origin, with which a mirror is read. */
export function bytesOfOrigin(node: string, outline: string, bytesOf: BytesOf): string {
	return `CASE WHEN ${node}.origin_id IS NULL THEN 0 ELSE coalesce((SELECT ${bytesOfNode("o", bytesOf)} FROM ${nodesTable} o
		WHERE o.outline = ${outline} AND ${isRowOf("o", `${node}.origin_id`, dialect)} AND NOT o.deleted), 0) END`;
}

/** Returns the rows of a select, each as JSON; at most one row more than one step reads. */
function shortRows(query: Query, select: Select, options: ReadOptions): string {
	return `SELECT ${shortRow(query, select, options)} AS line FROM (${select.text}) found LIMIT ${rowsOf(query, options) + 1}`;
}

/** Returns an expression for a row as JSON, or for `null` if it is one of many and a long node. */
function shortRow(query: Query, select: Select, { bytesOf }: ReadOptions): string {
	const row = jsonRow(select);
	const few = query.type === "children" && query.limit !== undefined && query.limit <= fewNodes;
	if (few || !select.columns.includes("note")) return row;
	const own = bytesOfNode("found", bytesOf);
	const bytes = select.columns.includes("origin") ? `${own} + ${bytesOfOrigin("found", ":outline", bytesOf)}` : own;
	return `CASE WHEN ${bytes} > ${longNode} THEN 'null' ELSE ${row} END`;
}

/** Returns an expression for the beginning of a text: all of it, unless it is too long for one step. */
function cutOff(text: string, { characters }: AtOnce): string {
	return `substr(${text}, 1, ${characters})`;
}

/** Returns the values of a row by their columns. @throws `Bulky` if it was too long to read */
export function rowOf(cells: Cells | null, columns: Select["columns"]): Row {
	if (cells === null) throw new Bulky();
	return Object.fromEntries(columns.map((column, index) => [column, cells[index]]));
}
