import type { Changes } from "../../engine/changes.js";
import { ask, type Operation } from "../../engine/protocol.js";
import { chronological } from "../../place/on-demand.js";
import { type End, farthest, priorityAt, priorityBeside } from "../../place/priority.js";
import { type Locator, type NodeRecord, parentLocator, type StoredNode } from "../../storage.js";

/** The highest priority that a device may choose: beyond it would be too little room. Its negative is the lowest. */
export const highest = farthest / 2;

/** The most siblings that are read to find one that stays, unless more may be read. */
export const mostRead = 64;

/** A place that a device has given a node. */
export interface WantedPlace {
	readonly priority: number;
	/** The siblings on the device, if they are there; undefined if it named none. */
	readonly above: StoredNode | null | undefined;
	readonly below: StoredNode | null | undefined;
	/** The end to go to if the siblings that the device named are gone; undefined if one is there, or if it named none. */
	readonly endIfGone: End | undefined;
}

/** Rules and limits for the place of a node. */
export interface PlaceRules {
	/** Whether the node has this parent already. */
	readonly keepsParent: boolean;
	/** The key of a new entry of the calendar. */
	readonly key: string | undefined;
	/** Whether a sibling is about to be deleted, or to get another place. Such siblings make room. */
	leaves(id: string): boolean;
	/** Whether so many further siblings may be read to find one that stays. */
	mayRead(count: number): boolean;
	/** Moves such a sibling behind the last one. */
	makeRoom(sibling: NodeRecord, last: NodeRecord): void;
}

/**
 * Finds the priority for a node that comes from a device. It is the device's own if it is free, and if nothing
 * has come between the two siblings there. If not, the node goes beside one of them. So nodes that a device
 * has written in a row stay together. Without a sibling to go beside, an entry of the calendar goes to its
 * place in time. Any other node keeps its own priority if the siblings that it was beside are gone and the priority
 * is free. Else it goes to the top if it was the first, and to the end if not.
 *
 * @param id - the node
 */
export function* placeAmong(
	changes: Changes,
	parentId: string | null,
	id: string,
	{ priority, above, below, endIfGone }: WantedPlace,
	{ keepsParent, key, leaves, mayRead, makeRoom }: PlaceRules,
): Operation<number> {
	const of = parentLocator(parentId);
	const isOther = ({ record }: StoredNode) => record.id !== id && !leaves(record.id);
	const [upper, lower] = [above ?? null, below ?? null];
	const fits =
		Math.abs(priority) <= highest &&
		(upper === null || upper.record.priority < priority) &&
		(lower === null || priority < lower.record.priority);
	const isNamed = above !== undefined || below !== undefined;
	const keeps = !isNamed || (endIfGone !== undefined && key === undefined);
	const lastOnes = { type: "children", of, scope: "own", limit: 2, fromLast: true } as const;
	// The answer to the first question often has the answer to the second one, so it takes no round trip.
	if (fits && (keeps || (yield* areAdjacent(of, upper, lower, isOther, mayRead)))) {
		const [there] = yield* ask({ type: "children", of, scope: "own", after: priority - 1, before: priority + 1 });
		if (!there.some(isOther)) {
			for (const { record } of there) {
				if (record.id === id) continue;
				const [ends] = yield* ask(lastOnes);
				makeRoom(record, ends.at(-1)!.record);
			}
			return priority;
		}
	}
	if (key !== undefined && parentId !== null) return yield* chronological(changes, parentId, key);
	const beside = upper ?? lower;
	if (beside !== null)
		return yield* priorityBeside(changes, of, upper === null ? "before" : "after", beside, keepsParent ? id : null);
	if (endIfGone === "top") {
		const [first] = yield* ask({ type: "children", of, scope: "own", limit: 2 });
		return priorityAt(
			"top",
			first.find(({ record }) => record.id !== id),
		);
	}
	const [ends] = yield* ask(lastOnes);
	return priorityAt(
		"bottom",
		ends.findLast(({ record }) => record.id !== id),
	);
}

/** Whether no other sibling is between two; `null` stands for the beginning and the end. */
function* areAdjacent(
	of: Locator | null,
	upper: StoredNode | null,
	lower: StoredNode | null,
	isOther: (node: StoredNode) => boolean,
	mayRead: PlaceRules["mayRead"],
): Operation<boolean> {
	const before = lower === null ? {} : { before: lower.record.priority };
	for (let limit = 2; ; limit *= 2) {
		const [previous] = yield* ask({ type: "children", of, scope: "own", ...before, limit, fromLast: true });
		const neighbour = previous.findLast(isOther);
		if (neighbour !== undefined || previous.length < limit)
			return (neighbour?.record.id ?? null) === (upper?.record.id ?? null);
		if (limit >= mostRead && !mayRead(limit * 2)) return false;
	}
}
