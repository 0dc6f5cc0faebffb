import { type BatchOperation, type ImportReport, Outline } from "outlinekit";
import { createMemoryStorage } from "outlinekit/memory";
import type { Workspace } from "../workspace/workspace.js";
import { exportFile } from "./exporting.js";
import { fileFormats } from "./formats.js";
import { blankLine, type ImportControl, piecesOf } from "./importing.js";

const json = fileFormats.find(({ format }) => format === "json")!;

/** The number of nodes of a file that are looked for in the outline. */
const looked = 20;

/**
 * Whether the user has to say where a file of JSON goes. An outline that isn't blank may be replaced by a
 * backup. Nodes of the file that are here already would be doubled.
 */
export async function needsAnswer(workspace: Workspace, file: File, isBackup: boolean): Promise<boolean> {
	if (await isBlankOutline(workspace)) return false;
	if (isBackup) return true;
	const lines = (await file.slice(0, 65_536).text()).split("\n").slice(1, looked + 1);
	for (const line of lines) {
		const [, id] = /"id":"([^"]+)"/.exec(line) ?? [];
		if (id !== undefined && (await isThere(workspace.outline, id))) return true;
	}
	return false;
}

/** Whether the outline has nothing but a blank line. */
async function isBlankOutline(workspace: Workspace): Promise<boolean> {
	const { nodes } = await workspace.outline.list();
	return nodes.length === 0 || (workspace.root === null && nodes.length === 1 && blankLine(workspace) !== undefined);
}

async function isThere(outline: Outline, id: string): Promise<boolean> {
	try {
		await outline.get(id);
		return true;
	} catch {
		return false;
	}
}

/** Puts a backup in the place of everything, after a download of that. Undo takes one step. */
export async function replaceOutline(
	workspace: Workspace,
	file: File,
	{ signal, onProgress }: ImportControl,
): Promise<ImportReport> {
	const { outline } = workspace;
	// Only a file that can be read to its end may replace something.
	const draft = new Outline({ storage: createMemoryStorage(), history: { steps: 0 } });
	const control = { signal, onProgress: ({ nodes }: { nodes: number }) => onProgress(0.5, nodes) };
	await draft.import(
		piecesOf(file, () => {}),
		{ format: "json", ...control },
	);
	await draft.close();
	const { isPartial } = await exportFile(workspace, json, null);
	if (isPartial) throw new Error("The outline can’t be read any more, so it stays as it is. Reload the page.");
	await workspace.zoom(null);
	const { nodes } = await outline.list();
	const deletions = nodes.map(({ id }): BatchOperation => ({ type: "delete", ref: id, mirrors: "promote" }));
	if (deletions.length > 0) await outline.batch(deletions);
	try {
		return await outline.import(
			piecesOf(file, () => {}),
			{ format: "json", joinUndoStep: deletions.length > 0 },
		);
	} catch (error) {
		if (deletions.length > 0) await outline.undo();
		throw error;
	}
}

/** Imports a backup below a new node with the name of the file. */
export async function importBelow(
	{ outline, root }: Workspace,
	file: File,
	{ signal, onProgress }: ImportControl,
): Promise<ImportReport> {
	const name = file.name.replace(/\.\w+$/, "");
	const { id } = await outline.create({ parent: root?.id ?? null, name, format: "text", position: "bottom" });
	try {
		const { nodes, lost } = await outline.import(
			piecesOf(file, () => {}),
			{
				format: "json",
				parent: id,
				signal,
				onProgress: (progress) => onProgress(0.5, progress.nodes),
			},
		);
		return { nodes: nodes + 1, rootIds: [id], lost };
	} catch (error) {
		await outline.delete(id);
		throw error;
	}
}
