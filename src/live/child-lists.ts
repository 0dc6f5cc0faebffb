import { firstNotBefore } from "../engine/binary-search.js";
import type { OutlineChange } from "../engine/event.js";
import type { OutlineNode } from "../node.js";
import { byPlace } from "../siblings.js";

/** The visible children of one node. */
interface ChildList {
	/** The node's id; null for the top level. */
	readonly of: string | null;
	/** The true parents of the visible children: the node, and if it is a mirror, its origin. */
	readonly parents: readonly (string | null)[];
	nodes: readonly OutlineNode[];
	/** An array of this list alone. All nodes that are in no other list share it. */
	readonly alone: readonly ChildList[];
}

/**
 * The visible children of some nodes. The changes of each commit keep them up to date. A list equals the
 * result of {@link "../outline".Outline.list}: the same nodes in the same order.
 */
export class ChildLists {
	readonly #lists = new Map<string | null, ChildList>();
	/** The lists that show the children of a true parent. */
	readonly #byParent = new Map<string | null, readonly ChildList[]>();
	/** The lists that contain a node. */
	readonly #byNode = new Map<string, readonly ChildList[]>();
	#changed = new Set<string | null>();

	/** Returns the visible children of a node; undefined if they aren't loaded. */
	of(id: string | null): readonly OutlineNode[] | undefined {
		return this.#lists.get(id)?.nodes;
	}

	/** Returns the nodes whose lists have changed since the last call: null for the top level. */
	takeChanged(): ReadonlySet<string | null> {
		const changed = this.#changed;
		this.#changed = new Set();
		return changed;
	}

	/** Adds the visible children of a node. */
	add(of: string | null, originId: string | null, nodes: readonly OutlineNode[]): void {
		this.drop(of);
		const alone: ChildList[] = [];
		// The top level of a scope has the children of its node.
		const parents = new Set([of, originId ?? nodes[0]?.parentId ?? of]);
		const list: ChildList = { of, parents: [...parents], nodes, alone };
		alone.push(list);
		this.#lists.set(of, list);
		this.#changed.add(of);
		for (const parent of list.parents) enter(this.#byParent, parent, list);
		this.#takeFromOthers(list);
		for (const { id } of nodes) enter(this.#byNode, id, list);
	}

	/**
	 * Removes the nodes of a new list from the lists of other parents. A node is in two lists if another writer has moved
	 * it between the reads of these. The event of that commit, which is still to come, brings it to its place.
	 */
	#takeFromOthers({ nodes, parents }: ChildList): void {
		const taken = new Set<string>();
		const others = new Set<ChildList>();
		for (const { id } of nodes) {
			for (const other of this.#byNode.get(id) ?? []) {
				if (other.parents.some((parent) => parents.includes(parent))) continue;
				leave(this.#byNode, id, other);
				taken.add(id);
				others.add(other);
			}
		}
		for (const other of others) {
			other.nodes = other.nodes.filter(({ id }) => !taken.has(id));
			this.#changed.add(other.of);
		}
	}

	/** Forgets the children of a node. */
	drop(of: string | null): void {
		const list = this.#lists.get(of);
		if (list === undefined) return;
		this.#lists.delete(of);
		this.#changed.add(of);
		for (const parent of list.parents) leave(this.#byParent, parent, list);
		for (const { id } of list.nodes) leave(this.#byNode, id, list);
	}

	/** Forgets all children. */
	clear(): void {
		for (const of of this.#lists.keys()) this.#changed.add(of);
		for (const index of [this.#lists, this.#byParent, this.#byNode]) index.clear();
	}

	/** Applies the changes of one commit. */
	apply(changes: readonly OutlineChange[]): void {
		// Callers keep the arrays, so each is copied; but once, because a commit may change very many nodes of a list.
		const copied = new Set<ChildList>();
		const copyOf = (list: ChildList): OutlineNode[] => {
			if (!copied.has(list)) list.nodes = [...list.nodes];
			copied.add(list);
			return list.nodes as OutlineNode[];
		};
		for (const { id, before, after } of changes) {
			if (after === undefined || this.#originChanged(id, after)) this.drop(id);
			for (const list of this.#byNode.get(id) ?? []) {
				const nodes = copyOf(list);
				const at = indexOf(nodes, id, before);
				if (after?.priority === nodes[at]!.priority && list.parents.includes(after.parentId)) {
					nodes[at] = shownIn(list, after);
				} else {
					nodes.splice(at, 1);
					leave(this.#byNode, id, list);
				}
				this.#changed.add(list.of);
			}
			if (after === undefined) continue;
			for (const list of this.#byParent.get(after.parentId) ?? []) {
				if (this.#byNode.get(id)?.includes(list)) continue;
				const nodes = copyOf(list);
				nodes.splice(indexFor(nodes, after), 0, shownIn(list, after));
				enter(this.#byNode, id, list);
				this.#changed.add(list.of);
			}
		}
	}

	#originChanged(id: string, node: OutlineNode): boolean {
		const list = this.#lists.get(id);
		return list !== undefined && list.parents.at(-1) !== (originOf(node) ?? id);
	}
}

/** Returns the id of a mirror's origin; null for any other node, and for a mirror whose origin is deleted. */
export function originOf({ mirror }: OutlineNode): string | null {
	return mirror?.originId ?? null;
}

/** Returns a node as a list shows it. Under a mirror, the mirror is its parent. */
function shownIn(list: ChildList, node: OutlineNode): OutlineNode {
	return node.parentId === list.of ? node : { ...node, parentId: list.of };
}

/** Returns the index of a node among sorted siblings. `before` is its state there, or undefined. */
function indexOf(nodes: readonly OutlineNode[], id: string, before: OutlineNode | undefined): number {
	const index = before === undefined ? -1 : indexFor(nodes, before);
	return nodes[index]?.id === id ? index : nodes.findIndex((node) => node.id === id);
}

/** Returns the index at which a node belongs among sorted siblings. */
function indexFor(nodes: readonly OutlineNode[], node: OutlineNode): number {
	return firstNotBefore(nodes.length, (index) => byPlace(nodes[index]!, node) < 0);
}

function enter<K>(index: Map<K, readonly ChildList[]>, key: K, list: ChildList): void {
	const lists = index.get(key);
	index.set(key, lists === undefined ? list.alone : [...lists, list]);
}

function leave<K>(index: Map<K, readonly ChildList[]>, key: K, list: ChildList): void {
	const left = (index.get(key) ?? []).filter((other) => other !== list);
	if (left.length === 0) index.delete(key);
	else index.set(key, left.length === 1 ? left[0]!.alone : left);
}
