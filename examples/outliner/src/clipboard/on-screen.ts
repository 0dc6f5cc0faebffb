import { Outline } from "outlinekit";
import type { Row } from "outlinekit/live";
import { createMemoryStorage } from "outlinekit/memory";
import { codeOf } from "../text/error-code.js";
import type { Workspace } from "../workspace/workspace.js";
import type { CopiedNode } from "./copied-node.js";
import { makingOf } from "./making.js";

/** The outline as the user sees it, with unsaved text; undefined if it can't be read any more. */
export async function outlineOnScreen({ outline, saves }: Workspace): Promise<Outline | undefined> {
	const { unsaved } = saves;
	try {
		if (unsaved.length === 0) {
			await outline.list();
			return outline;
		}
		const copy = new Outline({ storage: createMemoryStorage() });
		await copy.import(outline.exportAs("json"), { format: "json" });
		for (const { id, field, text } of unsaved) {
			await copy.update(id, field === "name" ? { name: text } : { note: text === "" ? null : text });
		}
		return copy;
	} catch (error) {
		if (codeOf(error) === "storage_unavailable") return undefined;
		throw error;
	}
}

/** An outline of the visible rows: the rest of an outline that can't be read any more. */
export async function outlineOfRows({ rows, saves }: Workspace, chosen?: readonly Row[]): Promise<Outline> {
	const { root } = rows.current;
	const title = root == null || chosen !== undefined ? [] : [{ node: root, depth: -1, expanded: true }];
	const shown = [...title, ...(chosen ?? rows.current.rows)];
	const nodes = shown.map(
		({ node, depth, expanded }): CopiedNode => ({
			depth: depth - shown[0]!.depth,
			name: saves.draft(node.id, "name") ?? node.name,
			note: (saves.draft(node.id, "note") ?? node.note) || null,
			layoutMode: node.layoutMode,
			completed: node.completed,
			expanded,
			originId: null,
		}),
	);
	const outline = new Outline({ storage: createMemoryStorage() });
	await outline.batch(makingOf(nodes, { parent: null, position: "bottom" }).operations);
	return outline;
}
