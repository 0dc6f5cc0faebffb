import { ask, askAll, Counter, type Operation, pause } from "../engine/protocol.js";
import { isSamePlace } from "../node.js";
import { type NodeRecord, parentLocator, type StoredNode, systemGroup } from "../storage.js";
import { nodesOf, type Step } from "./step.js";

/** The number of siblings that a query for a free priority reads. */
const pageSize = 256;

/**
 * A step can give siblings new priorities merely to make room. Reverting it restores them, unless a later commit
 * has put, moved or deleted a node among these siblings. Returns the ids of the siblings that then keep their
 * current priorities. Their order is the same with either.
 *
 * @param found - the current nodes of the step
 */
export function* idsStayingAside(step: Step, found: ReadonlyMap<string, StoredNode>): Operation<ReadonlySet<string>> {
	const known = new Set<string>();
	const shifts: { before: NodeRecord; after: NodeRecord }[] = [];
	const counter = new Counter();
	for (const { before, after } of nodesOf(step)) {
		if (counter.isDue()) yield* pause();
		const { id } = (before ?? after)!;
		if (!step.lasting.has(id)) known.add(id);
		if (before !== null && after !== null && step.aside.has(id)) shifts.push({ before, after });
	}
	if (shifts.length === 0) return new Set();
	const [system, ...between] = yield* askAll([
		{ type: "keys", group: systemGroup },
		...shifts.map(({ before: { parentId, priority }, after }) => {
			const [from, to] = [Math.min(priority, after.priority), Math.max(priority, after.priority)];
			return { type: "children", of: parentLocator(parentId), scope: "own", after: from - 1, before: to + 1 } as const;
		}),
	] as const);
	// The inbox and the calendar only ever go to the end, so any priority is right for them.
	for (const { node } of system) known.add(node.record.id);
	/** The parents whose children have changed in between. */
	const altered = new Set<string | null>();
	for (const [index, { after }] of shifts.entries()) {
		// A node that is moved aside passes no sibling, so a sibling on the way has come later.
		const isFree = between[index]!.every(({ record }) => known.has(record.id));
		const current = found.get(after.id)?.record;
		if (!isFree || current === undefined || !isSamePlace(current, after)) altered.add(after.parentId);
	}
	return new Set(shifts.flatMap(({ after }) => (altered.has(after.parentId) ? [after.id] : [])));
}

/**
 * Finds the nodes whose priorities a reverted step needs back. Each of them gets the next free priority
 * behind its own. Returns their records before and after.
 *
 * @param found - the current nodes of the step
 * @param records - the records that the step's nodes get; `null` for a node to be deleted
 */
export function* displacedNodes(
	found: ReadonlyMap<string, StoredNode>,
	records: ReadonlyMap<string, NodeRecord | null>,
): Operation<{ before: NodeRecord; after: NodeRecord }[]> {
	const taken = new Map<string | null, Set<number>>();
	const returning: NodeRecord[] = [];
	const counter = new Counter();
	for (const record of records.values()) {
		if (counter.isDue()) yield* pause();
		if (record === null) continue;
		const current = found.get(record.id)?.record;
		if (current !== undefined && isSamePlace(current, record)) continue;
		const priorities = taken.get(record.parentId) ?? new Set();
		taken.set(record.parentId, priorities.add(record.priority));
		// A parent that returns as well has no other children.
		if (record.parentId === null || found.has(record.parentId)) returning.push(record);
	}
	const occupants = yield* askAll(
		returning.map(({ parentId, priority }) => {
			const of = parentLocator(parentId);
			return { type: "children", of, scope: "own", after: priority - 1, before: priority + 1 } as const;
		}),
	);
	const displaced: { before: NodeRecord; after: NodeRecord }[] = [];
	for (const { record: before } of occupants.flat()) {
		const record = records.get(before.id) === undefined ? before : records.get(before.id)!;
		if (record === null || !isSamePlace(before, record)) continue;
		const priorities = taken.get(before.parentId)!;
		const priority = yield* nextFree(before, priorities);
		priorities.add(priority);
		displaced.push({ before, after: { ...record, priority } });
	}
	return displaced;
}

/** The first priority behind a node that no sibling has and that isn't taken. */
function* nextFree({ parentId, priority }: NodeRecord, taken: ReadonlySet<number>): Operation<number> {
	const of = parentLocator(parentId);
	for (let free = priority + 1; ; ) {
		const [siblings] = yield* ask({ type: "children", of, scope: "own", after: free - 1, limit: pageSize });
		const theirs = new Set(siblings.map(({ record }) => record.priority));
		const seen = siblings.length < pageSize ? Number.POSITIVE_INFINITY : siblings.at(-1)!.record.priority;
		while (free <= seen && (theirs.has(free) || taken.has(free))) free += 1;
		if (free <= seen) return free;
	}
}
