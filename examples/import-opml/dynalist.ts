import type { Outline } from "outlinekit";
import { fromMarkdown, toText } from "outlinekit/markup";

/** The number of nodes in one commit. */
const batchSize = 1000;

/** A code span, or what is in italics. */
const codeOrItalics = /`[^`]*`|__(\S(?:.*?\S)?)__/g;

/** A text that would be read as the bullet of a list. */
const bullet = /^\s*[-+*]\s/;

/**
 * Reads the texts of Dynalist, which are Markdown, of some nodes and their subtrees. Keeps a text that would
 * be several blocks.
 */
export async function readTexts(outline: Outline, rootIds: readonly string[]): Promise<void> {
	let operations: { type: "update"; ref: string; name: string }[] = [];
	for (const rootId of rootIds) {
		for await (const { node } of outline.walk(rootId, { budget: Number.POSITIVE_INFINITY })) {
			const text = toText(node.name);
			const [block, ...others] = fromMarkdown(markdownOf(text));
			if (block === undefined || others.length > 0 || block.layoutMode !== "bullets" || bullet.test(text)) continue;
			if (block.name !== node.name) operations.push({ type: "update", ref: node.id, name: block.name });
			if (operations.length < batchSize) continue;
			await outline.batch(operations);
			operations = [];
		}
	}
	if (operations.length > 0) await outline.batch(operations);
}

/** The markup that differs in Dynalist: `__italics__`. */
function markdownOf(text: string): string {
	return text.replace(codeOrItalics, (whole, italics?: string) => (italics === undefined ? whole : `*${italics}*`));
}
