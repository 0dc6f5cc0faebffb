import type { Answer, NodeRecord, Query, StoredNode } from "../../src/storage.js";
import { answerFrom, childrenAmong, originIn, type Row } from "../sql/answer.js";
import type { Dialect } from "../sql/dialect.js";
import { outlinesTable } from "../sql/schema.js";
import { fillSlots, type Select, type Slot, selectsFor, slotValue } from "../sql/select.js";
import type { AtOnce } from "./at-once.js";
import type { Parameter } from "./client.js";

/*
 * Whatever is read comes as text, in JSON. What a client does for each value of each row costs more than to find the row, and
 * more than to have SQLite write and V8 read a text with all of them.
 */

/** SQLite's part of the common selects. */
export const dialect: Dialect = {
	among: (expression, parameter) => `${expression} IN (SELECT value FROM json_each(${parameter}))`,
	joinedIds: (expression) => `group_concat(${expression})`,
	// What is concatenated is a text among others, whereas the result of a function may become a part of the JSON around it.
	jsonArray: (expressions) => `json_array(${expressions.join(", ")}) || ''`,
};

/** The most queries that are answered by one statement. */
const queriesAtOnce = 16;

/** The most ids of which the related nodes are part of such an answer. */
const relatedAtOnce = 100;

/** The most nodes that are read without a look at how long they are. */
const fewNodes = 8;

/** From how many bytes on a node isn't read along with others: many as long would be too much to be one text. */
const longNode = 2 ** 16;

/** What an expression for the bytes of a text is: from version 3.43 of SQLite on there is one that needn't read the text. */
export type BytesOf = (text: string) => string;

/** What statements are made by. */
export interface ReadOptions extends AtOnce {
	readonly bytesOf: BytesOf;
}

/** Thrown where an answer is more than is read at once. */
export class Bulky extends Error {}

/** The values of a row, in the order of its select's columns. */
export type Cells = readonly unknown[];

/** A statement that gives one column of texts, and what its parameters stand for. */
export interface ReadStatement {
	readonly sql: string;
	readonly slots: readonly { readonly slot: Slot; readonly query: number }[];
	/** The columns of each select, by query. */
	readonly columns: readonly (readonly Select["columns"][])[];
}

/** Whether some queries may be answered by one statement. What may take long to find is read by itself. */
export function fitsTogether(queries: readonly Query[]): boolean {
	return queries.length <= queriesAtOnce && queries.every(isSmall);
}

/** Whether a query's answer is mostly short. */
function isSmall(query: Query): boolean {
	switch (query.type) {
		case "node":
		case "children":
		case "ancestors":
		case "taken":
		case "keys":
			return true;
		case "related":
			return query.ids.length <= relatedAtOnce;
		default:
			return false;
	}
}

/** The query, with one node more than is read at once for a limit, if that is higher. */
export function limited<Q extends Query>(query: Q, { rows }: AtOnce): Q {
	if (query.type !== "children" || query.limit === undefined || query.limit <= rows) return query;
	return { ...query, limit: rows + 1 };
}

/** @throws `Bulky` if a query asks for more than is read at once, or if more has been found */
export function assertNotBulky(query: Query, found: number, { rows }: AtOnce): void {
	const asked = query.type === "taken" ? query.shortIds.length : query.type === "related" ? query.ids.length : 0;
	if (Math.max(asked, found) > rows) throw new Bulky();
}

/**
 * The statement that answers queries that fit together: one text, with the revision and the rows of each select. It is one
 * statement, so it sees one state. There is no row if there is no such outline, or it isn't settled.
 */
export function statementForAll(queries: readonly Query[], options: ReadOptions): ReadStatement {
	const slots: { slot: Slot; query: number }[] = [];
	const columns: Select["columns"][][] = [];
	const parts = queries.flatMap((query, place) => {
		const selects = selectsFor(limited(query, options), dialect, options.rows + 1);
		columns.push(selects.map((select) => select.columns));
		return selects.map((select) => {
			const text = fillSlots(select.text, (slot) => {
				if (slot === "outline") return "r.outline";
				slots.push({ slot, query: place });
				return "?";
			});
			if (query.type === "node") return `'[' || coalesce((SELECT ${jsonRow(select)} FROM (${text}) found), '') || ']'`;
			const rows = shortRows(query, select, text, options);
			return `'[' || coalesce((SELECT ${joined("line")} FROM (${rows}) found), '') || ']'`;
		});
	});
	slots.push({ slot: "outline", query: 0 });
	const text = `'[' || ${["r.revision", ...parts].join(" || ',' || ")} || ']'`;
	const sql = `SELECT ${cutOff(text, options)} AS answer FROM ${outlinesTable} r WHERE r.outline = ? AND r.staged IS NULL`;
	return { sql, slots, columns };
}

