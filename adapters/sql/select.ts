import type { Locator, Query } from "../../src/storage.js";
import { documentsTable, keysTable, nodesTable, outlinesTable } from "./schema.js";

/** The type of a value or a column, as far as the databases need it. */
export type SqlType = "outline" | "id" | "text" | "integer" | "boolean" | "ids" | "texts";

/**
 * The differences between the SQL of the databases. All other SQL is written once, in their common language.
 */
export interface Dialect {
	/** Returns the expression, made of an id, by which an index finds the row of the node. */
	rowKey(id: string): string;
	/** The slot with that for the located id. */
	readonly rowKeySlot: ":at" | ":atKey";
	/** An expression for the short id of a node. */
	readonly shortId: string;
	/** Returns the condition that a node has a short id. */
	hasShortId(shortId: string): string;
	/** Returns a select of the short ids in the parameter `:shortIds` that nodes have. */
	takenAmong(): string;
	/**
	 * Returns the end of a select of siblings `n`, so that it finds the first ones in a direction, as many as a
	 * limit says, and at most others of the same priority as the last of these.
	 */
	endOfSiblings(siblings: string, limit: number, direction: "ASC" | "DESC"): string;
	/**
	 * Returns the end of a recursive select of a node and its ancestors, so that it finds the nearest ones, as many as a
	 * limit says, or more.
	 */
	endOfLine(limit: number): string;
	/** Returns the condition that an expression is one of the values in a parameter with a list, each converted. */
	among(expression: string, parameter: string, convert?: (value: string) => string): string;
	/** Returns an aggregate: the ids of all rows in one text, with commas between them. */
	joinedIds(expression: string): string;
	/** Returns a text with a JSON array of the values of the expressions. */
	jsonArray(expressions: readonly string[]): string;
}

/** The columns of a record, in the order in which an origin's are listed. */
export const recordColumns = [
	"id",
	"parent_id",
	"priority",
	"name",
	"note",
	"layout_mode",
	"created_at",
	"modified_at",
	"completed_at",
	"origin_id",
	"revision",
	"properties",
] as const;

/** The columns that a select may have, besides those of a record, with their types. */
export const columnTypes = {
	id: "id",
	parent_id: "id",
	priority: "integer",
	name: "text",
	note: "text",
	layout_mode: "text",
	created_at: "integer",
	modified_at: "integer",
	completed_at: "integer",
	origin_id: "id",
	revision: "integer",
	properties: "text",
	/** A JSON array of the origin's record. */
	origin: "text",
	/** The ids of the mirrors, with commas between them, in any order. */
	mirrors: "text",
	key: "text",
	key_group: "text",
	/** The revision of a key, beside that of its node. */
	key_revision: "integer",
	node_id: "id",
	value: "text",
	short_id: "text",
	deleted: "boolean",
	horizon: "integer",
	/** In an answer to `changes`: the first later revision of its table. */
	next: "integer",
	/** The number that SQLite gives a row. */
	row: "integer",
} as const satisfies Record<string, SqlType>;

/** The largest integer of the databases. Without an upper bound they wouldn't use an index. */
export const endOfIntegers = "9223372036854775807";

/** A character after all characters of a document's key. */
const endOfKeys = "\x7f";

/** The name of such a column. */
export type Column = keyof typeof columnTypes;

/** The meaning of a parameter of a select: a field of the query, or the outline. */
export type Slot =
	| "outline"
	| "at"
	/** As `at`, but the row key of the id. */
	| "atKey"
	| "after"
	| "before"
	| "ids"
	| "shortId"
	| "shortIds"
	| "group"
	| "prefix"
	| "end"
	| "afterKey"
	| "since"
	| "offset";

/** A select that answers a query or a part of it. Its text has slots like `:at` for the parameters. */
export interface Select {
	readonly text: string;
	readonly columns: readonly Column[];
}

/**
 * Returns a name for all properties of a query on which its selects' texts depend. Queries of one shape have
 * the same selects.
 */
