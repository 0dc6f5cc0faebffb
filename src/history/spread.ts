import { askAll, breathe, Counter, type Reading } from "../engine/protocol.js";
import { type NodeRecord, type StoredNode, systemGroup } from "../storage.js";
import { nodesOf, type Step } from "./step.js";

/**
 * The nodes that a step has only moved aside and that are to stay where they are now, since others have come between them or
 * have moved them on. Their order is the same either way.
 *
 * @param found - the nodes of the step, as they are now
 */
export function* whoStaysAside(step: Step, found: ReadonlyMap<string, StoredNode>): Reading<ReadonlySet<string>> {
	const known = new Set<string>();
	const shifts: { before: NodeRecord; after: NodeRecord }[] = [];
	const counter = new Counter();
	for (const { before, after } of nodesOf(step)) {
		if (counter.breathes) yield* breathe();
		const { id } = (before ?? after)!;
		if (!step.lasting.has(id)) known.add(id);
		if (before !== null && after !== null && step.aside.has(id)) shifts.push({ before, after });
	}
	if (shifts.length === 0) return new Set();
	const [system, ...between] = yield* askAll([
		{ type: "keys", group: systemGroup },
		...shifts.map(({ before: { parentId, priority }, after }) => {
			const [from, to] = [Math.min(priority, after.priority), Math.max(priority, after.priority)];
			const of = parentId === null ? null : { id: parentId };
			return { type: "children", of, scope: "own", after: from - 1, before: to + 1 } as const;
		}),
	] as const);
	// The inbox and the calendar go to the end of whatever there is, and mind no place.
	for (const { node } of system) known.add(node.record.id);
	/** The parents among whose children something has come between. */
	const altered = new Set<string | null>();
	for (const [place, { after }] of shifts.entries()) {
		// Who is moved aside passes nobody, so whoever stands on the way has come later.
		const isFree = between[place]!.every(({ record }) => known.has(record.id));
		if (!isFree || found.get(after.id)?.record.priority !== after.priority) altered.add(after.parentId);
	}
	return new Set(shifts.flatMap(({ after }) => (altered.has(after.parentId) ? [after.id] : [])));
}
