import type { NodeRecord } from "../../storage.js";
import type { Content } from "./searchable.js";
import { hashOf, SplitMap } from "./split-map.js";
import type { Indexed } from "./word-index.js";

const none: ReadonlySet<GraphNode> = new Set();

/** A node of the search: its relations to other nodes, and the fields that queries filter by. */
export interface GraphNode extends Indexed {
	readonly id: string;
	/** Whether the node exists. Otherwise, other nodes only name it as their parent or origin. */
	present: boolean;
	parent: GraphNode | null;
	/** The first child. The children form a linked list in no order. */
	firstChild: GraphNode | null;
	nextSibling: GraphNode | null;
	previousSibling: GraphNode | null;
	/** For a mirror, its origin, present or not. */
	origin: GraphNode | null;
	/** The states of the node, and the lists with it: bits that {@link NodeList} sets. */
	states: number;
	/** Whether its text and properties were only words, each time that they were read. */
	isPlain: boolean;
	/** Unix seconds, as are the two fields below. */
	createdAt: number;
	modifiedAt: number;
	completedAt: number | null;
}

/** A state whose nodes are in a list. */
export type ListedState = "todo" | "completed" | "note" | "link" | "date";

/** Whether a node is a mirror that shows the content of its origin. */
export function showsOrigin(node: GraphNode): node is GraphNode & { origin: GraphNode } {
	return node.origin?.present === true;
}

/** Returns the node whose content a node shows: its origin, or itself. */
export function shownBy(node: GraphNode): GraphNode {
	return showsOrigin(node) ? node.origin : node;
}

/** The parents and mirrors of all nodes. Nodes may be added in any order. */
export class SearchGraph {
	/**
	 * The nodes whose own records are todos, are completed or have a note. The caller keeps the lists of the nodes
	 * with a link and with a date.
	 */
	readonly listed: { readonly [state in ListedState]: NodeList } = {
		todo: new NodeList(0),
		completed: new NodeList(1),
		note: new NodeList(2),
		link: new NodeList(3),
		date: new NodeList(4),
	};
	readonly #nodes = new SplitMap<string, GraphNode>(hashOf);
	readonly #mirrors = new Map<GraphNode, Set<GraphNode>>();
	readonly #ownContents = new Map<GraphNode, Content>();
	#mirrorCount = 0;

	/** The number of mirrors, including mirrors whose origin is missing. */
	get mirrorCount(): number {
		return this.#mirrorCount;
	}

	/** Returns the node with an id, if it exists. */
	find(id: string): GraphNode | undefined {
		const node = this.#nodes.get(id);
		return node?.present ? node : undefined;
	}

	/** Returns the mirrors of a node. */
	mirrorsOf(node: GraphNode): ReadonlySet<GraphNode> {
		return this.#mirrors.get(node) ?? none;
	}

	/**
	 * Returns the content of a mirror's own record, which it shows while its origin is missing. Undefined for
	 * a node that isn't a mirror.
	 */
	ownContentOf(node: GraphNode): Content | undefined {
		return this.#ownContents.get(node);
	}

	/** The number of nodes that have mirrors, and of missing origins. */
	get mirroredCount(): number {
		return this.#mirrors.size;
	}