export function shapeOf(query: Query): string {
	switch (query.type) {
		case "node":
			return `node ${wayOf(query.at)}`;
		case "children": {
			const { of, scope, after, before, limit, fromLast } = query;
			const way = of === null ? "root" : `${wayOf(of)} ${scope}`;
			const bounds = `${after === undefined ? "" : "a"}${before === undefined ? "" : "b"}`;
			return `children ${way} ${bounds}${limit === undefined ? "" : `${fromLast ? "last" : "first"} ${limit}`}`;
		}
		case "ancestors":
			return `ancestors ${wayOf(query.of)} ${query.limit ?? ""}`;
		case "subtree":
			return `subtree ${wayOf(query.of)}`;
		case "taken":
			return query.shortIds.length === 1 ? "taken one" : "taken";
		case "documents":
			return `documents ${query.after === undefined ? "" : "after"} ${query.limit ?? ""}`;
		default:
			return query.type;
	}
}

/**
 * Returns the selects that answer a query together.
 *
 * @param most - the most nodes of a subtree to look for. Default: all
 */
export function selectsFor(query: Query, dialect: Dialect, most?: number): Select[] {
	switch (query.type) {
		case "node":
			return [storedNodes(dialect, isRowAt(query.at, dialect, "n."))];
		case "children":
			return children(query, dialect);
		case "ancestors":
			return [ancestors(query, dialect)];
		case "subtree":
			return subtree(query.of, dialect, most);
		case "related": {
			const { rowKey } = dialect;
			const given = `${nodesTable} WHERE outline = :outline AND ${dialect.among(rowKey("id"), ":ids", rowKey)}`;
			const mirrors = `${nodesTable} WHERE outline = :outline AND ${dialect.among("origin_id", ":ids")} AND NOT deleted`;
			return [
				storedNodes(
					dialect,
					`${rowKey("n.id")} IN (
						SELECT ${rowKey("id")} FROM ${given}
						UNION ALL SELECT ${rowKey("id")} FROM ${mirrors}
						UNION ALL SELECT ${rowKey("origin_id")} FROM ${given})`,
				),
			];
		}
		case "taken": {
			// Most queries have one id, and comparing it is less work than a list of one.
			const one = `SELECT ${dialect.shortId} AS short_id FROM ${nodesTable} WHERE outline = :outline AND ${dialect.hasShortId(":shortId")} AND NOT deleted`;
			return [{ text: query.shortIds.length === 1 ? one : dialect.takenAmong(), columns: ["short_id"] }];
		}
		case "keys":
			return [
				storedNodes(
					dialect,
					`${isRowOf("n", "k.node_id", dialect)} AND k.outline = :outline AND k.key_group = :group`,
					{
						beside: `${keysTable} k`,
						columns: { "k.key": "key", "k.key_group": "key_group", "k.revision AS key_revision": "key_revision" },
					},
				),
			];
		case "documents":
			return [documents(query)];
		case "changes":
			return changes();
	}
}

/** Replaces each slot (`:at`) in a text by the result of `placeholder`. */
export function fillSlots(text: string, placeholder: (slot: Slot) => string): string {
	return text.replace(/(?<!:):(\w+)/g, (_, slot: Slot) => placeholder(slot));
}

/** Returns the value of a slot for a query. Lists stay lists. */
export function slotValue(slot: Exclude<Slot, "outline">, query: Query): string | number | readonly string[] {
	const fields = query as { [field: string]: unknown };
	if (slot === "offset") return (query as Extract<Query, { type: "changes" }>).limit - 1;
	if (slot === "shortId") return (query as Extract<Query, { type: "taken" }>).shortIds[0]!;
	if (slot === "end") return `${fields.prefix}${endOfKeys}`;
	if (slot === "afterKey") return fields.after as string;
	if (slot !== "at" && slot !== "atKey") return fields[slot] as string | number | readonly string[];
	const at = (fields.at ?? fields.of) as { id?: string; shortId?: string; key?: string };
	return (at.id ?? at.shortId ?? at.key)!;
}

/** Returns the type of a slot's values for a query. */
export function slotType(slot: Slot, query: Query): SqlType {
	switch (slot) {
		case "outline":
			return "outline";
		case "at":
		case "atKey":
			return wayOf(((query as { at?: Locator }).at ?? (query as { of?: Locator }).of)!) === "id" ? "id" : "text";
		case "ids":
			return "ids";
		case "shortIds":
			return "texts";
		case "shortId":
		case "group":
		case "prefix":
		case "end":
		case "afterKey":
			return "text";
		default:
			return "integer";
	}
}

