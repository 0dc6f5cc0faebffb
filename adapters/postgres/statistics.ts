import { keysTable, nodesTable, outlinesTable } from "../sql/schema.js";
import type { PostgresPool } from "./client.js";
import type { PostgresQuery } from "./connection.js";

/**
 * After how many nodes that were written through a pool somebody looks whether the server knows the tables. Of a small table
 * it would learn that reading all of it is the fastest way, and hold on to that for a while when it has grown; so it is asked
 * again.
 */
const moments = [1000, 3000, 10_000];

const written = new WeakMap<PostgresPool, number>();

/** How many nodes the server should know of, if so many nodes more make it worth to look at its statistics. */
export function statisticsDue(pool: PostgresPool, nodes: number): number | undefined {
	const before = written.get(pool) ?? 0;
	written.set(pool, before + nodes);
	return moments.findLast((moment) => before < moment && before + nodes >= moment);
}

/**
 * Has the server take statistics of our tables if it knows of less than half of some nodes. Until it does, it takes the outline
 * alone for as good a criterion as any, since all indexes begin with it, and may look for a node through all nodes of an
 * outline. It would do this by itself some time after the nodes are there.
 */
export async function takeStatistics(query: PostgresQuery, nodes: number): Promise<void> {
	const known = await query("SELECT 1 FROM pg_class WHERE oid = to_regclass($1::text) AND reltuples >= $2::real", [
		nodesTable,
		nodes / 2,
	]);
	if (known.length > 0) return;
	for (const table of [nodesTable, keysTable, outlinesTable]) await query(`ANALYZE ${table}`);
}
