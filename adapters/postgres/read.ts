import type { Answers, Query, Snapshot } from "../../src/storage.js";
import { answerFrom, type Row } from "../sql/answer.js";
import { nodesTable, outlinesTable } from "../sql/schema.js";
import {
	type Column,
	columnTypes,
	type Dialect,
	fillSlots,
	type Slot,
	type SqlType,
	selectsFor,
	shapeOf,
	slotType,
	slotValue,
	storedNodes,
} from "../sql/select.js";

const typeNames: { readonly [T in SqlType]: string } = {
	outline: "text",
	id: "uuid",
	text: "text",
	integer: "bigint",
	boolean: "boolean",
	ids: "uuid[]",
	texts: "text[]",
};

const dialect: Dialect = {
	rowKey: (id) => id,
	rowKeySlot: ":at",
	shortId: "short_id",
	hasShortId: (shortId) => `short_id = ${shortId}`,
	takenAmong: () =>
		`SELECT short_id FROM ${nodesTable} WHERE outline = :outline AND short_id = ANY(:shortIds) AND NOT deleted`,
	endOfSiblings: (_, limit, direction) => {
		// PostgreSQL knows that `IS NULL` leaves one value, but not that the index is then in order. So the parent
		// is named too.
		const order = ["parent_id", "priority", "id"].map((column) => `n.${column} ${direction}`).join(", ");
		return `ORDER BY ${order} LIMIT ${limit}`;
	},
	// PostgreSQL knows no limit within a recursive query.
	endOfLine: () => "",
	among: (expression, parameter) => `${expression} = ANY(${parameter})`,
	joinedIds: (expression) => `string_agg(${expression}::text, ',')`,
	jsonArray: (expressions) => `json_build_array(${expressions.join(", ")})::text`,
};

/** The most statements whose texts are kept. */
const keptStatements = 200;

/** A statement that answers several queries at one revision. */
export interface ReadStatement {
	readonly sql: string;
	/** The meaning of the parameters from the second on: a slot of a query. The first is the outline. */
	readonly parameters: readonly { readonly query: number; readonly slot: Exclude<Slot, "outline"> }[];
	/** The number of selects of each query. */
	readonly parts: readonly number[];
}

const statements = new Map<string, ReadStatement>();

/**
 * Returns the statement that answers the queries. One statement sees one state, whatever the isolation level.
 */
export function readStatement(queries: readonly Query[]): ReadStatement {
	const shape = queries.map(shapeOf).join("; ");
	let statement = statements.get(shape);
	if (statement === undefined) {
		statement = statementFor(queries);
		if (statements.size >= keptStatements) statements.delete(statements.keys().next().value!);
		statements.set(shape, statement);
	}
	return statement;
}

/** Returns the parameters of a {@link readStatement}. */
export function readParameters({ parameters }: ReadStatement, outline: string, queries: readonly Query[]): unknown[] {
	return [outline, ...parameters.map(({ query, slot }) => slotValue(slot, queries[query]!))];
}

/** Returns the answers in the rows of a {@link readStatement}. */
export function snapshotFrom<const Q extends readonly Query[]>(
	{ parts }: ReadStatement,
	queries: Q,
	rows: readonly (Row & { readonly current: unknown; readonly part: unknown })[],
): Snapshot<Q> {
	const revision = Number(rows[0]!.current);
	const selects: Row[][] = parts.flatMap((count) => Array.from({ length: count }, () => []));
	// If no row is found, there is one row with only the revision.
	for (const row of rows) if (row.part != null) selects[Number(row.part)]!.push(row);
	let at = 0;
	const results = queries.map((query, index) => {
		const first = at;
		at += parts[index]!;
		return answerFrom(query, selects.slice(first, at), revision);
	});
	return { revision, results: results as unknown as Answers<Q> };
}

/** Returns a select of all nodes of the outline in the first parameter, with their origins and mirrors. */
export function everyNode(): string {
	return fillSlots(storedNodes(dialect, "true").text, () => "$1::text");
}

function statementFor(queries: readonly Query[]): ReadStatement {
	const parameters: { query: number; slot: Exclude<Slot, "outline"> }[] = [];
	const selects = queries.map((query, index) => {
		const positions = new Map<Slot, number>();
		return selectsFor(query, dialect).map(({ text, columns }) => {
			const filled = fillSlots(text, (slot) => {
				if (slot === "outline") return "$1::text";
				let position = positions.get(slot);
				if (position === undefined) {
					parameters.push({ query: index, slot });
					position = parameters.length + 1;
					positions.set(slot, position);
				}
				return `$${position}::${typeNames[slotType(slot, query)]}`;
			});
			return { text: filled, columns };
		});
	});
	const used = new Set(selects.flat().flatMap(({ columns }) => columns));
	const united = selects.flat().map(({ text, columns }, part) => {
		const own = new Set<Column>(columns);
		const padded = Array.from(used, (column) =>
			own.has(column) ? `p.${column}` : `NULL::${typeNames[columnTypes[column]]}`,
		);
		return `SELECT ${[`${part} AS part`, ...padded].join(", ")} FROM (${text}) p`;
	});
	const revision = `SELECT coalesce((SELECT revision FROM ${outlinesTable} WHERE outline = $1::text), 0) AS current`;
	const parts = selects.map(({ length }) => length);
	if (united.length === 0) return { sql: revision, parameters, parts };
	// The first select names the columns.
	const named = ["part", ...used].join(", ");
	return {
		sql: `SELECT r.current, s.* FROM (${revision}) r LEFT JOIN (${united.join(" UNION ALL ")}) s (${named}) ON true`,
		parameters,
		parts,
	};
}
