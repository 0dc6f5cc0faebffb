import { Counter, type Operation, pause } from "../../engine/protocol.js";
import type { AheadQuery, Uncommitted } from "../../engine/uncommitted.js";
import { type NodeRecord, parentLocator, type StoredNode } from "../../storage.js";
import type { Delta, NodeDelta } from "../delta.js";

/** The siblings that are read at a place: as many as settling reads first. */
const siblingsAtOnce = 8;

/**
 * The most places of one parent. If there are more, they are close to each other, and settling reads more siblings at
 * once, the more places there are.
 */
const mostPlaces = 256;

/**
 * Gets the queries answered that settling some deltas is going to ask, many in each round trip: for the siblings at the
 * place of a node, and the ancestors of a moved node's parent. Settling asks again for what earlier deltas have
 * changed.
 *
 * @param stored - the stored nodes that the deltas name
 */
export function* askAhead(
	uncommitted: Uncommitted,
	deltas: Iterable<Delta>,
	stored: readonly StoredNode[],
): Operation<void> {
	const records = new Map(stored.map(({ record }) => [record.id, record]));
	const counter = new Counter();
	const ends = new Map<string | null, AheadQuery>();
	/** By the parent, and by the sibling below the place. */
	const places = new Map<string | null, Map<string, AheadQuery>>();
	const ancestors = new Map<string, AheadQuery>();
	for (const { nodes } of deltas) {
		for (const change of nodes) {
			if (counter.isDue()) yield* pause();
			const parentId = parentOf(change, records.get(change.id));
			if (parentId === undefined || (parentId !== null && !records.has(parentId))) continue;
			const of = parentLocator(parentId);
			if (of !== null && change.before !== null && change.after?.parentId !== undefined)
				ancestors.set(of.id, { type: "ancestors", of });
			const below = change.below == null ? change.below : records.get(change.below);
			if (below === undefined || (below !== null && below.parentId !== parentId)) continue;
			const query = { type: "children", of, scope: "own", limit: siblingsAtOnce, fromLast: true } as const;
			if (below === null) ends.set(parentId, query);
			else {
				const others = places.get(parentId) ?? new Map<string, AheadQuery>();
				places.set(parentId, others.set(below.id, { ...query, before: below.priority }));
			}
		}
	}
	const few = [...places.values()].filter(({ size }) => size <= mostPlaces);
	for (const queries of [ends.values(), few.flatMap((of) => [...of.values()]), ancestors.values()])
		yield* uncommitted.askAhead([...queries]);
}

/** Returns the id of the parent under which a delta places a node; undefined if it doesn't place the node. */
function parentOf({ after, aside }: NodeDelta, record: NodeRecord | undefined): string | null | undefined {
	if (aside || after === null) return undefined;
	if (after.parentId !== undefined) return after.parentId;
	return after.priority === undefined ? undefined : record?.parentId;
}
