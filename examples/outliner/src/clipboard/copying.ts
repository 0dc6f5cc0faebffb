import type { Outline } from "outlinekit";
import { fragmentOf } from "../text/fragment.js";
import { coveredKeys } from "../workspace/selection.js";
import type { Workspace } from "../workspace/workspace.js";
import { htmlOf, jsonOf } from "./copied-html.js";
import { copiesOf, type WalkedNode, walked } from "./copied-node.js";
import { markdownOf, textOf } from "./copied-text.js";
import { fileOfCut } from "./cut-nodes.js";
import { outlineOfRows, outlineOnScreen } from "./on-screen.js";
import { putOnClipboard } from "./putting.js";

/** The type by which programs that read the clipboard for more than pages can tell nodes of an outline. */
const nodesType = "web application/x-outlinekit+json";

/**
 * Copies the chosen rows with their subtrees to the clipboard. Browsers allow reading the nodes after the
 * user's gesture.
 *
 * @param isCut - whether the rows are deleted afterwards, so that pasting them moves them
 */
export async function copyRows(workspace: Workspace, isCut: boolean): Promise<void> {
	const read = chosenNodes(workspace);
	const copied = read.then(({ nodes, isExpanded }) => copiesOf(nodes, isExpanded));
	const cut = async () => (isCut ? fileOfCut(workspace.outline, (await read).nodes) : undefined);
	await putOnClipboard({
		"text/plain": read.then(({ outline, nodes }) => markdownOf(outline, nodes)),
		"text/html": copied.then(async (nodes) => htmlOf(nodes, await cut())),
		[nodesType]: copied.then(jsonOf),
	});
}

/** The forms in which rows are copied for other programs only. */
export type CopyForm = "text" | "markdown" | "rich text";

/** Copies the chosen rows with their subtrees in one form. */
export async function copyRowsAs(workspace: Workspace, form: CopyForm): Promise<void> {
	const read = chosenNodes(workspace);
	const text = read.then(({ outline, nodes }) => (form === "markdown" ? markdownOf(outline, nodes) : textOf(nodes)));
	const html = () => read.then(({ nodes, isExpanded }) => htmlOf(copiesOf(nodes, isExpanded)));
	await putOnClipboard({ "text/plain": text, ...(form === "rich text" && { "text/html": html() }) });
}

/** The chosen rows with their subtrees, with unsaved text, and the outline that they are in. */
async function chosenNodes(
	workspace: Workspace,
): Promise<{ outline: Outline; nodes: WalkedNode[]; isExpanded: (id: string) => boolean }> {
	const { saves, preferences, chosenRows, rows } = workspace;
	const covered = coveredKeys(rows.current.rows, chosenRows);
	const shown = rows.current.rows.filter(({ key }) => covered.has(key));
	await saves.settled().catch(() => {});
	const known = await outlineOnScreen(workspace);
	const outline = known ?? (await outlineOfRows(workspace, shown));
	const nodes = await walked(outline, known === undefined ? [null] : chosenRows.map(({ node }) => node.id));
	return { outline, nodes, isExpanded: (id) => known === undefined || preferences.expanded.has(id) };
}

/**
 * Copies the selection in a field to the clipboard, as HTML and as plain text. Returns whether there was one.
 */
export function copyText(field: HTMLElement, clipboard: DataTransfer): boolean {
	const selection = getSelection();
	if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return false;
	const range = selection.getRangeAt(0);
	clipboard.setData("text/plain", field.dataset.field === "note" ? range.toString() : selection.toString());
	if (field.dataset.field !== "note") clipboard.setData("text/html", fragmentOf(contentsOf(range, field)));
	return true;
}

/** The contents of a range of a field, within the elements of the field around it. */
function contentsOf(range: Range, field: HTMLElement): DocumentFragment {
	let contents = range.cloneContents();
	let around: Node | null = range.commonAncestorContainer;
	for (; around !== null && around !== field; around = around.parentNode) {
		if (!(around instanceof Element)) continue;
		const copy = around.cloneNode(false) as Element;
		copy.append(contents);
		contents = document.createDocumentFragment();
		contents.append(copy);
	}
	return contents;
}
