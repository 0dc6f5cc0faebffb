import type { LayoutMode } from "../../../src/layout-mode.js";
import type { OutlineNode } from "../../../src/node.js";
import type { Properties } from "../../../src/properties.js";
import type { HitAncestor, HitRanges } from "../../../src/read/search/options.js";

/** The field `data.mirror` of a node. Spec §2.1. */
export type WireMirror =
	| {
			/** On a mirror: the id of its origin; `null` if the origin is deleted. */
			origin_id: string | null;
	  }
	| {
			/** On an origin: the ids of its mirrors. */
			mirror_ids: string[];
	  };

/** A node in answers. Times are in Unix seconds. Spec §2.1. */
export interface WireNode {
	/** The id: 36 characters like a UUID, in lower case. */
	id: string;
	/** The id of the parent; `null` at the top level. Below a mirror, the id of the mirror. */
	parent_id: string | null;
	/** The text as an HTML fragment. A mirror has all fields but `priority` and `createdAt` from its origin. */
	name: string;
	/** The note as plain text; `null` if there is none. */
	note: string | null;
	/** An integer that orders siblings; the lowest comes first. */
	priority: number;
	/** Whether the node is completed. */
	completed: boolean;
	/** The time when the node, or the mirror itself, was created. */
	createdAt: number;
	/** The time of the last change of name, note, layout mode, properties or completion. */
	modifiedAt: number;
	/** The time of completion; `null` while the node isn't completed. */
	completedAt: number | null;
	/** The layout mode, the properties and the mirror relation. */
	data: {
		/** The layout mode, such as `bullets` or `todo`. */
		layoutMode: LayoutMode;
		/** JSON values of the host; absent if there are none. */
		properties?: Properties;
		/** Present on mirrors and on origins with mirrors; absent on all other nodes. */
		mirror?: WireMirror;
	};
}

/** A node that a search has found, in answers. */
export interface WireHit extends WireNode {
	/** The ids from the top level to the node itself, the last 32 at most. */
	path: string[];
	/** The quality of the match: higher is better. Comparable within one answer. */
	score: number;
	/** With the order `date`: the date by which the node is placed. Absent if it has none. */
	date?: string;
	/** With `ancestors`: the nodes above it, the last 32 at most. A long name is the beginning of its text. */
	ancestors?: HitAncestor[];
	/** With `ranges`: the parts of the texts that match, the first 32 of each text at most. */
	ranges?: HitRanges;
}

/** Converts a node of the outline. Spec §2.1. */
export function wireNode(node: OutlineNode): WireNode {
	const { layoutMode, properties, mirror } = node;
	return {
		id: node.id,
		parent_id: node.parentId,
		name: node.name,
		note: node.note,
		priority: node.priority,
		completed: node.completed,
		createdAt: node.createdAt,
		modifiedAt: node.modifiedAt,
		completedAt: node.completedAt,
		data: {
			layoutMode,
			...(Object.keys(properties).length > 0 && { properties }),
			...(mirror !== undefined && { mirror: wireMirror(mirror) }),
		},
	};
}

function wireMirror(mirror: NonNullable<OutlineNode["mirror"]>): WireMirror {
	return mirror.originId !== undefined ? { origin_id: mirror.originId } : { mirror_ids: mirror.mirrorIds };
}
