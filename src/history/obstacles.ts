import { OutlineError, quoted } from "../errors.js";

/** What stands in the way of taking a step back: what others have changed since. */
export class Obstacles {
	readonly #nodes = new Map<string, string>();
	readonly #keys = new Set<string>();

	/** Adds a node, and what has become of it. */
	node(id: string, what: string): void {
		if (!this.#nodes.has(id)) this.#nodes.set(id, what);
	}

	/** Adds a key that points elsewhere. */
	key(key: string): void {
		this.#keys.add(key);
	}

	/** @throws `undo_blocked` naming everything that stands in the way, if anything does */
	assertNone(operation: string): void {
		// Sorted, as storages answer in different orders.
		const nodeIds = [...this.#nodes.keys()].sort();
		const keys = [...this.#keys].sort();
		const reasons = [
			...nodeIds.map((id) => `the node ${id} ${this.#nodes.get(id)}`),
			...keys.map((key) => `${quoted(key)} points elsewhere`),
		];
		if (reasons.length === 0) return;
		const named = reasons.slice(0, 5).join("; ") + (reasons.length > 5 ? `; and ${reasons.length - 5} more` : "");
		throw new OutlineError(
			"undo_blocked",
			`This would overwrite what others have done since the ${operation}: ${named}. Change it by hand; clearHistory() forgets this step and all others.`,
			{ nodeIds, keys },
		);
	}
}
