import type { GraphNode } from "./search-graph.js";

/** Nodes in no order. Each knows its place in the list, so that it is put in and taken out at once. */
export class NodeList {
	readonly #place: "todoPlace" | "completedPlace";
	readonly #nodes: GraphNode[] = [];

	/** @param place - the field in which a node knows its place; -1 where it isn't in the list */
	constructor(place: "todoPlace" | "completedPlace") {
		this.#place = place;
	}

	get length(): number {
		return this.#nodes.length;
	}

	has(node: GraphNode): boolean {
		return node[this.#place] !== -1;
	}

	/** Puts a node in or takes it out. */
	set(node: GraphNode, isIn: boolean): void {
		if (this.has(node) === isIn) return;
		if (isIn) {
			node[this.#place] = this.#nodes.push(node) - 1;
			return;
		}
		const last = this.#nodes.pop()!;
		if (last !== node) {
			this.#nodes[node[this.#place]] = last;
			last[this.#place] = node[this.#place];
		}
		node[this.#place] = -1;
	}

	[Symbol.iterator](): Iterator<GraphNode> {
		return this.#nodes[Symbol.iterator]();
	}
}