	/** Yields the nodes that have mirrors. */
	*mirrored(): Generator<GraphNode, undefined, undefined> {
		for (const node of this.#mirrors.keys()) if (node.present) yield node;
	}

	/** Yields all mirrors, including mirrors whose origin is missing. */
	*mirrors(): Generator<GraphNode, undefined, undefined> {
		for (const mirrors of this.#mirrors.values()) yield* mirrors;
	}

	/** Adds a record, or replaces an earlier version of it. */
	put(record: NodeRecord): GraphNode {
		const node = this.#named(record.id);
		node.present = true;
		this.#setParent(node, record.parentId === null ? null : this.#named(record.parentId));
		this.#setOrigin(node, record.originId === null ? null : this.#named(record.originId));
		const { name, note, layoutMode, properties } = record;
		if (record.originId === null) this.#ownContents.delete(node);
		else this.#ownContents.set(node, { name, note, layoutMode, properties });
		this.listed.todo.set(node, layoutMode === "todo");
		this.listed.completed.set(node, record.completedAt !== null);
		this.listed.note.set(node, note !== null && note !== "");
		node.createdAt = record.createdAt;
		node.modifiedAt = record.modifiedAt;
		node.completedAt = record.completedAt;
		return node;
	}

	/** Removes a node. Its children and its mirrors stay. */
	remove(node: GraphNode): void {
		node.present = false;
		this.#ownContents.delete(node);
		for (const list of Object.values(this.listed)) list.set(node, false);
		this.#setParent(node, null);
		this.#setOrigin(node, null);
		this.#dropIfUnnamed(node);
	}

	/** Returns the node with an id, present or not. */
	#named(id: string): GraphNode {
		const known = this.#nodes.get(id);
		if (known !== undefined) return known;
		const node: GraphNode = {
			slot: -1,
			id,
			present: false,
			parent: null,
			firstChild: null,
			nextSibling: null,
			previousSibling: null,
			origin: null,
			states: 0,
			isPlain: true,
			createdAt: 0,
			modifiedAt: 0,
			completedAt: null,
		};
		this.#nodes.set(id, node);
		return node;
	}

	#setParent(node: GraphNode, parent: GraphNode | null): void {
		const former = node.parent;
		if (former === parent) return;
		const { nextSibling, previousSibling } = node;
		if (nextSibling !== null) nextSibling.previousSibling = previousSibling;
		if (previousSibling !== null) previousSibling.nextSibling = nextSibling;
		else if (former !== null) former.firstChild = nextSibling;
		node.parent = parent;
		node.previousSibling = null;
		node.nextSibling = parent?.firstChild ?? null;
		if (node.nextSibling !== null) node.nextSibling.previousSibling = node;
		if (parent !== null) parent.firstChild = node;
		if (former !== null) this.#dropIfUnnamed(former);
	}

	#setOrigin(node: GraphNode, origin: GraphNode | null): void {
		const former = node.origin;
		if (former === origin) return;
		node.origin = origin;
		if (former !== null) {
			this.#mirrorCount -= 1;
			const mirrors = this.#mirrors.get(former);
			mirrors?.delete(node);
			if (mirrors?.size === 0) this.#mirrors.delete(former);
			this.#dropIfUnnamed(former);
		}
		if (origin === null) return;
		this.#mirrorCount += 1;
		const mirrors = this.#mirrors.get(origin);
		if (mirrors === undefined) this.#mirrors.set(origin, new Set([node]));
		else mirrors.add(node);
	}

	#dropIfUnnamed(node: GraphNode): void {
		if (!node.present && node.firstChild === null && !this.#mirrors.has(node)) this.#nodes.delete(node.id);
	}
}

/**
 * The nodes in a state, in no order. A node that leaves the state stays in the list until such nodes are the most, so
 * that no node needs its index: with a million nodes, each field of a node takes 8 MB.
 */
class NodeList {
	readonly #isInState: number;
	readonly #isListed: number;
	#nodes: GraphNode[] = [];
	#length = 0;

	/** @param state - the number of the state, from 0 to 14 */
	constructor(state: number) {
		this.#isInState = 1 << state;
		this.#isListed = 1 << (state + 15);
	}

	get length(): number {
		return this.#length;
	}

	has(node: GraphNode): boolean {
		return (node.states & this.#isInState) !== 0;
	}

	/** Adds or removes a node. */
	set(node: GraphNode, isIn: boolean): void {
		if (this.has(node) === isIn) return;
		node.states ^= this.#isInState;
		if (!isIn) {
			this.#length -= 1;
			if (this.#nodes.length > 2 * this.#length + 1000) this.#compact();
			return;
		}
		this.#length += 1;
		if ((node.states & this.#isListed) !== 0) return;
		node.states |= this.#isListed;
		this.#nodes.push(node);
	}

	[Symbol.iterator](): Iterator<GraphNode> {
		const isExact = this.#nodes.length === this.#length;
		return isExact ? this.#nodes[Symbol.iterator]() : this.#current();
	}

	*#current(): Generator<GraphNode, undefined, undefined> {
		for (const node of this.#nodes) if (this.has(node)) yield node;
	}

	#compact(): void {
		for (const node of this.#nodes) if (!this.has(node)) node.states &= ~this.#isListed;
		this.#nodes = this.#nodes.filter((node) => this.has(node));
	}
}
