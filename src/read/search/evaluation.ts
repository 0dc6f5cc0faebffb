import type { Steps } from "../../pace.js";
import { Best } from "./best.js";
import type { DateOfNode } from "./date-index.js";
import { Strengths } from "./integers.js";
import { type Indexes, type Matcher, matcherOf } from "./matcher.js";
import type { Condition, Query } from "./query.js";
import { type GraphNode, shownBy, showsOrigin } from "./search-graph.js";
import type { SequenceSearch } from "./sequence-search.js";
import type { SlotSet } from "./slot-set.js";
import { VisibleBelow } from "./visible-below.js";

/** A node that a query has found. */
export interface Hit {
	readonly id: string;
	/** The quality of the hit, at least 0. Comparable only among the hits of one query. */
	readonly score: number;
	/** With the order `date`: the date by which the hit is placed, if it has one. */
	readonly date?: string;
}

/** The order of hits: by their quality, or by the dates in their texts. */
export type HitOrder = "score" | "date";

/** A condition on words. If it is in the query several times, it is looked up once. */
interface Sought {
	readonly search: SequenceSearch;
	/** The strengths of the matches, by the candidates' indexes. */
	readonly strengths: Strengths;
	/** Whether the strengths are complete. */
	isKnown: boolean;
}

/** A use of a condition in the query: one about words has a search, and any other one a matcher. */
type Term = { readonly condition: Condition } & (
	| { readonly sought: Sought; readonly matcher?: never }
	| { readonly sought?: never; readonly matcher: Matcher }
);

interface Found {
	readonly node: GraphNode;
	readonly score: number;
	readonly date: DateOfNode | undefined;
}

/** The number of nodes examined in a step. */
const stride = 256;

/**
 * Evaluates a query, in which all groups of conditions must hold. It begins with the group that the fewest
 * nodes meet, and checks the other groups for these nodes alone. So its cost depends on the number of nodes
 * it finds, not on the size of the outline. It examines all nodes only if each group has a time of a node, such as
 * `created:`, or a negated condition.
 */
export class Evaluation {
	readonly #indexes: Indexes;
	readonly #findsMirrors: boolean;
	readonly #inNote: boolean;
	readonly #sought = new Map<string, Sought>();
	readonly #groups: readonly (readonly Term[])[];
	/** The possible hits, and the nodes whose content they show. */
	#candidates: SlotSet;
	/** The sets in use. */
	readonly #sets: SlotSet[] = [];

	constructor(indexes: Indexes, { groups, scope }: Query) {
		this.#indexes = indexes;
		this.#findsMirrors = groups.some((group) => group.some(asksForMirrors));
		this.#inNote = scope === "note";
		this.#groups = groups.map((group) => group.map((condition) => this.#termOf(condition)));
		this.#candidates = this.#newSet();
	}

	/**
	 * Returns the first hits in an order. To be called once.
	 *
	 * @param root - the search finds only this node and the nodes visible below it; undefined for all nodes
	 */
	*hits(root: GraphNode | undefined, limit: number, order: HitOrder): Steps<Hit[]> {
		const isVisible = yield* this.#gather(root);
		yield* this.#lookUpWords();
		const hits = yield* this.#best(isVisible, limit, order);
		for (const set of this.#sets) this.#indexes.sets.release(set);
		return hits;
	}

	#newSet(): SlotSet {
		const set = this.#indexes.sets.take(this.#indexes.words.slots);
		this.#sets.push(set);
		return set;
	}

