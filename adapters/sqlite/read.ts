import type { Answer, NodeRecord, Query, StoredNode } from "../../src/storage.js";
import { answerFrom, childrenAmong, originIn, type Row } from "../sql/answer.js";
import type { Dialect } from "../sql/dialect.js";
import { outlinesTable } from "../sql/schema.js";
import { fillSlots, type Select, type Slot, selectsFor, slotValue, storedNodes } from "../sql/select.js";
import type { Parameter } from "./client.js";

/*
 * Whatever is read comes as text, in JSON. What a client does for each value of each row costs more than to find the row, and
 * more than to have SQLite write and V8 read a text with all of them.
 */

const dialect: Dialect = {
	among: (expression, parameter) => `${expression} IN (SELECT value FROM json_each(${parameter}))`,
	joinedIds: (expression) => `group_concat(${expression})`,
	// What is concatenated is a text among others, whereas the result of a function may become a part of the JSON around it.
	jsonArray: (expressions) => `json_array(${expressions.join(", ")}) || ''`,
};

/** The most queries that are answered by one statement. */
const queriesAtOnce = 16;

/** The most nodes of which the related ones are part of such an answer. */
const relatedAtOnce = 100;

/** The most nodes that are one text for sure. */
const fewNodes = 8;

/** From how many characters on an answer is too long to be one text: no client takes texts of any length. */
export const longestAnswer = 2 ** 26;

/** The values of a row, in the order of its select's columns. */
export type Cells = readonly unknown[];

/** A statement that gives one column of texts, and what its parameters stand for. */
export interface ReadStatement {
	readonly sql: string;
	readonly slots: readonly { readonly slot: Slot; readonly query: number }[];
	/** The columns of each select, by query. */
	readonly columns: readonly (readonly Select["columns"][])[];
}

/** Whether some queries may be answered by one statement. What may hold much or takes long to find is read row by row. */
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

/** How many nodes an answer holds at most. */
function mostNodes(query: Query): number {
	switch (query.type) {
		case "node":
			return 1;
		case "children":
			return query.limit ?? Number.POSITIVE_INFINITY;
		case "taken":
			return 0;
		default:
			return Number.POSITIVE_INFINITY;
	}
}

/**
 * The statement that answers queries that fit together: one text, with the revision and the rows of each select. It is one
 * statement, so it sees one state. There is no row if there is no such outline.
 */
export function statementForAll(queries: readonly Query[]): ReadStatement {
	const slots: { slot: Slot; query: number }[] = [];
	const columns: Select["columns"][][] = [];
	const parts = queries.flatMap((query, place) => {
		const selects = selectsFor(query, dialect);
		columns.push(selects.map((select) => select.columns));
		return selects.map((select) => {
			const text = fillSlots(select.text, (slot) => {
				if (slot === "outline") return "r.outline";
				slots.push({ slot, query: place });
				return "?";
			});
			const row = jsonRow(select);
			return query.type === "node"
				? `'[' || coalesce((SELECT ${row} FROM (${text}) found), '') || ']'`
				: `(SELECT json_group_array(${row}) FROM (${text}) found)`;
		});
	});
	slots.push({ slot: "outline", query: 0 });
	const text = `'[' || ${["r.revision", ...parts].join(" || ',' || ")} || ']'`;
	const nodes = queries.reduce((sum, query) => sum + mostNodes(query), 0);
	const answer = nodes <= fewNodes ? text : cutOff(text);
	return { sql: `SELECT ${answer} AS answer FROM ${outlinesTable} r WHERE r.outline = ?`, slots, columns };
}

/** An expression for the beginning of a text, which is all of it unless it is too long. */
export function cutOff(text: string): string {
	return `substr(${text}, 1, ${longestAnswer})`;
}

/** The statements that answer a query together: each gives a text for each row. */
export function statementsFor(query: Query): ReadStatement[] {
	return selectsFor(query, dialect).map((select) => {
		const slots: { slot: Slot; query: number }[] = [];
		const text = fillSlots(select.text, (slot) => {
			slots.push({ slot, query: 0 });
			return "?";
		});
		return { sql: `SELECT ${jsonRow(select)} AS answer FROM (${text}) found`, slots, columns: [[select.columns]] };
	});
}

/** A select of all nodes of an outline, of each a text as {@link storedNodeIn} reads it. */
export function everyNode(outline: number): string {
	const select = storedNodes(dialect, "true");
	return `SELECT ${jsonRow(select)} AS node FROM (${fillSlots(select.text, () => `${outline}`)}) found`;
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

/** The node in a row that begins as those of `storedNodes`. */
export function storedNodeIn(cells: Cells): StoredNode {
	const mirrors = cells[12] as string | null;
	return {
		record: {
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
		},
		origin: originIn(cells[11]),
		mirrorIds: mirrors === null ? [] : mirrors.split(",").sort(),
	};
}

function jsonRow({ columns }: Select): string {
	return `json_array(${columns.map((column) => `found.${column}`).join(", ")})`;
}

function rowOf(cells: Cells, columns: Select["columns"]): Row {
	return Object.fromEntries(columns.map((column, place) => [column, cells[place]]));
}
