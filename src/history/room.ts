import { ask, askAll, breathe, Counter, type Reading } from "../engine/protocol.js";
import type { NodeRecord, StoredNode } from "../storage.js";

/** How many siblings are looked at in the search for a free place. */
const pageSize = 256;

/**
 * Makes room for records that return to where they stood: somebody else who stands there by now goes to the next free place
 * behind. Gives the records that do so.
 *
 * @param found - the nodes of the step, as they are now
 * @param records - what becomes of some of them, and the ones that return; `null` for one that goes
 */
export function* makeRoom(
	found: ReadonlyMap<string, StoredNode>,
	records: ReadonlyMap<string, NodeRecord | null>,
): Reading<{ before: NodeRecord; after: NodeRecord }[]> {
	const places = new Map<string | null, Set<number>>();
	const returning: NodeRecord[] = [];
	const counter = new Counter();
	for (const record of records.values()) {
		if (counter.breathes) yield* breathe();
		if (record === null) continue;
		const current = found.get(record.id)?.record;
		if (current !== undefined && samePlace(current, record)) continue;
		const taken = places.get(record.parentId) ?? new Set();
		places.set(record.parentId, taken.add(record.priority));
		// Under a parent that returns as well nobody else can stand.
		if (record.parentId === null || found.has(record.parentId)) returning.push(record);
	}
	const standing = yield* askAll(
		returning.map(({ parentId, priority }) => {
			const of = parentId === null ? null : { id: parentId };
			return { type: "children", of, scope: "own", after: priority - 1, before: priority + 1 } as const;
		}),
	);
	const displaced: { before: NodeRecord; after: NodeRecord }[] = [];
	for (const { record: before } of standing.flat()) {
		const record = records.get(before.id) === undefined ? before : records.get(before.id)!;
		if (record === null || !samePlace(before, record)) continue;
		const taken = places.get(before.parentId)!;
		const priority = yield* nextFree(before, taken);
		taken.add(priority);
		displaced.push({ before, after: { ...record, priority } });
	}
	return displaced;
}

function samePlace(left: NodeRecord, right: NodeRecord): boolean {
	return left.parentId === right.parentId && left.priority === right.priority;
}

/** The first priority behind a node that nobody has and that isn't taken. */
function* nextFree({ parentId, priority }: NodeRecord, taken: ReadonlySet<number>): Reading<number> {
	const of = parentId === null ? null : { id: parentId };
	for (let free = priority + 1; ; ) {
		const [siblings] = yield* ask({ type: "children", of, scope: "own", after: free - 1, limit: pageSize });
		const theirs = new Set(siblings.map(({ record }) => record.priority));
		const seen = siblings.length < pageSize ? Number.POSITIVE_INFINITY : siblings.at(-1)!.record.priority;
		while (free <= seen && (theirs.has(free) || taken.has(free))) free += 1;
		if (free <= seen) return free;
	}
}
