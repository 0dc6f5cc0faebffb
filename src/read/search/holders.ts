import type { Steps } from "../../pace.js";
import { hashOf, SplitMap } from "./split-map.js";

const none: readonly string[] = [];

/** Maps keys (for example tags) to the nodes that use them, and to data about each use. */
export class Holders<Node extends { readonly id: string }, Use> {
	readonly #byKey = new SplitMap<string, Map<Node, Use>>(hashOf);
	readonly #byNode = new SplitMap<Node, readonly string[]>(({ id }) => hashOf(id));
	readonly #none: ReadonlyMap<Node, Use> = new Map();

	/** Replaces the keys of a node. Returns the remaining steps: none if there is no key to replace. */
	set(node: Node, uses: ReadonlyMap<string, Use>): Iterable<undefined> {
		const former = this.#byNode.get(node);
		return former === undefined && uses.size === 0 ? [] : this.#replace(node, former ?? [], uses);
	}

	*#replace(node: Node, former: readonly string[], uses: ReadonlyMap<string, Use>): Steps<void> {
		let count = 0;
		for (const key of former) {
			const holders = this.#byKey.get(key)!;
			holders.delete(node);
			if (holders.size === 0) this.#byKey.delete(key);
			if (++count % 1024 === 0) yield;
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
			if (++count % 1024 === 0) yield;
		}
	}

	/** Returns the nodes that use a key. */
	of(key: string): ReadonlyMap<Node, Use> {
		return this.#byKey.get(key) ?? this.#none;
	}

	/** Returns the keys that a node uses. */
	keysOf(node: Node): readonly string[] {
		return this.#byNode.get(node) ?? none;
	}

	/** Returns the nodes of each key that meets a condition. Looks at all keys. */
	*where(isMeant: (key: string) => boolean): Generator<ReadonlyMap<Node, Use>, undefined, undefined> {
		for (const [key, holders] of this.#byKey.entries()) if (isMeant(key)) yield holders;
	}

	/** Returns every key in use, with its nodes. */
	entries(): Iterable<[string, ReadonlyMap<Node, Use>]> {
		return this.#byKey.entries();
	}
}
