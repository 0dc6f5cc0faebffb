import type { LayoutMode } from "../../src/layout-mode.js";
import type { OutlineNode } from "../../src/node.js";

/** `data.mirror` of a node. Spec §2.1. */
export type WireMirror = { origin_id: string | null } | { mirror_ids: string[] };

/** A node as the interface shows it. Spec §2.1. Times are in Unix seconds. */
export interface WireNode {
	id: string;
	parent_id: string | null;
	name: string;
	note: string | null;
	priority: number;
	completed: boolean;
	createdAt: number;
	modifiedAt: number;
	completedAt: number | null;
	data: {
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
	return "originId" in mirror ? { origin_id: mirror.originId } : { mirror_ids: mirror.mirrorIds };
}
