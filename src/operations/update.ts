import type { Changes } from "../engine/changes.js";
import { ask, type Reading } from "../engine/protocol.js";
import type { LayoutMode } from "../layout-mode.js";
import { contentOf, nodeView, type OutlineNode, rewritten } from "../node.js";
import { type NodeReference, notFound } from "../reference/reference.js";
import type { NodeRecord, StoredNode } from "../storage.js";

/** The fields that a mirror shares with its origin. */
export interface Content {
	readonly name?: string | undefined;
	readonly note?: string | null | undefined;
	readonly layoutMode?: LayoutMode | undefined;
	readonly completedAt?: number | null | undefined;
}

/**
 * Changes the content that a node shows: its own, or its origin's if it is a mirror (spec §2.2, §4.2). What is undefined
 * stays, and where nothing differs nothing is written.
 */
export function* changeContent(
	changes: Changes,
	reference: NodeReference,
	seconds: number,
	contentFor: (current: NodeRecord) => Content,
): Reading<OutlineNode> {
	const [node] = yield* ask({ type: "node", at: reference.at });
	if (node === null) throw notFound(reference);
	const before = contentOf(node);
	const {
		name = before.name,
		note = before.note,
		layoutMode = before.layoutMode,
		completedAt = before.completedAt,
	} = contentFor(before);
	if (
		name === before.name &&
		note === before.note &&
		layoutMode === before.layoutMode &&
		completedAt === before.completedAt
	) {
		return nodeView(node);
	}
	const after = rewritten(before, { name, note, layoutMode, completedAt }, seconds);
	changes.put(before, after);
	return nodeView(withContent(node, after));
}

function withContent(node: StoredNode, content: NodeRecord): StoredNode {
	const { record, origin, mirrorIds } = node;
	return origin === null ? { record: content, origin, mirrorIds } : { record, origin: content, mirrorIds };
}
