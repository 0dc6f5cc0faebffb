import { codeOf } from "../text/error-code.js";
import { activeField } from "../text/field.js";
import { formattedText, parsed } from "../text/foreign.js";
import { onlyImage } from "../text/foreign-image.js";
import { contentsOf, escaped } from "../text/fragment.js";
import { insert } from "../text/insertion.js";
import { isClosed, nameWithLinks, selectedAsLink, withLinks } from "../text/linking.js";
import { isBlank } from "../workspace/rows.js";
import { titleKey, type Workspace } from "../workspace/workspace.js";
import { nodesOfHtml } from "./copied-html.js";
import type { CopiedNode } from "./copied-node.js";
import { putCutNodes } from "./cut-nodes.js";
import { markedText } from "./dialect.js";
import { withCells } from "./markdown-table.js";
import { nodesOfPage, textOfPage } from "./page-nodes.js";
import { isOpml, nodesOfText } from "./pasted-nodes.js";
import { type PutRows, putNodes } from "./put-nodes.js";

/** The data of the clipboard, or of a drop. */
export interface Pasted {
	readonly text: string;
	/** Empty if there is none. */
	readonly html: string;
	/** Whether it is wanted as text, whatever else it is. */
	readonly isPlain: boolean;
	/** The address of the image that is all of the HTML. */
	readonly image?: string;
	/** Whether there is an image as a file, and any file. */
	readonly hasImage: boolean;
	readonly hasFile: boolean;
}

/** Reads what is pasted, which an event has only as long as it is being handled. */
export function pastedFrom(data: DataTransfer, isPlain: boolean): Pasted {
	const html = data.getData("text/html");
	const text = data.getData("text/plain").replace(/\r\n?/g, "\n");
	const hasImage = [...data.files].some(({ type }) => type.startsWith("image/"));
	const pasted = { text, html, isPlain, hasImage, hasFile: data.files.length > 0 };
	if (text !== "" || html === "") return pasted;
	const page = parsed(html);
	const image = page && onlyImage(page);
	if (image === undefined) return { ...pasted, text: page ? textOfPage(page) : html.trim() };
	const link = `<a href="${escaped(image.href).replaceAll('"', "&quot;")}">${escaped(image.text)}</a>`;
	return { ...pasted, text: image.text, html: link, image: image.href };
}

/** A message about an image or a file, of which no more than a link can be pasted. Undefined for texts. */
export function lossOf({ text, image, hasImage, hasFile }: Pasted): string | undefined {
	if (image !== undefined) return "An outline keeps no images, so a link to the image was pasted.";
	if (text !== "" || !hasFile) return undefined;
	return hasImage
		? "An outline keeps no images, so nothing was pasted. A link to the image can be pasted."
		: "A file can’t be pasted. Drop it on the page to import it.";
}

/** Pastes a line into the text at the caret; more lines, and a file, become nodes behind the row. */
export async function paste(workspace: Workspace, pasted: Pasted): Promise<void> {
	const field = workspace.selection.current === null ? activeField() : null;
	const text = pasted.text.replace(/\n+$/, "");
	if (field?.contentEditable === "plaintext-only") insert(field, pasted.image ?? pasted.text);
	else if (field !== null && pasted.isPlain) insert(field, text.replaceAll("\n", " "));
	else {
		const own = pasted.isPlain ? undefined : nodesOfHtml(pasted.html);
		if (own !== undefined) await pasteNodes(workspace, own.nodes, own.cut);
		else {
			const dialect = markedText(text)?.dialect;
			const isPage = pasted.html !== "" && !pasted.isPlain && dialect === undefined;
			const page = isPage ? parsed(pasted.html) : undefined;
			if (field === null || text.includes("\n") || isOpml(text)) {
				const nodes = (page && nodesOfPage(page, text)) ?? (await nodesOfText(text));
				await pasteNodes(workspace, nodes.map(withItsLinks));
			} else if (isClosed()) insert(field, text);
			else if (dialect === "dynalist") insert(field, withLinks(contentsOf((await nodesOfText(text))[0]!.name)));
			else insert(field, selectedAsLink(text) ?? withLinks((page && formattedText(page, text)) ?? withCells(text)));
		}
	}
}

function withItsLinks(node: CopiedNode): CopiedNode {
	return node.layoutMode === "code-block" ? node : { ...node, name: nameWithLinks(node.name) };
}

/**
 * Makes nodes behind the row, or in its place if there is nothing in it.
 *
 * @param cut - the file of the nodes, if they were cut
 */
async function pasteNodes(workspace: Workspace, nodes: readonly CopiedNode[], cut?: string): Promise<void> {
	if (nodes.length === 0) return;
	const { selection, focus, saves } = workspace;
	const field = selection.current === null ? activeField() : null;
	// They take the place of the selected text, as a line does.
	if (field !== null && getSelection()?.isCollapsed === false) insert(field, "");
	await saves.settled();
	const { end } = await saves.during(() => putAtCaret(workspace, nodes, cut));
	selection.set(null);
	focus.set({ key: end, field: "name", caret: "end" });
}

/** Goes on with the row before, if another tab or device deletes the row meanwhile. */
async function putAtCaret(workspace: Workspace, nodes: readonly CopiedNode[], cut?: string): Promise<PutRows> {
	const { selection, focus } = workspace;
	if (focus.current === null && selection.current === null) workspace.resume();
	const isInTitle = focus.current?.key === titleKey && selection.current === null;
	const row = isInTitle ? null : (workspace.chosenRows.at(-1) ?? null);
	const isReplaced = row !== null && isBlank(row) && selection.current === null;
	const removed = isReplaced ? [{ type: "delete" as const, ref: row.node.id }] : [];
	try {
		const moved = cut === undefined ? undefined : await putCutNodes(workspace, cut, row, isReplaced);
		return moved ?? (await putNodes(workspace, nodes, row, removed));
	} catch (error) {
		const isGone = codeOf(error) === "not_found" && row !== null && workspace.row(row.key) === undefined;
		if (isGone) return putAtCaret(workspace, nodes, cut);
		throw error;
	}
}
