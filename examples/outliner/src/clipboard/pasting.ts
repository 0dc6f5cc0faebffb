import { activeField } from "../text/field.js";
import { formattedText, parsed } from "../text/foreign.js";
import { insert } from "../text/insertion.js";
import { isClosed, nameWithLinks, selectedAsLink, withLinks } from "../text/linking.js";
import { isBlank } from "../workspace/rows.js";
import { titleKey, type Workspace } from "../workspace/workspace.js";
import { nodesOfHtml } from "./copied-html.js";
import type { CopiedNode } from "./copied-node.js";
import { nodesOfPage } from "./page-nodes.js";
import { nodesOfText } from "./pasted-nodes.js";
import { putNodes } from "./put-nodes.js";

/** The data of the clipboard, or of a drop. */
export interface Pasted {
	readonly text: string;
	/** Empty if there is none. */
	readonly html: string;
	/** Whether it is wanted as text, whatever else it is. */
	readonly isPlain: boolean;
}

/** Reads what is pasted, which an event has only as long as it is being handled. */
export function pastedFrom(data: DataTransfer, isPlain: boolean): Pasted {
	const html = data.getData("text/html");
	const text = data.getData("text/plain").replace(/\r\n?/g, "\n");
	return { text: text === "" && html !== "" ? (parsed(html)?.body.textContent ?? html).trim() : text, html, isPlain };
}

/** Pastes: what has one line into the text where the caret is, all else as nodes behind the row. */
export async function paste(workspace: Workspace, pasted: Pasted): Promise<void> {
	const field = workspace.selection.current === null ? activeField() : null;
	const text = pasted.text.replace(/\n+$/, "");
	if (field?.contentEditable === "plaintext-only") insert(field, pasted.text);
	else if (field !== null && pasted.isPlain) insert(field, text.replaceAll("\n", " "));
	else {
		const own = pasted.isPlain ? undefined : nodesOfHtml(pasted.html);
		if (own !== undefined) await pasteNodes(workspace, own);
		else {
			const page = pasted.html === "" || pasted.isPlain ? undefined : parsed(pasted.html);
			if (field === null || text.includes("\n")) {
				const nodes = (page && nodesOfPage(page, text)) ?? (await nodesOfText(text));
				await pasteNodes(workspace, nodes.map(withItsLinks));
			} else if (isClosed()) insert(field, text);
			else insert(field, selectedAsLink(text) ?? withLinks((page && formattedText(page, text)) ?? text));
		}
	}
}

function withItsLinks(node: CopiedNode): CopiedNode {
	return node.layoutMode === "code-block" ? node : { ...node, name: nameWithLinks(node.name) };
}

/** Makes nodes behind the row, or in its place if there is nothing in it. */
async function pasteNodes(workspace: Workspace, nodes: readonly CopiedNode[]): Promise<void> {
	if (nodes.length === 0) return;
	const { selection, focus, saves } = workspace;
	await saves.settled();
	const row = focus.current?.key === titleKey && selection.current === null ? null : workspace.chosenRows.at(-1)!;
	const isReplaced = row !== null && isBlank(row) && selection.current === null;
	const removed = isReplaced ? [{ type: "delete" as const, ref: row.node.id }] : [];
	const { end } = await saves.commit(() => putNodes(workspace, nodes, row, removed));
	selection.set(null);
	focus.set({ key: end, field: "name", caret: "end" });
}
