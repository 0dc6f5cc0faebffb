import type { Steps } from "../../pace.js";
import { type GraphNode, type SearchGraph, showsOrigin } from "./search-graph.js";
import type { SlotSet } from "./slot-set.js";

/** The number of nodes examined in a step. */
const stride = 256;

/**
 * A node and the nodes that are visible below it. Below a mirror, the nodes below its origin are visible too.
 * Spec §2.2.
 *
 * To test whether some nodes are visible, it descends from the root and ascends from these nodes in turns. So
 * the test costs at most twice the shorter way.
 */
export class VisibleBelow {
	readonly #graph: SearchGraph;
	readonly #nodeAt: (slot: number) => GraphNode;
	readonly #root: GraphNode;
	readonly #descent: Steps<void>;
	/** The nodes found so far. */
	readonly marked: SlotSet;

	/** @param marked - an empty set */
	constructor(graph: SearchGraph, nodeAt: (slot: number) => GraphNode, root: GraphNode, marked: SlotSet) {
		this.#graph = graph;
		this.#nodeAt = nodeAt;
		this.#root = root;
		this.marked = marked;
		this.#descent = this.#descend();
	}

	/** Marks visible nodes up to a limit, and returns whether all of them are marked. */
	*isWithin(limit: number): Steps<boolean> {
		while (this.marked.length <= limit) {
			if (this.#descent.next().done) return true;
			yield;
		}
		return false;
	}

	/** Returns a function that tests whether one of these nodes is visible. */
	*among(slots: SlotSet["slots"]): Steps<(node: GraphNode) => boolean> {
		const ascent = this.#ascend(slots);
		for (;;) {
			if (this.#descent.next().done) return ({ slot }) => this.marked.indexOf(slot) !== -1;
			const step = ascent.next();
			if (step.done) return (node) => step.value.has(node);
			yield;
		}
	}

	*#descend(): Steps<void> {
		const { slots } = this.marked;
		this.marked.add(this.#root.slot);
		let steps = 0;
		for (let index = 0; index < slots.length; index++) {
			const node = this.#nodeAt(slots.values[index]!);
			if (showsOrigin(node)) this.marked.add(node.origin.slot);
			for (let child = node.firstChild; child !== null; child = child.nextSibling) {
				this.marked.add(child.slot);
				if (++steps % stride === 0) yield;
			}
			if (++steps % stride === 0) yield;
		}
	}

	/** Ascends from nodes, through mirrors too. Then descends from the root along the same ways. */
	*#ascend(slots: SlotSet["slots"]): Steps<ReadonlySet<GraphNode>> {
		/** The nodes reached, each with the reached nodes that are visible directly below it. */
		const ways = new Map<GraphNode, GraphNode[]>();
		const reached: GraphNode[] = [];
		const reach = (node: GraphNode): GraphNode[] => {
			const known = ways.get(node);
			if (known !== undefined) return known;
			const below: GraphNode[] = [];
			ways.set(node, below);
			reached.push(node);
			return below;
		};
		let steps = 0;
		for (let index = 0; index < slots.length; index++) {
			reach(this.#nodeAt(slots.values[index]!));
			if (++steps % stride === 0) yield;
		}
		for (let index = 0; index < reached.length; index++) {
			const node = reached[index]!;
			if (node.parent !== null) reach(node.parent).push(node);
			for (const mirror of this.#graph.mirrorsOf(node)) {
				if (showsOrigin(mirror)) reach(mirror).push(node);
				if (++steps % stride === 0) yield;
			}
			if (++steps % stride === 0) yield;
		}
		const visible = new Set(ways.has(this.#root) ? [this.#root] : []);
		for (const node of visible) {
			for (const below of ways.get(node)!) {
				visible.add(below);
				if (++steps % stride === 0) yield;
			}
		}
		return visible;
	}
}
