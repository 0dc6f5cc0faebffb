import type { Outline, OutlineNode } from "outlinekit";
import { toText } from "outlinekit/markup";
import type { WalkedNode } from "./copied-node.js";

/**
 * Returns nodes as indented lines, as a person reads them: to-dos and completed nodes with a box, and further
 * lines and notes below their names.
 */
export function textOf(nodes: readonly WalkedNode[]): string {
	const lines = nodes.flatMap(({ node, depth }) => {
		const { name, note, completed } = node;
		const indentation = "\t".repeat(depth);
		const box = isTask(node) ? (completed ? "[x] " : "[ ] ") : "";
		const [first, ...more] = [...toText(name).split("\n"), ...(note?.split("\n") ?? [])];
		return [`${indentation}${box}${first}`, ...more.map((line) => line && `${indentation}  ${line}`)];
	});
	return lines.map((line) => `${line}\n`).join("");
}

/**
 * Returns nodes as a list in Markdown for other programs. It has no marks that only the outline reads. So a
 * completed node is a task, as far as Markdown has tasks.
 */
export async function markdownOf(outline: Pick<Outline, "exportAs">, nodes: readonly WalkedNode[]): Promise<string> {
	const shown = nodes.map(({ node }) => {
		// Blanks around a text would be signs in Markdown.
		const name = node.layoutMode === "code-block" ? node.name : node.name.trim();
		if (isTask(node)) return { ...node, name, layoutMode: "todo" as const };
		return { ...node, name, completed: false, completedAt: null };
	});
	let markdown = "";
	for await (const piece of outline.exportAs("markdown", { nodes: shown })) markdown += piece;
	return markdown.replaceAll(/(?<!\\)&#0;/g, "");
}

/** Whether a node has a box. */
function isTask({ layoutMode, completed }: OutlineNode): boolean {
	return layoutMode === "todo" || (layoutMode === "bullets" && completed);
}
