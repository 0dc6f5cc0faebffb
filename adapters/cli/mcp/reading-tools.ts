import { z } from "zod";
import { lineOf, linesOf, placedNode, shortIdOf, shown, shownNode } from "./node.ts";
import { readPage } from "./page.ts";
import type { Part } from "./part.ts";
import { reference } from "./schema.ts";
import type { Calls } from "./tool.ts";

const annotations = { readOnlyHint: true };

/** The number of ancestors of a hit in an answer. */
const ancestorsShown = 4;

/** The most characters of the text and the note of a hit. */
const mostOfHit = 500;

/** Adds the tools that change nothing. */
export function registerReadingTools(calls: Calls, part: Part): void {
	registerSearch(calls, part);
	registerRead(calls, part);
	registerTargets(calls, part);
}

function registerSearch(calls: Calls, { outline, timeZone }: Part): void {
	calls.register({
		name: "search",
		title: "Search",
		description:
			'Finds nodes by their text and notes, the best first. A query has words (their beginnings will do), "phrases", -not, OR, #tag, @tag, is:todo, is:completed, is:mirror, in:note, date: with the dates in texts (today, <today, +7d, 2026-11), and created:, modified: and completed: with dates (2026-11, >2026-11-01, 2026-11-01..2026-11-07) or spans (7d). date:<today is:todo -is:completed finds what is overdue.',
		annotations,
		input: z.strictObject({
			query: z.string().min(1).max(1000),
			within: reference.optional().describe("Search only this node and what is below it"),
			limit: z.int().min(1).max(100).default(20),
			order: z.enum(["score", "date"]).default("score").describe("date: the earliest date in the texts first"),
		}),
		output: z.strictObject({
			hits: z.array(
				z.strictObject({
					node: shownNode,
					above: z
						.array(z.strictObject({ id: z.string(), name: z.string() }))
						.describe("The nearest of the nodes above, the parent first"),
				}),
			),
			more: z.boolean().describe("Whether there are more: narrow the query down, or raise the limit"),
		}),
		async run({ query, within, limit, order }) {
			const found = await outline.search(query, { within, limit: limit + 1, order, ancestors: true });
			const hits = found.slice(0, limit).map(({ node, ancestors }) => ({
				node: shown(node, timeZone, mostOfHit),
				above: ancestors
					.slice(-ancestorsShown)
					.reverse()
					.map(({ id, name }) => ({ id, name: lineOf(name) })),
			}));
			const lines = hits.flatMap(({ node, above }) => [
				...linesOf(node),
				...above.map(({ id, name }) => `  below [${shortIdOf(id)}] ${name}`),
			]);
			const more = found.length > limit;
			if (hits.length === 0) lines.push("Nothing was found.");
			if (more) lines.push("There is more.");
			return { text: lines.join("\n"), content: { hits, more } };
		},
	});
}

function registerRead(calls: Calls, part: Part): void {
	calls.register({
		name: "read",
		title: "Read",
		description:
			"Reads a node and what is below it, as a list of Markdown with the short id of each node in brackets before its text; lines that begin with | go on with the text, or are the note. What is below mirrors is shown too. Nodes of the last level may have more below them: read those.",
		annotations,
		input: z.strictObject({
			node: reference.optional().describe(`${reference.description}. Left out: the top level`),
			depth: z
				.int()
				.min(0)
				.max(10)
				.default(3)
				.describe("How many levels below; 0 for the node alone, with its whole text"),
			limit: z.int().min(1).max(500).default(100).describe("The most nodes; long texts make them fewer"),
			completed: z.boolean().default(true).describe("Whether to show what is completed"),
			cursor: z.string().max(10_000).optional().describe("From the last answer, to read on with the same arguments"),
		}),
		output: z.strictObject({ nodes: z.array(placedNode), cursor: z.string().nullable() }),
		async run({ node, ...options }) {
			const { text, ...content } = await readPage(part, node, options);
			return { text, content };
		},
	});
}

function registerTargets(calls: Calls, { outline }: Part): void {
	calls.register({
		name: "targets",
		title: "List shortcuts",
		description:
			"Lists the keys that stand for nodes wherever a node is asked for: inbox, calendar, today, tomorrow, next_week, and the shortcuts that people have set. One without a name isn't there yet, and is made when something is put there.",
		annotations,
		input: z.strictObject({}),
		output: z.strictObject({
			targets: z.array(
				z.strictObject({ key: z.string(), type: z.enum(["shortcut", "system"]), name: z.string().nullable() }),
			),
		}),
		async run() {
			const targets = await outline.targets();
			const shownTargets = targets.map(({ name, ...target }) => ({
				...target,
				name: name === null ? null : lineOf(name),
			}));
			const lines = shownTargets.map(({ key, name }) => `${quoted(key)}${name === null ? "" : `: ${name}`}`);
			return { text: lines.join("\n"), content: { targets: shownTargets } };
		},
	});
}

/** Returns a key as a text of JSON in one line. JSON itself leaves some line breaks as they are. */
function quoted(key: string): string {
	return JSON.stringify(key).replace(
		/[\u0085\u2028\u2029]/g,
		(lineEnd) => `\\u${lineEnd.charCodeAt(0).toString(16).padStart(4, "0")}`,
	);
}
