import type { BatchOperation, OutlineTree } from "outlinekit";
import { z } from "zod";
import { linesOf, type PlacedNode, placedNode, shown } from "./node.ts";
import type { Part } from "./part.ts";
import { markdown, parent, position } from "./schema.ts";
import type { Calls } from "./tool.ts";

/** The most new nodes that an answer shows. */
const mostShown = 100;

/** The most characters of texts and notes in the answer, because the caller knows the rest. */
const mostEchoed = 200;

/** Adds the tool that makes nodes. */
export function registerCreate(calls: Calls, { outline, timeZone }: Part): void {
	calls.register({
		name: "create",
		title: "Create nodes",
		description:
			"Creates nodes beside each other, each from Markdown: its first block becomes the node, what follows is below it, so lists and headings make a tree. `- [ ] ` makes a task, `# ` a heading, `> ` a quote, a fence code, [2026-11-21 14:30] a date. All are made or none.",
		annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
		input: z.strictObject({
			parent: parent
				.optional()
				.describe(`${parent.description}. Left out: the top level, or that of the sibling in position`),
			nodes: z
				.array(
					z.strictObject({ text: markdown, note: z.string().optional().describe("Plain text below the first line") }),
				)
				.min(1)
				.max(100),
			position: position.default("bottom"),
			idempotencyKey: z
				.string()
				.min(1)
				.max(255)
				.optional()
				.describe(
					"Any new text: the same call with the same key, when it isn't known whether it was done, does it once",
				),
		}),
		output: z.strictObject({
			nodes: z.array(placedNode).describe("The new nodes, each before those below it; the first 100"),
			more: z.boolean(),
		}),
		async run({ parent, nodes, position, idempotencyKey }) {
			const operations = nodes.map(
				({ text, note }, index): BatchOperation => ({
					type: "createTree",
					as: String(index),
					name: text,
					note,
					...(index === 0 ? { parent, position } : { position: { after: { as: String(index - 1) } } }),
				}),
			);
			const { results } = await outline.batch(operations, { idempotencyKey });
			const made = placedNodes(results as OutlineTree[], timeZone);
			const shownNodes = made.slice(0, mostShown);
			const lines = shownNodes.flatMap((node) => linesOf(node, node.depth));
			const more = made.length > mostShown;
			if (more) lines.push(`There are ${made.length - mostShown} more.`);
			return { text: lines.join("\n"), content: { nodes: shownNodes, more } };
		},
	});
}

/** The nodes of trees in reading order. Not by recursion: the input may be nested to any depth. */
function placedNodes(trees: readonly OutlineTree[], timeZone: string): PlacedNode[] {
	const nodes: PlacedNode[] = [];
	const waiting = trees.map((tree) => ({ tree, depth: 0 })).reverse();
	for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
		const { tree, depth } = next;
		nodes.push({ ...shown(tree, timeZone, mostEchoed), depth });
		for (const child of tree.children.toReversed()) waiting.push({ tree: child, depth: depth + 1 });
	}
	return nodes;
}
