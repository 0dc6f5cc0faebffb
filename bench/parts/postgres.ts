import { fresh, runs } from "../fresh.ts";
import type { Table } from "../report.ts";
import type { PostgresResult } from "../scenes/postgres.ts";

/** Creates on PostgreSQL beside the bare statements. */
export async function* measure(): AsyncIterable<Table> {
	const results: PostgresResult[] = [];
	for (let run = 0; run < runs; run++) results.push(await fresh<PostgresResult>("postgres", {}));
	const ours = results.map(({ outline }) => outline);
	yield {
		key: "postgres",
		title: "PostgreSQL",
		unit: "µs a create",
		base: "raw statements",
		ours: "Outline",
		rows: [
			{
				name: "beside the same statements in a transaction",
				ours,
				base: results.map(({ transaction }) => transaction),
			},
			{ name: "beside a lone INSERT, which keeps no revision", ours, base: results.map(({ insert }) => insert) },
		],
	};
}
