import type { Steps } from "../../pace.js";
import type { NodeDelta } from "../delta.js";

/** The number of changes that a step puts in order. */
const changesInStep = 1000;

/** The changes that aren't deletions: each after those of its parent and of its origin. */
export function* inOrder(changed: ReadonlyMap<string, NodeDelta>): Steps<readonly NodeDelta[]> {
	if (changed.size === 1) return [...changed.values()].filter(({ after }) => after !== null);
	const ordered: NodeDelta[] = [];
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
			if (after !== null && ordered.push(change) % changesInStep === 0) yield;
		}
	}
	// A node that waited for two others is here once for each of them.
	return [...new Set(ordered)];
}

/** The change of the detached mirror that a copy is below. */
export function detachedAbove(changed: ReadonlyMap<string, NodeDelta>, copy: string): NodeDelta | undefined {
	let change = changed.get(copy);
	for (let level = changed.size; level > 0 && change?.copyOf !== undefined; level--) {
		change = change.after?.parentId == null ? undefined : changed.get(change.after.parentId);
	}
	return change?.before?.originId == null || change.after?.originId !== null ? undefined : change;
}
