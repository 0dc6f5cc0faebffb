import { Counter, type Operation, pause } from "../../engine/protocol.js";
import type { NodeRecord } from "../../storage.js";
import type { ConflictNote } from "../delta.js";

/** A conflict, with the revision of its commit; without it if only the device at hand can have changed the node since. */
export type OpenConflict = ConflictNote & { readonly revision?: number };

/**
 * The parents that nodes have got because the parents that their devices wanted were gone, as the open conflicts
 * tell it. A device may delete such a node before it knows of the other parent.
 */
export class GivenParents {
	readonly #stored: () => Operation<Iterable<OpenConflict>>;
	/** The highest revision of a conflict, by the node and its two parents. */
	readonly #given = new Map<string, number>();
	#isRead = false;

	/** @param stored - reads the open conflicts, or those of this kind. Few deltas need them */
	constructor(stored: () => Operation<Iterable<OpenConflict>>) {
		this.#stored = stored;
	}

	/** Adds what further conflicts tell. */
	*add(conflicts: Iterable<OpenConflict>): Operation<void> {
		const counter = new Counter();
		for (const { kind, nodeId, shown, other, revision = Number.POSITIVE_INFINITY } of conflicts) {
			if (counter.isDue()) yield* pause();
			if (kind !== "parent") continue;
			const key = JSON.stringify([nodeId, shown, other]);
			this.#given.set(key, Math.max(revision, this.#given.get(key) ?? 0));
		}
	}

	/** Whether a node has got its parent in place of the one that a device wanted for it, and hasn't changed since. */
	*includes({ id, parentId, revision }: NodeRecord, wanted: string | null | undefined): Operation<boolean> {
		if (!this.#isRead) yield* this.add(yield* this.#stored());
		this.#isRead = true;
		return revision <= (this.#given.get(JSON.stringify([id, parentId, wanted])) ?? -1);
	}
}
