import type { Command } from "../command.ts";
import { outlineOptions } from "../shared-options.ts";
import { hitLines, hitObject } from "../tree.ts";

/** The most hits that a search over HTTP returns. */
const most = 1000;

export const search: Command = {
	name: "search",
	summary: "Find nodes, the best first",
	arguments: ["<query...>"],
	options: {
		within: { value: "node", help: "search only this node and all below it" },
		limit: { value: "number", help: "the most hits, up to 1000; default: 50" },
		order: { value: "order", choices: ["score", "date"], help: "score (default), or date: the earliest date first" },
		...outlineOptions,
	},
	details:
		'A query has words, "phrases", #tags, is:todo, is:completed, OR, date:today or date:+7d for dates in the text, and\ncreated: or modified: with dates.\nWrite -- before a query with -word, which leaves out nodes: outlinekit search -- milk -oat',
	async run(call) {
		const { words, options, output } = call;
		const limit = options.integer("limit", 1, most) ?? 50;
		const order = options.text("order") as "date" | undefined;
		const outline = await call.openNodes();
		const hits = await outline.search(words.join(" "), {
			within: options.text("within"),
			limit: Math.min(limit + 1, most), // one more shows whether there are more
			order,
			ancestors: true,
			ranges: true,
		});
		for (const hit of hits.slice(0, limit)) await output.result(hitObject(hit), hitLines(hit, output));
		if (hits.length === 0) output.hint("Nothing was found.");
		if (hits.length <= limit) return;
		const shown = limit === 1 ? "hit" : `${limit} hits`;
		// Also beside JSON, because a script may count the lines.
		output.note(
			`Showing the ${order === "date" ? "first" : "best"} ${shown}. For more: --limit ${Math.min(4 * limit, most)}`,
		);
	},
};
