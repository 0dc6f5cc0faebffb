import type { LayoutMode } from "./layout-mode.js";
import type { NodeRecord, StoredNode } from "./storage.js";

/** One bullet of the outline as callers see it. Spec §2.1. A fresh object each time: changing it changes nothing else. */
export interface OutlineNode {
	/** UUID-style, lower case. */
	id: string;
	/** The parent's id; `null` at the top level. Under a mirror, the mirror's id. */
	parentId: string | null;
	/**
	 * The text as an HTML fragment with `<b> <i> <s> <code> <a href> <time datetime>` and escaped text. Of a mirror: its origin's.
	 */
	name: string;
	/** Plain text below the name, to the letter; `null` for none. Of a mirror: its origin's. */
	note: string | null;
	/** The order among siblings, an integer; lower comes first. */
	priority: number;
	/** Of a mirror: its origin's. */
	layoutMode: LayoutMode;
	/** Whether `completedAt` is set. */
	completed: boolean;
	/** Unix seconds. */
	createdAt: number;
	/** Unix seconds of the last change of name, note, layout mode or completion. Of a mirror: its origin's. */
	modifiedAt: number;
	/** Unix seconds; `null` while not completed. Of a mirror: its origin's. */
	completedAt: number | null;
	/**
	 * On a mirror, its origin's id (`null` when the origin is gone: the node then shows its own row). On an origin, the ids
	 * of its mirrors, ascending. Absent on every other node: `node.mirror?.originId` is `undefined` on whatever is no mirror.
	 * Spec §2.1, §2.2.
	 */
	mirror?:
		| {
				/** The id of the node whose content this one shows; `null` when it is gone. */
				originId: string | null;
				/** A mirror is no origin. */
				mirrorIds?: undefined;
		  }
		| {
				/** The ids of the nodes that show this one's content, ascending; at least one. */
				mirrorIds: string[];
				/** An origin is no mirror. */
				originId?: undefined;
		  };
}

/** The row whose content a node shows: its origin's where there is one, else its own. Spec §2.2. */
export function contentOf(node: StoredNode): NodeRecord {
	return node.origin ?? node.record;
}

/** The id of the node whose content a node shows. Spec §4.7: mirrors are followed to the true origin. */
export function originIdOf(node: StoredNode): string {
	return contentOf(node).id;
}

/**
 * A new node that is a blank bullet, but for what is given. Its revision comes with the commit.
 *
 * All records have their fields in the order in which these stand here, so that to the engine they are of one shape, and
 * whatever reads them is fast.
 */
export function newRecord(
	given: Pick<NodeRecord, "id" | "parentId" | "priority" | "name"> & Partial<NodeRecord>,
	seconds: number,
): NodeRecord {
	return {
		id: given.id,
		parentId: given.parentId,
		priority: given.priority,
		name: given.name,
		note: given.note ?? null,
		layoutMode: given.layoutMode ?? "bullets",
		createdAt: given.createdAt ?? seconds,
		modifiedAt: given.modifiedAt ?? seconds,
		completedAt: given.completedAt ?? null,
		originId: given.originId ?? null,
		revision: 0,
	};
}

/** What a record takes besides its texts, in characters. */
const recordSize = 64;

/** How much room a record takes in memory and on disks, in characters: those of its texts, and 64 for all else. */
export function sizeOfRecord({ name, note }: Pick<NodeRecord, "name" | "note">): number {
	return recordSize + name.length + (note === null ? 0 : note.length);
}

/** A record at another place. Written out, since a spread takes ten times as long. */
export function placed(record: NodeRecord, parentId: string | null, priority: number): NodeRecord {
	const { id, name, note, layoutMode, createdAt, modifiedAt, completedAt, originId, revision } = record;
	return { id, parentId, priority, name, note, layoutMode, createdAt, modifiedAt, completedAt, originId, revision };
}

/** A record with other content. */
export function rewritten(
	{ id, parentId, priority, createdAt, originId, revision }: NodeRecord,
	{ name, note, layoutMode, completedAt }: Pick<NodeRecord, "name" | "note" | "layoutMode" | "completedAt">,
	modifiedAt: number,
): NodeRecord {
	return { id, parentId, priority, name, note, layoutMode, createdAt, modifiedAt, completedAt, originId, revision };
}

/** A stored node as callers see it, at `parentId` if it is shown under a mirror. Spec §2.2. */
export function nodeView(node: StoredNode, parentId: string | null = node.record.parentId): OutlineNode {
	const { record, mirrorIds } = node;
	const content = contentOf(node);
	const view: OutlineNode = {
		id: record.id,
		parentId,
		name: content.name,
		note: content.note,
		priority: record.priority,
		layoutMode: content.layoutMode,
		completed: content.completedAt !== null,
		createdAt: record.createdAt,
		modifiedAt: content.modifiedAt,
		completedAt: content.completedAt,
	};
	if (record.originId !== null) view.mirror = { originId: node.origin?.id ?? null };
	else if (mirrorIds.length > 0) view.mirror = { mirrorIds: [...mirrorIds] };
	return view;
}
