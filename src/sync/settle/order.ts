import type { Steps } from "../../pace.js";
import type { NodeDelta } from "../delta.js";

/** The number of changes that a step puts in order. */
const changesInStep = 1000;

/** The changes that aren't deletions: each after those of its parent and of its origin. */
export function* inOrder(changed: ReadonlyMap<string, NodeDelta>): Steps<readonly NodeDelta[]> {
	if (changed.size === 1) return [...changed.values()].filter(({ after }) => after !== null);
	const ordered = new Set<NodeDelta>();
	const begun = new Set<string>();
	for (const first of changed.values()) {
		const line = [first];
		while (line.length > 0) {
			const change = line.at(-1)!;
			const { id, after } = change;
			if (!begun.has(id)) {
				begun.add(id);
				for (const above of [after?.parentId, after?.originId]) {
					const needed = above == null || begun.has(above) ? undefined : changed.get(above);
					if (needed !== undefined) line.push(needed);
				}
				if (line.at(-1) !== change) continue;
			}
			line.pop();
			if (after !== null && ordered.add(change).size % changesInStep === 0) yield;
		}
	}
	return [...ordered];
}
