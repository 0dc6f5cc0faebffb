import { fresh, runs } from "../fresh.ts";
import type { Table } from "../report.ts";
import type { MarkupResult } from "../scenes/markup.ts";

/** From the Markdown of a name to what is stored. */
export async function* measure(): AsyncIterable<Table> {
	const results: MarkupResult[] = [];
	for (let run = 0; run < runs; run++) results.push(await fresh<MarkupResult>("markup", {}));
	yield {
		key: "markup",
		title: "Markup",
		unit: "µs a name of 40 characters",
		base: "mdast-util-from-markdown alone",
		ours: "name to HTML",
		rows: [
			{
				name: "a plain name",
				ours: results.map(({ plain }) => plain.ours),
				base: results.map(({ plain }) => plain.base),
				goal: { ratio: 0.01 },
			},
			{
				name: "a name with a bold word",
				ours: results.map(({ marked }) => marked.ours),
				base: results.map(({ marked }) => marked.base),
			},
		],
	};
}
