import { differs } from "../node.js";
import type { KeyChange, NodeChange } from "../storage.js";
import { contentsOf, nodesOf, type Step } from "./step.js";

/**
 * Joins two steps that follow each other: returns one step with the changes of both. The later one is no
 * deletion. Returns undefined if another writer has changed a node of both in between: the joined step would
 * undo that too.
 */
export function joined(earlier: Step, later: Step): Step | undefined {
	const left = new Map(earlier.changed.map(({ before, after }) => [before!.id, after]));
	for (const record of earlier.made) left.set(record.id, record);
	for (const { before, after } of nodesOf(later)) {
		const then = left.get((before ?? after)!.id);
		if (then === undefined) continue;
		if (differs(then, before)) return undefined;
	}
	const keys = composed([...earlier.keys, ...later.keys], ({ before, after }) => (before ?? after)!.key);
	const nodes = composed([...nodesOf(earlier), ...nodesOf(later)], ({ before, after }) => (before ?? after)!.id);
	const others = new Set<string>();
	for (const step of [earlier, later]) {
		for (const { before, after } of nodesOf(step)) {
			const { id } = (before ?? after)!;
			if (!step.aside.has(id)) others.add(id);
		}
	}
	const { operation, moment } = later;
	return {
		operation,
		moment,
		...contentsOf(nodes, keys),
		keys,
		lasting: new Set([...earlier.lasting, ...later.lasting]),
		ensured: new Set([...earlier.ensured, ...later.ensured]),
		aside: new Set([...earlier.aside, ...later.aside].filter((id) => !others.has(id))),
		copies: earlier.copies,
	};
}

/** Makes one change of all changes of the same thing. The later step deletes nothing that the earlier one created. */
function composed<T extends NodeChange | KeyChange>(changes: readonly T[], idOf: (change: T) => string): T[] {
	const all = new Map<string, T>();
	for (const change of changes) {
		const id = idOf(change);
		all.set(id, { ...change, before: (all.get(id) ?? change).before });
	}
	return [...all.values()];
}
