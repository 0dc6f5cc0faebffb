import type { OutlineNode } from "../node.js";
import { type ChildLists, originOf } from "./child-lists.js";
import { keepsBelow, type Row } from "./row.js";

/** The children of a node that have rows, or would have rows if nothing hid them. */
export type Children = readonly OutlineNode[];

/** The part of a row that its ancestors determine. */
export type RowPlace = Pick<Row, "key" | "depth" | "parentKey" | "recurring">;

/** Determines from the loaded children which nodes have rows, and whether their children follow them. */
export class Unfolding {
	/** Whether the rows omit a node and its subtree. */
	hides: (node: OutlineNode) => boolean;
	readonly #lists: ChildLists;
	readonly #expanded: ReadonlySet<string>;

	constructor(lists: ChildLists, expanded: ReadonlySet<string>, hides: (node: OutlineNode) => boolean) {
		this.#lists = lists;
		this.#expanded = expanded;
		this.hides = hides;
	}

	/** Returns a node's row at a place. */
	rowOf(node: OutlineNode, { key, depth, parentKey, recurring }: RowPlace, children: Children | undefined): Row {
		const hasChildren = children?.some((child) => !this.hides(child));
		const expanded = hasChildren === true && this.unfolds(node, recurring);
		return { key, node, depth, parentKey, hasChildren, expanded, recurring };
	}

	/** Whether a node's children follow it, if it has any. */
	unfolds(node: OutlineNode, recurring: boolean): boolean {
		// A node that is already shown by an ancestor isn't expanded again.
		return this.#expanded.has(node.id) && !(recurring && originOf(node) === null);
	}

	/** Returns a node's children if they are loaded. For a recurring mirror, only the nodes moved into it. */
	childrenOf(node: OutlineNode, recurring: boolean): Children | undefined {
		const originId = recurring ? originOf(node) : null;
		if (originId === null) return this.#lists.of(node.id);
		if (this.unknownOf(node, recurring).length > 0) return undefined;
		const shared = new Set(this.#lists.of(originId)!.map(({ id }) => id));
		return this.#lists.of(node.id)!.filter(({ id }) => !shared.has(id));
	}

	/** Returns the ids of the nodes whose children must be loaded to make the rows below this row. */
	unknownOf(node: OutlineNode, recurring: boolean): string[] {
		const originId = recurring ? originOf(node) : null;
		const wanted = originId === null ? [node.id] : [node.id, originId];
		return wanted.filter((id) => this.#lists.of(id) === undefined);
	}

	/**
	 * Compares children: how many at both ends keep the rows below them, and which of these have changed
	 * themselves.
	 */
	compare(before: Children, now: Children): { start: number; tail: number; restated: Children } {
		const restated: OutlineNode[] = [];
		const stays = (from: OutlineNode, to: OutlineNode) => {
			if (!keepsBelow(from, to) || this.hides(from) !== this.hides(to)) return false;
			restated.push(to);
			return true;
		};
		const shorter = Math.min(before.length, now.length);
		let start = 0;
		for (; start < shorter; start++) {
			const [from, to] = [before[start]!, now[start]!];
			if (from !== to && !stays(from, to)) break;
		}
		let tail = 0;
		for (; tail < shorter - start; tail++) {
			const [from, to] = [before[before.length - 1 - tail]!, now[now.length - 1 - tail]!];
			if (from !== to && !stays(from, to)) break;
		}
		return { start, tail, restated };
	}
}

/** Returns the ids of the nodes on whose children a row depends, other than the id that is its key. */
export function dependencies({ key, node, recurring }: Row): readonly string[] {
	const originId = recurring ? originOf(node) : null;
	const own = key === node.id ? none : [node.id];
	return originId === null ? own : [...own, originId];
}

const none: readonly never[] = [];
