import { fresh, runs } from "../fresh.ts";
import type { Table } from "../report.ts";
import type { SearchResult } from "../scenes/search.ts";

/** Searches beside a look through all texts. */
export async function* measure(): AsyncIterable<Table> {
	const results: SearchResult[] = [];
	for (let run = 0; run < runs; run++) results.push(await fresh<SearchResult>("search", {}));
	yield {
		key: "search",
		title: "Search, 100,000 nodes",
		unit: "ms",
		base: "a look through all texts",
		ours: "Outline",
		rows: [
			...Object.keys(results[0]!.figures).map((name) => ({
				name,
				ours: results.map(({ figures }) => figures[name]!.ours),
				base: results.map(({ figures }) => figures[name]!.base),
			})),
			{ name: "a rare word, just after a change", ours: results.map(({ afterChange }) => afterChange) },
			{ name: "the first search, which makes the index", ours: results.map(({ first }) => first) },
		],
	};
}
