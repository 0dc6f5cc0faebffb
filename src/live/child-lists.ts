import type { OutlineChange } from "../engine/event.js";
import type { OutlineNode } from "../node.js";

/** The visible children of one node. */
interface ChildList {
	/** The node's id; null for the top level. */
	readonly of: string | null;
	/** The true parents of the visible children: the node, and if it is a mirror, its origin. */
	readonly parents: readonly (string | null)[];
	nodes: readonly OutlineNode[];
}

/** The effect of a commit's changes on the lists. */
export interface Effect {
	/** Whether nodes were added, removed or moved. */
	readonly structure: boolean;
	/** Nodes that kept their positions and changed in content, by id: the node before and after. */
	readonly contents: ReadonlyMap<string, readonly [before: OutlineNode, after: OutlineNode]>;
}

/**
 * The visible children of some nodes. The changes of each commit keep them up to date. A list equals the
 * result of {@link "../outline".Outline.list}: the same nodes in the same order.
 */
export class ChildLists {
	readonly #lists = new Map<string | null, ChildList>();
	/** The lists that show the children of a true parent. */
	readonly #byParent = new Map<string | null, Set<ChildList>>();
	/** The lists that contain a node. */
	readonly #byNode = new Map<string, Set<ChildList>>();

	/** Returns the visible children of a node; undefined if they aren't loaded. */
	of(id: string | null): readonly OutlineNode[] | undefined {
		return this.#lists.get(id)?.nodes;
	}

	/** Adds the visible children of a node. */
	add(of: string | null, originId: string | null, nodes: readonly OutlineNode[]): void {
		this.drop(of);
		const list: ChildList = { of, parents: originId === null ? [of] : [of, originId], nodes };
		this.#lists.set(of, list);
		for (const parent of list.parents) enter(this.#byParent, parent, list);
		for (const { id } of nodes) enter(this.#byNode, id, list);
	}

	/** Forgets the children of a node. */
	drop(of: string | null): void {
		const list = this.#lists.get(of);
		if (list === undefined) return;
		this.#lists.delete(of);
		for (const parent of list.parents) leave(this.#byParent, parent, list);
		for (const { id } of list.nodes) leave(this.#byNode, id, list);
	}

	/** Applies the changes of one commit. */
	apply(changes: readonly OutlineChange[]): Effect {
		let structure = false;
		const contents = new Map<string, readonly [OutlineNode, OutlineNode]>();
		for (const { id, after } of changes) {
			if (after === undefined || this.#originChanged(id, after)) {
				structure ||= this.#lists.has(id);
				this.drop(id);
			}
			for (const list of [...(this.#byNode.get(id) ?? [])]) {
				const at = list.nodes.findIndex((node) => node.id === id);
				const before = list.nodes[at]!;
				if (after?.priority === before.priority && list.parents.includes(after.parentId)) {
					list.nodes = list.nodes.with(at, shownIn(list, after));
					contents.set(id, [before, after]);
				} else {
					list.nodes = list.nodes.toSpliced(at, 1);
					leave(this.#byNode, id, list);
					structure = true;
				}
			}
			if (after === undefined) continue;
			for (const list of this.#byParent.get(after.parentId) ?? []) {
				if (this.#byNode.get(id)?.has(list)) continue;
				list.nodes = list.nodes.toSpliced(placeOf(list.nodes, after), 0, shownIn(list, after));
				enter(this.#byNode, id, list);
				structure = true;
			}
		}
		return { structure, contents };
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

/** Returns the index at which a node belongs among sorted siblings. */
function placeOf(nodes: readonly OutlineNode[], { priority, id }: OutlineNode): number {
	let low = 0;
	let high = nodes.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		const node = nodes[middle]!;
		if (node.priority < priority || (node.priority === priority && node.id < id)) low = middle + 1;
		else high = middle;
	}
	return low;
}

function enter<K>(index: Map<K, Set<ChildList>>, key: K, list: ChildList): void {
	const lists = index.get(key);
	if (lists === undefined) index.set(key, new Set([list]));
	else lists.add(list);
}

function leave<K>(index: Map<K, Set<ChildList>>, key: K, list: ChildList): void {
	const lists = index.get(key);
	lists?.delete(list);
	if (lists?.size === 0) index.delete(key);
}
