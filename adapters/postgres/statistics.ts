import { keysTable, nodesTable, outlinesTable } from "../sql/schema.js";
import type { PostgresPool } from "./client.js";
import type { PostgresQuery } from "./connection.js";

/**
 * The numbers of nodes, written through a pool, after which the storage checks the server's statistics. It
 * checks again later, because from a small table the server learns that reading all of it is fastest. It
 * keeps that plan for a while after the table has grown.
 */
const moments = [1000, 3000, 10_000];

const written = new WeakMap<PostgresPool, number>();

/**
 * Adds written nodes. Returns the number of nodes that the server should know of if a check is due; else
 * undefined.
 */
export function statisticsDue(pool: PostgresPool, nodes: number): number | undefined {
	const before = written.get(pool) ?? 0;
	written.set(pool, before + nodes);
	return moments.findLast((moment) => before < moment && before + nodes >= moment);
}

/**
 * Makes the server take statistics of the tables if it knows of less than half of the nodes. Without
 * statistics the server takes the outline alone as a good criterion, because all indexes begin with it. Then
 * it may look for a node through all nodes of an outline. The server would take them on its own only some
 * time later.
 */
export async function takeStatistics(query: PostgresQuery, nodes: number): Promise<void> {
	const known = await query("SELECT 1 FROM pg_class WHERE oid = to_regclass($1::text) AND reltuples >= $2::real", [
		nodesTable,
		nodes / 2,
	]);
	if (known.length > 0) return;
	for (const table of [nodesTable, keysTable, outlinesTable]) await query(`ANALYZE ${table}`);
}