/** The statements that answer a query together, with no more than is read at once: each gives one text with all its rows. */
export function statementsFor(query: Query, options: ReadOptions): ReadStatement[] {
	return selectsFor(limited(query, options), dialect, options.rows + 1).map((select) => {
		const { text, slots } = filled(select);
		const all = `'[' || coalesce(${joined("line")}, '') || ']'`;
		const rows = shortRows(query, select, text, options);
		return { sql: `SELECT ${cutOff(all, options)} AS answer FROM (${rows}) found`, slots, columns: [[select.columns]] };
	});
}

/** The statements that answer a query together, however much that is: each gives a text for each row. */
export function wholeStatementsFor(query: Query): ReadStatement[] {
	return selectsFor(query, dialect).map((select) => {
		const { text, slots } = filled(select);
		return { sql: `SELECT ${jsonRow(select)} AS answer FROM (${text}) found`, slots, columns: [[select.columns]] };
	});
}

/** As {@link wholeStatementsFor}, of nodes: the id and the priority of each alone. */
export function idStatementsFor(query: Query): ReadStatement[] {
	return selectsFor(query, dialect).map((select) => {
		const { text, slots } = filled(select);
		const sql = `SELECT json_array(found.id, found.priority) AS answer FROM (${text}) found`;
		return { sql, slots, columns: [[["id", "priority"]]] };
	});
}

function filled({ text }: Select): { text: string; slots: { slot: Slot; query: number }[] } {
	const slots: { slot: Slot; query: number }[] = [];
	const place = (slot: Slot) => {
		slots.push({ slot, query: 0 });
		return "?";
	};
	return { text: fillSlots(text, place), slots };
}

/** The values of a statement's parameters. */
export function parametersOf({ slots }: ReadStatement, outline: number, queries: readonly Query[]): Parameter[] {
	return slots.map(({ slot, query }) => {
		if (slot === "outline") return outline;
		const value = slotValue(slot, queries[query]!);
		return typeof value === "object" ? JSON.stringify(value) : value;
	});
}

/** The answer to a query, from the rows of its selects. */
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
				selects.map((rows, place) => rows.map((cells) => rowOf(cells, columns[place]!))),
				revision,
			);
	}
}

/** The node in a row that begins as those of `storedNodes`. @throws `Bulky` for one that was too long to be read */
export function storedNodeIn(cells: Cells | null): StoredNode {
	if (cells === null) throw new Bulky();
	const mirrors = cells[12] as string | null;
	return {
		record: recordIn(cells),
		origin: originIn(cells[11]),
		mirrorIds: mirrors === null ? [] : mirrors.split(",").sort(),
	};
}

/** The record in a row that begins with the columns of one. */
export function recordIn(cells: Cells): NodeRecord {
	return {
		id: cells[0] as string,
		parentId: cells[1] as string | null,
		priority: cells[2] as number,
		name: cells[3] as string,
		note: cells[4] as string | null,
		layoutMode: cells[5] as NodeRecord["layoutMode"],
		createdAt: cells[6] as number,
		modifiedAt: cells[7] as number,
		completedAt: cells[8] as number | null,
		originId: cells[9] as string | null,
		revision: cells[10] as number,
	};
}

/** An expression for a row of a select, as JSON. */
export function jsonRow({ columns }: Select): string {
	return `json_array(${columns.map((column) => `found.${column}`).join(", ")})`;
}

/** An expression for some texts with commas between them, in one text. */
export function joined(text: string): string {
	return `group_concat(${text})`;
}

/** An expression for the bytes of a node's texts. */
export function bytesOfNode(node: string, bytesOf: BytesOf): string {
	return `${bytesOf(`${node}.name`)} + coalesce(${bytesOf(`${node}.note`)}, 0)`;
}

/** The rows of a select, each as JSON: with one more than is read at once, if there are more. */
function shortRows(query: Query, select: Select, text: string, options: ReadOptions): string {
	return `SELECT ${shortRow(query, select, options)} AS line FROM (${text}) found LIMIT ${options.rows + 1}`;
}

/** An expression for a row, as JSON; `null` in its place if it is one of many and a long node. */
function shortRow(query: Query, select: Select, { bytesOf }: ReadOptions): string {
	const row = jsonRow(select);
	const few = query.type === "children" && query.limit !== undefined && query.limit <= fewNodes;
	if (few || !select.columns.includes("note")) return row;
	return `CASE WHEN ${bytesOfNode("found", bytesOf)} > ${longNode} THEN 'null' ELSE ${row} END`;
}

/** An expression for the beginning of a text, which is all of it unless that is more than is read at once. */
function cutOff(text: string, { characters }: AtOnce): string {
	return `substr(${text}, 1, ${characters})`;
}

function rowOf(cells: Cells | null, columns: Select["columns"]): Row {
	if (cells === null) throw new Bulky();
	return Object.fromEntries(columns.map((column, place) => [column, cells[place]]));
}
