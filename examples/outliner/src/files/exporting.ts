import type { OutlineNode } from "outlinekit";
import { toText } from "outlinekit/markup";
import { outlineOfRows, outlineOnScreen } from "../clipboard/on-screen.js";
import { download } from "../workspace/download.js";
import type { Workspace } from "../workspace/workspace.js";
import type { FileFormat } from "./formats.js";
import { exportLosses } from "./losses.js";

/** The result of an export. */
export interface Exported {
	readonly fileName: string;
	readonly nodes: number;
	/** The things that the format can't store, in words. */
	readonly lost: readonly string[];
	/** Whether the outline can't be read any more, and this is what shows of it. */
	readonly isPartial: boolean;
}

/** Writes the outline, or a node with all below it, into a file that the browser downloads. */
export async function exportFile(
	workspace: Workspace,
	{ format, extensions, mediaType }: FileFormat,
	root: OutlineNode | null,
): Promise<Exported> {
	let nodes = 0;
	const onProgress = (progress: { readonly nodes: number }) => {
		nodes = progress.nodes;
	};
	const outline = await outlineOnScreen(workspace);
	const isPartial = outline === undefined;
	const text = isPartial
		? (await outlineOfRows(workspace)).exportAs(format, { onProgress })
		: outline.exportAs(format, { root: root?.id, onProgress });
	const pieces: string[] = [];
	for await (const piece of text) pieces.push(piece);
	const fileName = fileNameFor(root) + extensions[0];
	download(new Blob(pieces, { type: mediaType }), fileName);
	return { fileName, nodes, lost: exportLosses(text.lost), isPartial };
}

function fileNameFor(root: OutlineNode | null): string {
	const name = root === null ? "" : toText(root.name);
	// Characters that some system doesn't allow in file names, or hides.
	const allowed = name.replace(/[\p{Cc}\p{Cf}<>:"/\\|?*]+/gu, " ").replace(/^[\s.]+|[\s.]+$/g, "");
	const today = new Date();
	const date = [today.getFullYear(), today.getMonth() + 1, today.getDate()];
	return `${[...allowed].slice(0, 60).join("") || "Outline"} ${date.map((part) => String(part).padStart(2, "0")).join("-")}`;
}
