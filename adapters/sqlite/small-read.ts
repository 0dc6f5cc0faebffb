import { byPlace } from "../../src/siblings.js";
import type { Answer, NodeRecord, Query, Snapshot } from "../../src/storage.js";
import { shapeOf } from "../sql/select.js";
import { intact, revisionIn, type SqliteConnection } from "./connection.js";
import {
	answerIn,
	assertNotBulky,
	Bulky,
	type Cells,
	fitsTogether,
	idStatementsFor,
	limited,
	parametersOf,
	type ReadOptions,
	type ReadStatement,
	statementForAll,
	statementsFor,
	wholeStatementsFor,
} from "./read.js";

/** The most queries that are answered in one step, each by a statement of its own. */
const queriesInStep = 256;

/**
 * Answers queries about an outline, all at one state. Returns undefined if there is no such outline.
 *
 * @throws `Unsettled` while the parts of a commit are being applied; `Bulky` if the answers are too long for
 * one step
 */
export function readAtOnce(
	connection: SqliteConnection,
	outline: number,
	queries: readonly Query[],
	options: ReadOptions,
): Snapshot<readonly Query[]> | undefined {
	if (fitsTogether(queries)) {
		let shape = `all ${options.rows}`;
		for (const query of queries) {
			assertNotBulky(query, 0, options);
			shape += `; ${shapeOf(limited(query, options))}`;
		}
		const [read] = connection.compiled(shape, () => [statementForAll(queries, options)]);
		const text = connection.text(read!.statement, parametersOf(read!, outline, queries));
		if (text !== undefined) return snapshotIn(text, queries, read!, options);
	}
	if (queries.length > queriesInStep) throw new Bulky();
	return connection.snapshot(() => {
		const revision = connection.revision(outline);
		if (revision === undefined) return undefined;
		return { revision, results: queries.map((query) => answerAtOnce(connection, outline, query, revision, options)) };
	});
}

/** Answers a query. @throws `Bulky` if the answer is too long for one step */
function answerAtOnce(
	connection: SqliteConnection,
	outline: number,
	query: Query,
	revision: number,
	options: ReadOptions,
): Answer<Query> {
	assertNotBulky(query, 0, options);
	const shape = `rows ${options.rows} of ${shapeOf(limited(query, options))}`;
	const reads = connection.compiled(shape, () => statementsFor(query, options));
	const selects = reads.map((read) => {
		const text = connection.text(read.statement, parametersOf(read, outline, [query])) ?? "[]";
		assertWhole(text, options);
		const rows = intact(() => JSON.parse(text)) as readonly Cells[];
		assertNotBulky(query, rows.length, options);
		return rows;
	});
	const columns = reads.map((read) => read.columns[0]![0]!);
	return intact(() => answerIn(query, columns, selects, revision));
}

/** Answers a query, whatever the size of the answer. */
export function wholeAnswer(
	connection: SqliteConnection,
	outline: number,
	query: Query,
	revision: number,
): Answer<Query> {
	const reads = connection.compiled(`whole ${shapeOf(query)}`, () => wholeStatementsFor(query));
	const selects = reads.map((read) => connection.cells(read.statement, parametersOf(read, outline, [query])));
	const columns = reads.map((read) => read.columns[0]![0]!);
	return intact(() => answerIn(query, columns, selects, revision));
}

/** Returns the ids and priorities of the children for a query with a limit. */
export function childrenAtOnce(
	connection: SqliteConnection,
	outline: number,
	query: Extract<Query, { type: "children" }>,
): Pick<NodeRecord, "id" | "priority">[] {
	const reads = connection.compiled(`ids of ${shapeOf(query)}`, () => idStatementsFor(query));
	const selects = reads.map((read) => connection.cells(read.statement, parametersOf(read, outline, [query])));
	const found = intact(() =>
		selects.flat().map(([id, priority]) => ({ id: id as string, priority: priority as number })),
	);
	found.sort(byPlace);
	return query.fromLast ? found.slice(Math.max(0, found.length - query.limit!)) : found.slice(0, query.limit);
}

/** Returns the answers in the text of a statement for all queries. */
function snapshotIn(
	text: string,
	queries: readonly Query[],
	{ columns }: ReadStatement,
	options: ReadOptions,
): Snapshot<readonly Query[]> {
	assertWhole(text, options);
	return intact(() => {
		const [current, ...selects] = JSON.parse(text) as [unknown, ...(readonly Cells[])[]];
		const revision = revisionIn(current);
		let next = 0;
		const results = queries.map((query, index) => {
			const own = columns[index]!;
			const rows = selects.slice(next, next + own.length);
			next += own.length;
			for (const some of rows) assertNotBulky(query, some.length, options);
			return answerIn(query, own, rows, revision);
		});
		return { revision, results };
	});
}

/** Checks that a text wasn't cut off. @throws `Bulky` if it was */
function assertWhole(text: string, { characters }: ReadOptions): void {
	if (text.length >= characters) throw new Bulky();
}
