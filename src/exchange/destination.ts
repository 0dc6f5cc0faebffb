import type { Call } from "../engine/call.js";
import type { Changes } from "../engine/changes.js";
import { ask, type Operation } from "../engine/protocol.js";
import { placeNew } from "../place/placement.js";
import { gap, type Place, withinRange } from "../place/priority.js";
import type { Reference } from "../reference/reference.js";
import type { StoredNode } from "../storage.js";

/** The place where a file's roots are inserted. */
export interface Destination {
	/** Undefined for the top level, or for the parent of the sibling that `place` names. */
	readonly parent: Reference | undefined;
	readonly place: Place;
}

/** The places of new sibling nodes. */
export interface RootPlaces {
	/** The parent as the caller addressed it; `null` for the top level. */
	readonly parent: StoredNode | null;
	/** The id of the true parent. For a mirror, its origin's id. */
	readonly parentId: string | null;
	/** One per node, ascending. */
	readonly priorities: readonly number[];
	/** The ids of the nodes and their subtrees. */
	readonly ids: readonly string[];
	/** Whether the parent has no other children. */
	readonly isEmpty: boolean;
}

/**
 * Finds places for new nodes next to each other, and draws ids.
 *
 * @param newIds - the number of ids to draw
 * @throws `not_found` for an unknown parent or sibling; `invalid_argument` for a sibling that has another
 * parent
 */
export function* placeRoots(
	call: Call,
	changes: Changes,
	{ parent: reference, place }: Destination,
	roots: number,
	newIds: number,
): Operation<RootPlaces> {
	const { ids, parent, parentId, priority } = yield* placeNew(call, changes, reference, place, newIds);
	const of = parent && { id: parent.record.id };
	if (typeof place === "string") {
		const first = place === "top" ? priority - gap * Math.max(0, roots - 1) : priority;
		const [others] = yield* ask({ type: "children", of, scope: "visible", limit: 1 });
		const isEmpty = others.length === 0;
		return { ids, parent, parentId, priorities: spread(first, gap, roots), isEmpty };
	}
	const [siblings] = yield* ask({ type: "children", of, scope: "visible" });
	const room = yield* roomAfter(changes, siblings, priority, roots);
	return { ids, parent, parentId, priorities: spread(priority, room, roots), isEmpty: false };
}

/**
 * Returns the distance between the priorities of the new nodes. If too few priorities are free, it moves the
 * later siblings first.
 */
function* roomAfter(
	changes: Changes,
	siblings: readonly StoredNode[],
	priority: number,
	roots: number,
): Operation<number> {
	// Placing the first node may already have moved some siblings, also to later positions.
	const behind = siblings
		.map(({ record }) => changes.node(record.id)?.after ?? record)
		.filter((record) => record.priority > priority);
	const next = behind.reduce((least, record) => Math.min(least, record.priority), Number.POSITIVE_INFINITY);
	const room = Math.min(gap, Math.floor((next - priority) / Math.max(1, roots)));
	if (room > 0) return room;
	for (const record of behind) {
		changes.put(record, { ...record, priority: withinRange(record.priority + gap * roots) });
	}
	return gap;
}

function spread(first: number, step: number, count: number): number[] {
	withinRange(first);
	withinRange(first + step * count);
	return Array.from({ length: count }, (_, index) => first + step * index);
}
