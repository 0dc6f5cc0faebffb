/** Which nodes hold which keys (tags, say), and how. */
export class Holders<Node, Use> {
	readonly #byKey = new Map<string, Map<Node, Use>>();
	readonly #byNode = new Map<Node, readonly string[]>();
	readonly #none: ReadonlyMap<Node, Use> = new Map();

	/** Makes these the keys of a node; those that it held before are forgotten. */
	set(node: Node, uses: ReadonlyMap<string, Use>): void {
		for (const key of this.#byNode.get(node) ?? []) {
			const holders = this.#byKey.get(key)!;
			holders.delete(node);
			if (holders.size === 0) this.#byKey.delete(key);
		}
		if (uses.size === 0) {
			this.#byNode.delete(node);
			return;
		}
		this.#byNode.set(node, [...uses.keys()]);
		for (const [key, use] of uses) {
			const holders = this.#byKey.get(key);
			if (holders === undefined) this.#byKey.set(key, new Map([[node, use]]));
			else holders.set(node, use);
		}
	}

	/** The nodes that hold a key. */
	of(key: string): ReadonlyMap<Node, Use> {
		return this.#byKey.get(key) ?? this.#none;
	}

	/** Every key that is held, with its nodes. */
	entries(): IterableIterator<[string, ReadonlyMap<Node, Use>]> {
		return this.#byKey.entries();
	}
}
