import { keysTable, nodesTable, outlinesTable } from "../sql/schema.js";
import type { PostgresPool } from "./client.js";
import type { PostgresQuery } from "./connection.js";

/**
 * How many nodes are written through a pool before somebody looks whether the server knows the tables. Of a small table it
 * would learn that reading all of it is the fastest way, and hold on to that for a while when it has grown.
 */
const enoughNodes = 1000;

const written = new WeakMap<PostgresPool, number>();

/** Whether so many nodes more make it worth to look at the server's statistics: once for each pool. */
export function statisticsDue(pool: PostgresPool, nodes: number): boolean {
	const before = written.get(pool) ?? 0;
	written.set(pool, before + nodes);
	return before < enoughNodes && before + nodes >= enoughNodes;
}

/**
 * Has the server take statistics of those of our tables of which it has none yet. Until it has, it takes the outline alone
 * for as good a criterion as any, since all indexes begin with it, and may look for a node through all nodes of an outline.
 * It would do this by itself some time after the first nodes are there.
 */
export async function takeStatistics(query: PostgresQuery): Promise<void> {
	for (const table of [nodesTable, keysTable, outlinesTable]) {
		const unknown = await query("SELECT 1 FROM pg_class WHERE oid = to_regclass($1::text) AND reltuples <= 0", [table]);
		if (unknown.length > 0) await query(`ANALYZE ${table}`);
	}
}
