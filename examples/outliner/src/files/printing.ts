import "./printing.css";
import type { OutlineNode } from "outlinekit";
import { showFragment } from "../text/fragment.js";
import type { Workspace } from "../workspace/workspace.js";

/**
 * Shows all rows while the browser prints, because the page itself has only the rows on the screen. Returns a
 * function that ends this.
 */
export function listenToPrinting(workspace: Workspace): () => void {
	const ended = new AbortController();
	let sheet: HTMLElement | undefined;
	const remove = () => {
		sheet?.remove();
		sheet = undefined;
	};
	const options = { signal: ended.signal };
	addEventListener(
		"beforeprint",
		() => {
			remove();
			sheet = sheetOf(workspace);
			document.body.append(sheet);
		},
		options,
	);
	addEventListener("afterprint", remove, options);
	return () => {
		ended.abort();
		remove();
	};
}

/** Returns the visible node and its rows as a page. */
function sheetOf(workspace: Workspace): HTMLElement {
	const { root, rows } = workspace.rows.current;
	const sheet = document.createElement("div");
	sheet.className = "printed";
	if (root != null) sheet.append(rowOf(workspace, root, undefined));
	for (const { node, depth } of rows) sheet.append(rowOf(workspace, node, depth));
	return sheet;
}

/** Returns a row; the title if it has no depth. */
function rowOf({ saves }: Workspace, node: OutlineNode, depth: number | undefined): HTMLElement {
	const row = document.createElement("div");
	row.className = depth === undefined ? "printed-title" : `printed-row ${node.layoutMode}`;
	row.classList.toggle("completed", node.completed);
	row.style.setProperty("--depth", `${depth ?? 0}`);
	const name = document.createElement("div");
	name.className = "name";
	showFragment(name, saves.draft(node.id, "name") ?? node.name);
	row.append(name);
	const text = saves.draft(node.id, "note") ?? node.note;
	if (text) {
		const note = document.createElement("div");
		note.className = "note";
		note.textContent = text;
		row.append(note);
	}
	return row;
}
