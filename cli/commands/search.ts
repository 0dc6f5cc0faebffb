import type { Outline, SearchHit } from "outlinekit";
import type { Command } from "../command.ts";
import { outlineOptions } from "../shared-options.ts";
import { nameLine, nodeLines } from "../tree.ts";

export const search: Command = {
	name: "search",
	summary: "Find nodes, the best first",
	arguments: ["<query...>"],
	options: {
		within: { value: "node", help: "search only this node and all below it" },
		limit: { value: "number", help: "the most hits, up to 1000; default: 50" },
		...outlineOptions,
	},
	details:
		'A query has words, "phrases", #tags, is:todo, is:completed, OR, and created: or modified: with dates.\nWrite -- before a query with -word, which leaves out nodes: outlinekit search -- milk -oat',
	async run(call) {
		const { words, options, output } = call;
		const { outline } = await call.open();
		const limit = options.integer("limit", 1, 1000) ?? 50;
		const names = new Map<string, Promise<string>>();
		for (const hit of await outline.search(words.join(" "), { within: options.text("within"), limit })) {
			const where = output.json ? "" : await ancestorsOf(hit, outline, names);
			const lines = nodeLines(hit.node, 0, output);
			await output.result(
				{ ...hit.node, path: hit.path, score: hit.score },
				where === "" ? lines : `${lines}\n  ${output.styled("dim", `in ${where}`)}`,
			);
		}
	},
};

/** The names of the nodes above a hit. Reads each node once. */
async function ancestorsOf(
	{ path }: SearchHit,
	outline: Outline,
	names: Map<string, Promise<string>>,
): Promise<string> {
	const found = path.slice(0, -1).map((id) => {
		// Another process may delete it meanwhile.
		const name = names.get(id) ?? outline.get(id).then(nameLine, () => "…");
		names.set(id, name);
		return name;
	});
	return (await Promise.all(found)).join(" › ");
}