	#termOf(condition: Condition): Term {
		if (condition.type !== "words") {
			return { condition, matcher: matcherOf(condition, this.#indexes, this.#inNote) };
		}
		const key = `${condition.lastIsPrefix} ${condition.words.join(" ")}`;
		let sought = this.#sought.get(key);
		if (sought === undefined) {
			const search = this.#indexes.words.search(condition, this.#inNote);
			sought = { search, strengths: new Strengths(), isKnown: false };
			this.#sought.set(key, sought);
		}
		return { condition, sought };
	}

	/** Collects the candidates. Returns a function that tests whether the search range has a candidate. */
	*#gather(root: GraphNode | undefined): Steps<(node: GraphNode) => boolean> {
		const { graph, words } = this.#indexes;
		const { group, cost } = yield* this.#rarestGroup();
		const below = root && new VisibleBelow(graph, (slot) => words.node(slot)!, root, this.#newSet());
		if (below !== undefined && (yield* below.isWithin(cost))) {
			this.#candidates = below.marked;
			return () => true;
		}
		if (group === undefined) {
			for (let slot = 0; slot < words.slots; slot++) {
				if (words.node(slot) !== undefined) this.#candidates.add(slot);
				if (slot % stride === 0) yield;
			}
			return () => true;
		}
		for (const term of group) yield* this.#gatherBy(term);
		if (this.#findsMirrors) yield* this.#gatherMirrors();
		return below === undefined ? () => true : yield* below.among(this.#candidates.slots);
	}

	/**
	 * Returns the group that the fewest nodes meet, and the number of nodes to examine for it. If every group
	 * may hold for all nodes, it returns no group.
	 */
	*#rarestGroup(): Steps<{ readonly group?: readonly Term[]; readonly cost: number }> {
		const candidates = this.#groups
			.filter((group) => group.every(({ condition, matcher }) => !condition.negated && matcher?.size !== Infinity))
			.map((group) => ({ group, floor: group.reduce((sum, term) => sum + floorOf(term), 0) }))
			.sort((left, right) => left.floor - right.floor);
		let rarest: { group?: readonly Term[]; cost: number } = { cost: Number.POSITIVE_INFINITY };
		for (const { group, floor } of candidates) {
			if (floor >= rarest.cost) break;
			let cost = 0;
			for (const term of group) {
				cost += term.sought === undefined ? term.matcher.size : yield* term.sought.search.cost(rarest.cost);
			}
			if (cost < rarest.cost) rarest = { group, cost };
		}
		return rarest;
	}

	/** Adds the nodes that meet a term by their own content to the candidates. */
	*#gatherBy({ sought, matcher }: Term): Steps<void> {
		const { words } = this.#indexes;
		if (sought === undefined) {
			let steps = 0;
			for (const { slot } of matcher.nodes()) {
				this.#candidates.add(slot);
				if (++steps % stride === 0) yield;
			}
		} else if (!sought.isKnown) {
			yield* sought.search.everywhere((slot, strength) => {
				if (words.node(slot) !== undefined) sought.strengths.raise(this.#candidates.add(slot), strength);
			});
			sought.isKnown = true;
		}
	}

	/** Adds the mirrors of the candidates, and the origins of the candidates that are mirrors. */
	*#gatherMirrors(): Steps<void> {
		const { graph, words } = this.#indexes;
		let steps = 0;
		for (let index = 0; index < this.#candidates.length; index++) {
			const node = words.node(this.#candidates.slots.values[index]!)!;
			if (showsOrigin(node)) this.#candidates.add(node.origin.slot);
			for (const { slot } of graph.mirrorsOf(node)) {
				this.#candidates.add(slot);
				if (++steps % stride === 0) yield;
			}
			if (++steps % stride === 0) yield;
		}
	}

	/**
	 * Computes the strengths of the candidates. It reads the occurrences of the words, or the candidates'
	 * texts if these are shorter.
	 */
	*#lookUpWords(): Steps<void> {
		const { words } = this.#indexes;
		const candidates = this.#candidates;
		const unknown = [...this.#sought.values()].filter(({ isKnown }) => !isKnown);
		if (unknown.length === 0) return;
		let length = 0;
		for (let index = 0; index < candidates.length; index++) {
			length += words.length(candidates.slots.values[index]!);
			if (index % stride === stride - 1) yield;
		}
		for (const { search, strengths } of unknown) {
			const visit = (slot: number, strength: number) => {
				const index = candidates.indexOf(slot);
				if (index !== -1) strengths.raise(index, strength);
			};
			if ((yield* search.cost(length)) <= length) yield* search.everywhere(visit);
			else yield* search.among(candidates.slots, visit);
		}
	}

	*#best(isVisible: (node: GraphNode) => boolean, limit: number, order: HitOrder): Steps<Hit[]> {
		const { words } = this.#indexes;
		const dateOf = order === "date" ? this.#firstDate() : () => undefined;
		const best = new Best<Found>(limit, order === "date" ? byDate : byScore);
		const { slots } = this.#candidates;
		for (let index = 0; index < slots.length; index++) {
			if (index % stride === stride - 1) yield;
			const node = words.node(slots.values[index]!)!;
			if ((showsOrigin(node) && !this.#findsMirrors) || !isVisible(node)) continue;
			const score = this.#score(node, index);
			if (score !== undefined) best.add({ node, score, date: dateOf(node) });
		}
		return best.inOrder().map(({ node: { id }, score, date }) => {
			return date === undefined ? { id, score } : { id, score, date: date.date };
		});
	}

	/** Returns a function that finds the date by which a hit is placed. */
	#firstDate(): (node: GraphNode) => DateOfNode | undefined {
		const meant = this.#groups.flat().flatMap(({ condition }) => {
			return condition.type === "dated" && !condition.negated ? [condition] : [];
		});
		return (node) => this.#indexes.dates.first(shownBy(node), meant);
	}

	/** Returns the score of the candidate at an index; undefined if it isn't a hit. */
	#score(node: GraphNode, ownIndex: number): number | undefined {
		const shown = shownBy(node);
		const index = shown === node ? ownIndex : this.#candidates.indexOf(shown.slot);
		let score = 0;
		for (const group of this.#groups) {
			let holds = false;
			for (const { condition, sought, matcher } of group) {
				if (sought === undefined) {
					if (matcher.meets(node, shown) !== condition.negated) holds = true;
					continue;
				}
				const strength = sought.strengths.at(index);
				if (strength > 0 === condition.negated) continue;
				holds = true;
				score += sought.search.score(shown.slot, strength);
			}
			if (!holds) return undefined;
		}
		return score;
	}
}

/** Returns a lower bound of the number of nodes to examine for a term. Exact except for words. */
function floorOf({ sought, matcher }: Term): number {
	return sought === undefined ? matcher.size : sought.search.floor;
}

function asksForMirrors(condition: Condition): boolean {
	return condition.type === "state" && condition.state === "mirror" && !condition.negated;
}

function byScore(left: Found, right: Found): number {
	return (
		right.score - left.score ||
		shownBy(right.node).modifiedAt - shownBy(left.node).modifiedAt ||
		compareTexts(left.node.id, right.node.id)
	);
}

/** Compares by time. What has no date comes last. */
function byDate(left: Found, right: Found): number {
	return (left.date?.moment ?? Number.MAX_VALUE) - (right.date?.moment ?? Number.MAX_VALUE) || byScore(left, right);
}

/** Compares texts by their UTF-16 code units. */
export function compareTexts(left: string, right: string): number {
	return left < right ? -1 : left > right ? 1 : 0;
}