function wayOf(at: Locator): "id" | "shortId" | "key" {
	return "id" in at ? "id" : "shortId" in at ? "shortId" : "key";
}

/** Returns the condition that a row is that of the node with an id. */
export function isRowOf(node: string, id: string, { rowKey }: Pick<Dialect, "rowKey">): string {
	return `${rowKey(`${node}.id`)} = ${rowKey(id)}`;
}

/** Returns the condition that a row is that of the located node. */
function isRowAt(at: Locator, dialect: Dialect, node: "" | "n." = ""): string {
	return `${dialect.rowKey(`${node}id`)} = ${"id" in at ? dialect.rowKeySlot : located(at, dialect, dialect.rowKey)}`;
}

/** Returns an expression for the id of the located node, or for something made of it. */
function located(at: Locator, { hasShortId }: Dialect, of: (id: string) => string = (id) => id): string {
	switch (wayOf(at)) {
		case "id":
			return of(":at");
		case "shortId":
			// In a damaged outline several nodes may have it, and PostgreSQL refuses several rows.
			return `(SELECT ${of("id")} FROM ${nodesTable}
				WHERE outline = :outline AND ${hasShortId(":at")} AND NOT deleted LIMIT 1)`;
		case "key":
			return `(SELECT ${of("node_id")} FROM ${keysTable} WHERE outline = :outline AND key = :at)`;
	}
}

/**
 * Returns a select of the nodes `n` for which a condition holds, each with its origin and its mirrors, and
 * perhaps with other columns.
 */
export function storedNodes(
	dialect: Dialect,
	condition: string,
	{ beside, columns = {} }: { beside?: string; columns?: { readonly [expression: string]: Column } } = {},
): Select {
	const origin = dialect.jsonArray(recordColumns.map((column) => `o.${column}`));
	const own = recordColumns.map((column) => `n.${column}`);
	const others = Object.keys(columns).map((expression) => `, ${expression}`);
	return {
		text: `SELECT ${own.join(", ")},
			CASE WHEN n.origin_id IS NOT NULL THEN (SELECT ${origin} FROM ${nodesTable} o
				WHERE o.outline = n.outline AND ${isRowOf("o", "n.origin_id", dialect)} AND NOT o.deleted) END AS origin,
			(SELECT ${dialect.joinedIds("m.id")} FROM ${nodesTable} m
				WHERE m.outline = n.outline AND m.origin_id = n.id AND NOT m.deleted) AS mirrors${others.join("")}
			FROM ${beside === undefined ? "" : `${beside} CROSS JOIN `}${nodesTable} n
			WHERE n.outline = :outline AND ${condition} AND NOT n.deleted`,
		columns: [...recordColumns, "origin", "mirrors", ...Object.values(columns)],
	};
}

/**
 * Returns a select for the children of the node itself and one for those of its origin. Two selects, so that
 * each reads in order from an index.
 */
function children(query: Extract<Query, { type: "children" }>, dialect: Dialect): Select[] {
	const { of, scope, after, before, limit, fromLast } = query;
	const bounds = `${after === undefined ? "" : "AND n.priority > :after"} ${before === undefined ? "" : "AND n.priority < :before"}`;
	const below = (condition: string): Select => {
		const siblings = `n.parent_id ${condition} ${bounds}`;
		const { text, columns } = storedNodes(dialect, siblings);
		// The limit is no parameter, because SQLite would compile the statement again for each value.
		const end = limit === undefined ? "" : dialect.endOfSiblings(siblings, Number(limit), fromLast ? "DESC" : "ASC");
		return { text: `${text} ${end}`, columns };
	};
	if (of === null) return [below("IS NULL")];
	// The parent isn't looked up: a missing parent has no children anyway.
	const own = located(of, dialect);
	if (scope === "own") return [below(`= ${own}`)];
	const shared = `(SELECT origin_id FROM ${nodesTable}
		WHERE outline = :outline AND ${isRowAt(of, dialect)} AND origin_id <> id AND NOT deleted)`;
	return [below(`= ${own}`), below(`= ${shared}`)];
}

