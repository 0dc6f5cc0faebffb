import type { ImportReport } from "outlinekit";
import { isBlank } from "../workspace/rows.js";
import type { Workspace } from "../workspace/workspace.js";
import { formatOf } from "./formats.js";

/** The progress of an import, and the way to end it. */
export interface ImportControl {
	readonly signal: AbortSignal;
	/** Called with the part of the file that has been read, from 0 to 1, and the number of its nodes so far. */
	readonly onProgress: (part: number, nodes: number) => void;
}

/** Imports a file behind the visible rows: all of it or nothing. */
export async function importFile(
	workspace: Workspace,
	file: File,
	{ signal, onProgress }: ImportControl,
): Promise<ImportReport> {
	const { outline } = workspace;
	const parent = workspace.root?.id ?? null;
	const format = await formatOf(file);
	let read = 0;
	const pieces = piecesOf(file, (length) => {
		read += length;
	});
	return replacingBlankLine(workspace, (joinUndoStep) =>
		outline.import(pieces, {
			format,
			parent,
			position: "bottom",
			joinUndoStep,
			signal,
			onProgress: ({ nodes }) => onProgress(file.size === 0 ? 1 : read / file.size, nodes),
		}),
	);
}

/**
 * Imports something behind the visible rows. A new, blank line goes first: without it, a copy of an outline
 * becomes exactly that outline.
 *
 * @param run - gets whether a line has gone
 */
export async function replacingBlankLine(
	workspace: Workspace,
	run: (isReplacing: boolean) => Promise<ImportReport>,
): Promise<ImportReport> {
	const { outline } = workspace;
	const parent = workspace.root?.id ?? null;
	const blank = blankLine(workspace);
	if (blank !== undefined) await outline.delete(blank);
	let report: ImportReport | undefined;
	try {
		report = await run(blank !== undefined);
		return report;
	} finally {
		if (blank !== undefined && (report?.nodes ?? 0) === 0) await outline.create({ parent, name: "", format: "text" });
	}
}

/** The id of the only line, if it is blank. */
export function blankLine({ rows }: Workspace): string | undefined {
	const [row, another] = rows.current.rows;
	if (row === undefined || another !== undefined || !isBlank(row)) return undefined;
	return row.node.id;
}

/** A file in pieces. Calls `onRead` with the bytes of each. Between them the page can do other work. */
export async function* piecesOf(file: File, onRead: (length: number) => void): AsyncGenerator<Uint8Array> {
	const size = 65_536;
	for (let start = 0; start < file.size; start += size) {
		const piece = new Uint8Array(await file.slice(start, start + size).arrayBuffer());
		onRead(piece.byteLength);
		yield piece;
	}
}
