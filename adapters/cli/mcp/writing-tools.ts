import type { OutlineNode } from "outlinekit";
import { z } from "zod";
import { registerCreate } from "./create-tool.ts";
import { linesOf, shown, shownNode } from "./node.ts";
import type { Part } from "./part.ts";
import { layoutMode, markdown, parent, position, reference } from "./schema.ts";
import type { Calls, ToolAnswer } from "./tool.ts";

/** For tools that overwrite nothing, and have no further effect when repeated. */
const repeatable = { readOnlyHint: false, destructiveHint: false, idempotentHint: true };

const output = z.strictObject({ node: shownNode });

/**
 * Adds the tools that change the outline. None deletes, so a user can still find and undo a mistake of the
 * model.
 */
export function registerWritingTools(calls: Calls, part: Part): void {
	registerCreate(calls, part);
	registerUpdate(calls, part);
	registerMove(calls, part);
	registerCompletion(calls, part);
	registerMirror(calls, part);
}

function registerUpdate(calls: Calls, { outline, timeZone }: Part): void {
	calls.register({
		name: "update",
		title: "Change a node",
		description:
			"Replaces the text or the note of a node; what is left out stays. Read the node first, alone if it is marked as cut. A mirror and its origin change together.",
		annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
		input: z.strictObject({
			node: reference,
			text: markdown
				.optional()
				.describe("One block of Markdown; with a prefix it sets the layout mode, and whether a task is done"),
			note: z.string().nullable().optional().describe("Plain text; null for none"),
			layoutMode: layoutMode.optional(),
		}),
		output,
		run: async ({ node, text, note, layoutMode }) =>
			answerOf(await outline.update(node, { name: text, format: "markdown", note, layoutMode }), timeZone),
	});
}

function registerMove(calls: Calls, { outline, timeZone }: Part): void {
	calls.register({
		name: "move",
		title: "Move a node",
		description: "Moves a node with all that is below it; a mirror alone. Without a parent it stays below its own.",
		annotations: repeatable,
		input: z.strictObject({ node: reference, parent: parent.optional(), position: position.default("bottom") }),
		output,
		run: async ({ node, parent, position }) => answerOf(await outline.move(node, { parent, position }), timeZone),
	});
}

function registerCompletion(calls: Calls, { outline, timeZone }: Part): void {
	calls.register({
		name: "complete",
		title: "Complete a node",
		description: "Marks a node as done, whether it is a task or not.",
		annotations: repeatable,
		input: z.strictObject({ node: reference }),
		output,
		run: async ({ node }) => answerOf(await outline.complete(node), timeZone),
	});

	calls.register({
		name: "uncomplete",
		title: "Open a node again",
		description: "Marks a node as not done.",
		annotations: repeatable,
		input: z.strictObject({ node: reference }),
		output,
		run: async ({ node }) => answerOf(await outline.uncomplete(node), timeZone),
	});
}

function registerMirror(calls: Calls, { outline, timeZone }: Part): void {
	calls.register({
		name: "mirror",
		title: "Mirror a node",
		description: "Shows a node, with what is below it, in a second place as well: what changes there changes here.",
		annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
		input: z.strictObject({
			node: reference,
			parent: reference.describe(`${reference.description}. It must be there already`),
			position: position.default("bottom"),
		}),
		output,
		async run({ node, parent, position }) {
			// The outline takes full ids alone here, and the texts of these tools have short ones.
			const { id } = await outline.get(parent);
			return answerOf(await outline.mirror(node, { parent: id, position }), timeZone);
		},
	});
}

function answerOf(node: OutlineNode, timeZone: string): ToolAnswer<z.infer<typeof output>> {
	const content = { node: shown(node, timeZone) };
	return { text: linesOf(content.node).join("\n"), content };
}
