import type { LayoutMode } from "./layout-mode.js";
import { type Properties, propertiesIn } from "./properties.js";
import { type NodeRecord, type StoredNode, textLength } from "./storage.js";

/** A node as callers see it. Spec §2.1. Each call returns a new object; changing it changes nothing else. */
export interface OutlineNode {
	/** UUID-style, lower case. */
	id: string;
	/** The parent's id; `null` at the top level. Under a mirror, the mirror's id. */
	parentId: string | null;
	/**
	 * The text as an HTML fragment with `<b> <i> <s> <code> <a href> <time datetime>` and escaped text. On a
	 * mirror: the origin's name.
	 */
	name: string;
	/** Plain text below the name, exactly as given; `null` for none. On a mirror: the origin's note. */
	note: string | null;
	/** The order among siblings, an integer; the lowest comes first. */
	priority: number;
	/** The display mode. On a mirror: the origin's. */
	layoutMode: LayoutMode;
	/** JSON values of the host, under keys of 1 to 64 characters; `{}` for none. On a mirror: its origin's. */
	properties: Readonly<Properties>;
	/** Whether `completedAt` is set. */
	completed: boolean;
	/** Unix seconds. */
	createdAt: number;
	/**
	 * Unix seconds of the last change of name, note, layout mode, properties or completion. On a mirror: of the
	 * origin.
	 */
	modifiedAt: number;
	/** Unix seconds; `null` while the node isn't completed. On a mirror: the origin's. */
	completedAt: number | null;
	/**
	 * On a mirror: the origin's id; `null` if the origin is gone, and the node then shows its own record. On an
	 * origin: the ids of its mirrors, ascending. Absent from every other node. So `node.mirror?.originId` is
	 * `undefined` unless the node is a mirror. Spec §2.1, §2.2.
	 */
	mirror?:
		| {
				/** The id of the node whose content this node shows; `null` if that node is gone. */
				originId: string | null;
				/** A mirror is never an origin. */
				mirrorIds?: undefined;
		  }
		| {
				/** The ids of the nodes that show the content of this node, ascending; at least one. */
				mirrorIds: string[];
				/** An origin is never a mirror. */
				originId?: undefined;
		  };
}

/** Returns the record whose content a node shows: its origin's if it has one, or else its own. Spec §2.2. */
export function contentOf(node: StoredNode): NodeRecord {
	return node.origin ?? node.record;
}

/** Returns the id of the node whose content a node shows, for a mirror the true origin. Spec §4.7. */
export function originIdOf(node: StoredNode): string {
	return contentOf(node).id;
}

/**
 * Makes a record. Fields that aren't given get the values of an empty bullet. The commit sets the revision.
 *
 * All functions write the fields of a record in the order used here. The engine then sees one shape of
 * object, which is faster to read.
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
		properties: given.properties ?? null,
		createdAt: given.createdAt ?? seconds,
		modifiedAt: given.modifiedAt ?? seconds,
		completedAt: given.completedAt ?? null,
		originId: given.originId ?? null,
		revision: 0,
	};
}

/** The size of a record without its texts, in characters. */
const recordSize = 64;

/**
 * Returns the size of a record in memory and on disk, in characters: the length of its texts, and 64 for the
 * rest.
 */
export function sizeOfRecord(record: Parameters<typeof textLength>[0]): number {
	return recordSize + textLength(record);
}

/** Whether two records have one parent and one priority. */
export function isSamePlace(left: NodeRecord, right: NodeRecord): boolean {
	return left.parentId === right.parentId && left.priority === right.priority;
}

/** Whether a node differs in more than the revision, which a new mirror changes too. `null` stands for no node. */
export function differs(left: NodeRecord | null, right: NodeRecord | null): boolean {
	if (left === null || right === null) return left !== right;
	// Written out, because every commit begins here: a loop over the fields takes many times as long.
	return (
		!isSamePlace(left, right) ||
		left.name !== right.name ||
		left.note !== right.note ||
		left.layoutMode !== right.layoutMode ||
		left.properties !== right.properties ||
		left.createdAt !== right.createdAt ||
		left.modifiedAt !== right.modifiedAt ||
		left.completedAt !== right.completedAt ||
		left.originId !== right.originId
	);
}

/** Returns a record with another position. The fields are written out: a spread takes ten times as long. */
export function placed(record: NodeRecord, parentId: string | null, priority: number): NodeRecord {
	const { id, name, note, layoutMode, properties, createdAt, modifiedAt, completedAt, originId, revision } = record;
	return {
		id,
		parentId,
		priority,
		name,
		note,
		layoutMode,
		properties,
		createdAt,
		modifiedAt,
		completedAt,
		originId,
		revision,
	};
}

/** The fields of a node's content, which a mirror shares with its origin. */
export const contentFields = ["name", "note", "layoutMode", "properties", "completedAt"] as const;

/** The name of such a field. */
export type ContentField = (typeof contentFields)[number];

/** Returns a record with other content. */
export function rewritten(
	{ id, parentId, priority, createdAt, originId, revision }: NodeRecord,
	{ name, note, layoutMode, properties, completedAt }: Pick<NodeRecord, ContentField>,
	modifiedAt: number,
): NodeRecord {
	return {
		id,
		parentId,
		priority,
		name,
		note,
		layoutMode,
		properties,
		createdAt,
		modifiedAt,
		completedAt,
		originId,
		revision,
	};
}

/** Returns a stored node as callers see it. Below a mirror, `parentId` is the mirror. Spec §2.2. */
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
		properties: propertiesIn(content.properties),
	};
	if (record.originId !== null) view.mirror = { originId: node.origin?.id ?? null };
	else if (mirrorIds.length > 0) view.mirror = { mirrorIds: [...mirrorIds] };
	return view;
}
