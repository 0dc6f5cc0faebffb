import { fragmentOf } from "../text/fragment.js";
import { coveredKeys } from "../workspace/selection.js";
import type { Workspace } from "../workspace/workspace.js";
import { htmlOf, jsonOf } from "./copied-html.js";
import { type CopiedNode, copyOf } from "./copied-node.js";
import { outlineOfRows, outlineOnScreen } from "./on-screen.js";

/** The type by which programs that read the clipboard for more than pages can tell nodes of an outline. */
const nodesType = "web application/x-outlinekit+json";

/**
 * Copies the chosen rows with their subtrees to the clipboard. Browsers allow reading the nodes after the
 * user's gesture.
 */
export async function copyRows(workspace: Workspace): Promise<void> {
	const copied = read(workspace, "markdown");
	await put({
		"text/plain": copied.then(({ text }) => text),
		"text/html": copied.then(({ nodes }) => htmlOf(nodes)),
		[nodesType]: copied.then(({ nodes }) => jsonOf(nodes)),
	});
}

/** The forms in which rows are copied for other programs only. */
export type CopyForm = "text" | "markdown" | "rich text";

/** Copies the chosen rows with their subtrees in one form. */
export async function copyRowsAs(workspace: Workspace, form: CopyForm): Promise<void> {
	const copied = read(workspace, form === "markdown" ? form : "text");
	const text = copied.then((each) => each.text);
	if (form !== "rich text") await put({ "text/plain": text });
	else await put({ "text/plain": text, "text/html": copied.then(({ nodes }) => htmlOf(nodes)) });
}

async function put(texts: { readonly [type: string]: Promise<string> }): Promise<void> {
	if (navigator.clipboard?.write === undefined) {
		throw new Error("This browser lets only pages of https put rows on the clipboard.");
	}
	const possible = Object.entries(texts).filter(([type]) => type !== nodesType || ClipboardItem.supports?.(type));
	const blobs = possible.map(([type, text]) => [type, text.then((data) => new Blob([data], { type }))]);
	await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))]);
}

/** The chosen rows as they show. */
async function read(workspace: Workspace, format: "markdown" | "text"): Promise<{ nodes: CopiedNode[]; text: string }> {
	const { saves, preferences, chosenRows, rows } = workspace;
	const covered = coveredKeys(rows.current.rows, chosenRows);
	const shown = rows.current.rows.filter(({ key }) => covered.has(key));
	// Unsaved text is copied too.
	await saves.settled().catch(() => {});
	const known = await outlineOnScreen(workspace);
	const outline = known ?? (await outlineOfRows(workspace, shown));
	const ids = known === undefined ? [null] : chosenRows.map(({ node }) => node.id);
	const nodes = await copyOf(outline, ids, (id) => known === undefined || preferences.expanded.has(id));
	let text = "";
	for (const root of ids) for await (const piece of outline.exportAs(format, { root })) text += piece;
	return { nodes, text };
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
