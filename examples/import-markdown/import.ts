import { sectionsOf } from "./sections.ts";
import type { ImportTarget } from "./target.ts";

/**
 * Reads a Markdown text into an outline, below a new node with a title. One create per section: its heading
 * becomes a node, and what follows the heading the nodes below it. Sections nest by the level of their
 * headings.
 *
 * @returns the id of the new node
 */
export async function importMarkdown(target: ImportTarget, title: string, markdown: string): Promise<string> {
	const root = await target.create(null, title);
	const path: { level: number; id: string }[] = [];
	for (const { level, text } of sectionsOf(markdown)) {
		while (path.length > 0 && path.at(-1)!.level >= level) path.pop();
		const id = await target.create(path.at(-1)?.id ?? root, text);
		if (level > 0) path.push({ level, id });
	}
	return root;
}

/** The tree below a node as lines of text, children indented. */
export async function* treeLines(target: ImportTarget, parentId: string | null, depth = 0): AsyncGenerator<string> {
	for (const { id, name } of await target.children(parentId)) {
		yield `${"  ".repeat(depth)}- ${plainText(name)}`;
		yield* treeLines(target, id, depth + 1);
	}
}

/** A name as text: links as `label <address>`, no other markup. */
function plainText(name: string): string {
	return name
		.replace(/<a href="([^"]*)">(.*?)<\/a>/g, "$2 <$1>")
		.replace(/<\/?(?:b|i|s|code|time)(?: [^>]*)?>/g, "")
		.replaceAll("&lt;", "<")
		.replaceAll("&gt;", ">")
		.replaceAll("&quot;", '"')
		.replaceAll("&amp;", "&");
}