/**
 * Returns a select of the node and its ancestors in any order; the reader follows the parents. UNION ends
 * even on a cycle.
 */
function ancestors({ of, limit }: Extract<Query, { type: "ancestors" }>, dialect: Dialect): Select {
	return {
		text: `WITH RECURSIVE line (id, parent_id) AS (
			SELECT id, parent_id FROM ${nodesTable}
				WHERE outline = :outline AND ${isRowAt(of, dialect)} AND NOT deleted
			UNION
			SELECT p.id, p.parent_id FROM line CROSS JOIN ${nodesTable} p
				WHERE p.outline = :outline AND ${isRowOf("p", "line.parent_id", dialect)} AND NOT p.deleted
			${limit === undefined ? "" : dialect.endOfLine(Number(limit))})
			SELECT id, parent_id FROM line`,
		columns: ["id", "parent_id"],
	};
}

/**
 * Returns the selects of a subtree. SQLite reads the tables of a CROSS JOIN in their written order: from the
 * few known nodes to the many.
 */
function subtree(of: Locator, dialect: Dialect, most?: number): Select[] {
	const children =
		most === undefined
			? "c.outline = :outline AND c.parent_id = tree.id AND NOT c.deleted"
			: // The limit of the whole comes too late for a node with very many children: all of them would be found first.
				`c.rowid IN (SELECT d.rowid FROM ${nodesTable} d
				WHERE d.outline = :outline AND d.parent_id = tree.id AND NOT d.deleted LIMIT ${most})`;
	const tree = `WITH RECURSIVE tree (id) AS (
		SELECT id FROM ${nodesTable}
			WHERE outline = :outline AND ${isRowAt(of, dialect)} AND NOT deleted
		UNION
		SELECT c.id FROM tree CROSS JOIN ${nodesTable} c
			WHERE ${children}${most === undefined ? "" : ` LIMIT ${most}`})`;
	const nodes = storedNodes(dialect, isRowOf("n", "tree.id", dialect), { beside: "tree" });
	return [
		{ text: `${tree} ${nodes.text}`, columns: nodes.columns },
		{
			text: `${tree} SELECT k.node_id, k.key, k.key_group, k.revision FROM tree CROSS JOIN ${keysTable} k
				WHERE k.outline = :outline AND k.node_id = tree.id`,
			columns: ["node_id", "key", "key_group", "revision"],
		},
	];
}

/** Returns a select of the documents in a range of keys. A row without a value is a dropped document. */
function documents({ after, limit }: Extract<Query, { type: "documents" }>): Select {
	const range = `key >= :prefix AND key < :end ${after === undefined ? "" : "AND key > :afterKey"}`;
	return {
		text: `SELECT key, value FROM ${documentsTable} WHERE outline = :outline AND ${range} AND value IS NOT NULL
			ORDER BY key ${limit === undefined ? "" : `LIMIT ${Number(limit)}`}`,
		columns: ["key", "value"],
	};
}

/**
 * Returns the selects of the changed nodes, of the changed keys, and of the horizon. The first two have whole
 * commits: each up to the commit of its own entry that fills the limit, or without a limit.
 */
function changes(): Select[] {
	const written = (table: string, columns: readonly Column[]): Select => ({
		text: `SELECT ${columns.map((column) => `n.${column}`).join(", ")},
			(SELECT min(b.revision) FROM ${table} b WHERE b.outline = :outline AND b.revision > last.revision) AS next
			FROM (SELECT coalesce((SELECT revision FROM ${table}
				WHERE outline = :outline AND revision > :since ORDER BY revision LIMIT 1 OFFSET :offset),
				${endOfIntegers}) AS revision) last
			CROSS JOIN ${table} n
			WHERE n.outline = :outline AND n.revision > :since AND n.revision <= last.revision`,
		columns: [...columns, "next"],
	});
	return [
		written(nodesTable, [...recordColumns, "deleted"]),
		written(keysTable, ["key", "key_group", "node_id", "revision"]),
		{ text: `SELECT horizon FROM ${outlinesTable} WHERE outline = :outline`, columns: ["horizon"] },
	];
}
