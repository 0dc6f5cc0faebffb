import type { Call } from "../engine/call.js";
import type { Changes } from "../engine/changes.js";
import { ask, type Reading } from "../engine/protocol.js";
import { placeNew } from "../place/placement.js";
import { gap, type Place, withinRange } from "../place/priority.js";
import type { Reference } from "../reference/reference.js";
import type { StoredNode } from "../storage.js";

/** Where the outermost nodes of a file go. */
export interface Destination {
	/** Left out, the top level, or the parent of the sibling that the place names. */
	readonly parent: Reference | undefined;
	readonly place: Place;
}

/** The places of new nodes beside each other. */
export interface RootPlaces {
	/** The parent as it was addressed; `null` for the top level. */
	readonly parent: StoredNode | null;
	/** The id of the true parent: of a mirror, its origin's. */
	readonly parentId: string | null;
	/** Ascending, one for each node. */
	readonly priorities: readonly number[];
	/** For the nodes and what is below them. */
	readonly ids: readonly string[];
	/** Whether no other node stands there. */
	readonly isEmpty: boolean;
}

/**
 * Finds the places of so many new nodes in a row, and draws ids.
 *
 * @throws `not_found` for an unknown parent or sibling; `invalid_argument` for a sibling that stands elsewhere
 */
export function* placeRoots(
	call: Call,
	changes: Changes,
	{ parent: reference, place }: Destination,
	roots: number,
	newIds: number,
): Reading<RootPlaces> {
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

/** How far apart so many nodes can stand behind a place. Where they are too many for it, the siblings behind make room. */
function* roomAfter(
	changes: Changes,
	siblings: readonly StoredNode[],
	priority: number,
	roots: number,
): Reading<number> {
	// Finding the place of the first may have moved some already, also to behind it.
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
