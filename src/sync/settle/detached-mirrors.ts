import { Counter, type Operation, pause } from "../../engine/protocol.js";
import type { NodeDelta } from "../delta.js";

/** Finds the changes of the detached mirrors that copies are below, by the copy. */
export function* detachedMirrors(changed: ReadonlyMap<string, NodeDelta>): Operation<ReadonlyMap<string, NodeDelta>> {
	/** The mirror of each copy so far; `null` for none. */
	const found = new Map<string, NodeDelta | null>();
	const mirrors = new Map<string, NodeDelta>();
	const counter = new Counter();
	for (const first of changed.values()) {
		if (first.copyOf === undefined || found.has(first.id)) continue;
		const line: string[] = [];
		let change: NodeDelta | undefined = first;
		while (change?.copyOf !== undefined && !found.has(change.id)) {
			if (counter.isDue()) yield* pause();
			// The copies in a hostile delta may form a circle.
			found.set(change.id, null);
			line.push(change.id);
			change = change.after?.parentId == null ? undefined : changed.get(change.after.parentId);
		}
		if (change === undefined) continue;
		const isDetached = change.before?.originId != null && change.after?.originId === null;
		const mirror = change.copyOf === undefined ? isDetached && change : found.get(change.id);
		if (!mirror) continue;
		for (const id of line) {
			found.set(id, mirror);
			mirrors.set(id, mirror);
		}
	}
	return mirrors;
}
