import { fresh, runs } from "../fresh.ts";
import type { Table } from "../report.ts";
import type { PostgresResult } from "../scenes/postgres.ts";

/** Creates on PostgreSQL beside the bare statements, and pushes of devices. */
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
	yield {
		key: "postgres sync",
		title: "Sync of 10,000 nodes on PostgreSQL",
		unit: "µs a commit, in a push of 500 deletions or 2,000 others",
		base: "",
		ours: "Outline",
		rows: Object.keys(results[0]!.pushes).map((name) => ({
			name,
			ours: results.map(({ pushes }) => pushes[name]!),
			limit: 500,
		})),
	};
}
