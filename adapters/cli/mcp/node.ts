import type { OutlineNode } from "outlinekit";
import { toMarkdown, toText } from "outlinekit/markup";
import { z } from "zod";

/** A node as tools give it. */
export const shownNode = z.strictObject({
	id: z.string(),
	parentId: z.string().nullable(),
	text: z.string().describe("Markdown, with the layout mode as its prefix"),
	note: z.string().nullable().describe("Plain text"),
	completed: z.boolean(),
	originId: z.string().nullable().optional().describe("Of a mirror: the node that it shows; null if that is gone"),
	cut: z.boolean().optional().describe("Whether the text or the note goes on: read the node with depth 0"),
});

/** A node in a list with the depth of each. */
export const placedNode = shownNode.extend({ depth: z.int() });

export type ShownNode = z.infer<typeof shownNode>;
export type PlacedNode = z.infer<typeof placedNode>;

/** The most characters of a text or note in a list of nodes. */
const longest = 2_000;

/** The most characters of a name that only says where something is. */
const longestLine = 60;

/** The line break of a text when shown. */
const lineEnd = /[\n\v\f\r\u0085\u2028\u2029]/;

/**
 * A node for a model.
 *
 * @param timeZone - the outline's, in which dates with a time are written
 * @param most - the most characters of the text and of the note
 */
export function shown(node: OutlineNode, timeZone: string, most = longest): ShownNode {
	const whole = toMarkdown(node.name, { ...node, timeZone });
	const text = start(whole, most);
	const note = node.note === null ? null : start(node.note, most);
	return {
		id: node.id,
		parentId: node.parentId,
		text,
		note,
		completed: node.completed,
		...(node.mirror?.originId !== undefined && { originId: node.mirror.originId }),
		...((text !== whole || note !== node.note) && { cut: true }),
	};
}

/**
 * The lines of a node: `- [0a1b2c3d4e5f completed] text`, then the other lines of the text and the lines of
 * the note, each after a `|`. So no text can look like another node.
 */
export function linesOf({ id, text, note, completed, originId, cut }: ShownNode, depth = 0): string[] {
	const isTask = /^- \[[ x]\] /.test(text);
	const marks = [
		shortIdOf(id),
		...(originId === undefined ? [] : [originId === null ? "mirror" : `mirror of ${shortIdOf(originId)}`]),
		...(completed && !isTask ? ["completed"] : []),
		...(cut ? ["cut"] : []),
	];
	const [first, ...others] = (isTask ? text.slice(2) : text).split(lineEnd);
	const below = note === null ? others : [...others, ...note.split(lineEnd)];
	const indentation = "  ".repeat(depth);
	return [`${indentation}- [${marks.join(" ")}] ${first}`, ...below.map((line) => `${indentation}  | ${line}`)];
}

/** The beginning of a name, in a line. */
export function lineOf(name: string): string {
	const line = toText(name).replace(/[\s\u0085]+/g, " ");
	return start(line, longestLine);
}

/** The short name of a node in a text. */
export function shortIdOf(id: string): string {
	return id.slice(-12);
}

/** The start of a text, without half a character at its end. */
function start(text: string, most: number): string {
	return text.length <= most ? text : text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
}
