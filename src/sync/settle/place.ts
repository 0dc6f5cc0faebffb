import type { Changes } from "../../engine/changes.js";
import { ask, type Operation } from "../../engine/protocol.js";
import { farthest, priorityAt, priorityBeside } from "../../place/priority.js";
import type { Locator, StoredNode } from "../../storage.js";

/** A place that a device has given a node. */
export interface WantedPlace {
	readonly priority: number;
	/** The siblings on the device; undefined if it named none. */
	readonly above: StoredNode | null | undefined;
	readonly below: StoredNode | null | undefined;
}

/**
 * Finds the priority for a node that comes from a device. It is the device's own if it is free, and if nothing
 * has come between the two siblings there. If not, the node goes beside one of them. So nodes that a device
 * has written in a row stay together. Without a sibling to go beside, it goes to the end.
 *
 * @param id - the node
 * @param moves - whether it has this parent already
 */
export function* placeAmong(
	changes: Changes,
	parentId: string | null,
	id: string,
	moves: boolean,
	{ priority, above, below }: WantedPlace,
): Operation<number> {
	const of = parentId === null ? null : { id: parentId };
	const { at, last } = yield* around(of, id, priority);
	// A priority far out would leave no room beyond it.
	const isFree = at === undefined && Math.abs(priority) <= farthest / 2;
	if (above === undefined && below === undefined) return isFree ? priority : priorityAt("bottom", last);
	const [upper, lower] = [above ?? null, below ?? null];
	const fits =
		(upper === null || upper.record.priority < priority) && (lower === null || priority < lower.record.priority);
	if (isFree && fits && (yield* areAdjacent(of, upper, lower, id, last))) return priority;
	const beside = upper ?? lower;
	if (beside === null) return priorityAt("bottom", last);
	return yield* priorityBeside(changes, of, upper === null ? "before" : "after", beside, moves ? id : null);
}

/** Returns the sibling that has a priority, and the last sibling, both other than the node itself. */
function* around(
	of: Locator | null,
	id: string,
	priority: number,
): Operation<{ at: StoredNode | undefined; last: StoredNode | undefined }> {
	const [there, ends] = yield* ask(
		{ type: "children", of, scope: "own", after: priority - 1, before: priority + 1 },
		{ type: "children", of, scope: "own", limit: 2, fromLast: true },
	);
	const isOther = ({ record }: StoredNode) => record.id !== id;
	return { at: there.find(isOther), last: ends.findLast(isOther) };
}

/** Whether no sibling is between two; `null` stands for the beginning and the end. */
function* areAdjacent(
	of: Locator | null,
	upper: StoredNode | null,
	lower: StoredNode | null,
	id: string,
	last: StoredNode | undefined,
): Operation<boolean> {
	if (lower === null) return (last?.record.id ?? null) === (upper?.record.id ?? null);
	const [previous] = yield* ask({
		type: "children",
		of,
		scope: "own",
		before: lower.record.priority,
		limit: 2,
		fromLast: true,
	});
	const neighbour = previous.findLast(({ record }) => record.id !== id);
	return (neighbour?.record.id ?? null) === (upper?.record.id ?? null);
}
