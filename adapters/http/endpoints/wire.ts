import type { LayoutMode } from "../../../src/layout-mode.js";
import type { OutlineNode } from "../../../src/node.js";

/** `data.mirror` of a node. Spec §2.1. */
export type WireMirror =
	| {
			/** On a mirror: its origin's id; `null` when the origin is gone. */
			origin_id: string | null;
	  }
	| {
			/** On an origin: the ids of its mirrors. */
			mirror_ids: string[];
	  };

/** A node as the interface shows it. Spec §2.1. Times are in Unix seconds. */
export interface WireNode {
	/** UUID-style, lower case. */
	id: string;
	/** The parent's id; `null` at the top level. Under a mirror, the mirror's. */
	parent_id: string | null;
	/** The text as an HTML fragment. Of a mirror: its origin's, as is what follows but `priority` and `createdAt`. */
	name: string;
	/** Plain text; `null` for none. */
	note: string | null;
	/** The order among siblings, an integer; lower comes first. */
	priority: number;
	/** Whether `completedAt` is set. */
	completed: boolean;
	/** When the node, or the mirror itself, was created. */
	createdAt: number;
	/** When name, note, layout mode or completion changed last. */
	modifiedAt: number;
	/** `null` while not completed. */
	completedAt: number | null;
	/** How it is displayed, and what it mirrors. */
	data: {
		/** How the node is displayed. */
		layoutMode: LayoutMode;
		/** On mirrors and on origins that have mirrors; absent on every other node. */
		mirror?: WireMirror;
	};
}

/** A node of the outline in the shape of the interface. Spec §2.1. */
export function wireNode(node: OutlineNode): WireNode {
	const { layoutMode } = node;
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
		data: node.mirror === undefined ? { layoutMode } : { layoutMode, mirror: wireMirror(node.mirror) },
	};
}

function wireMirror(mirror: NonNullable<OutlineNode["mirror"]>): WireMirror {
	return mirror.originId !== undefined ? { origin_id: mirror.originId } : { mirror_ids: mirror.mirrorIds };
}
