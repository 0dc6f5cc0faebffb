import type { Steps } from "../pace.js";
import type { JsonValue } from "../properties.js";
import { Best } from "./best.js";
import type { Holders } from "./holders.js";
import { Strengths } from "./integers.js";
import { findsValue } from "./property-query.js";
import type { Condition, Query } from "./query.js";
import { type GraphNode, type SearchGraph, shownBy, showsOrigin } from "./search-graph.js";
import type { TagUse } from "./searchable.js";
import type { SequenceSearch } from "./sequence-search.js";
import type { SlotSet, SlotSets } from "./slot-set.js";
import { VisibleBelow } from "./visible-below.js";
import type { WordIndex } from "./word-index.js";

/** A node that a query has found. */
export interface Hit {
	readonly id: string;
	/** The quality of the hit, at least 0. Comparable only among the hits of one query. */
	readonly score: number;
}

/** The indexes for evaluating a query. They must not change meanwhile. */
export interface Indexes {
	readonly graph: SearchGraph;
	readonly words: WordIndex<GraphNode>;
	readonly tags: Holders<GraphNode, TagUse>;
	/** The nodes that link to a node, by its short id. */
	readonly links: Holders<GraphNode, true>;
	readonly properties: Holders<GraphNode, readonly JsonValue[]>;
	readonly sets: SlotSets;
}

/** A condition on words. If it is in the query several times, it is looked up once. */
interface Sought {
	readonly search: SequenceSearch;
	/** The strengths of the matches, by the candidates' indexes. */
	readonly strengths: Strengths;
	/** Whether the strengths are complete. */
	isKnown: boolean;
}

/** A use of a condition in the query. */
interface Term {
	readonly condition: Condition;
	/** Undefined if the condition isn't about words. */
	readonly sought: Sought | undefined;
	/** The nodes with each tag that the condition is about; none for any other condition. */
	readonly bearers: readonly ReadonlyMap<GraphNode, TagUse>[];
}

/** The number of nodes examined in a step. */
const stride = 256;

/**
 * Evaluates a query, in which all groups of conditions must hold. It begins with the group that the fewest
 * nodes meet, and checks the other groups for these nodes alone. So its cost depends on the number of nodes
 * it finds, not on the size of the outline. It examines all nodes only if each group has a date or a negated
 * condition.
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
	 * Returns the best hits, the best first. To be called once.
	 *
	 * @param root - the search finds only this node and the nodes visible below it; undefined for all nodes
	 */
	*hits(root: GraphNode | undefined, limit: number): Steps<Hit[]> {
		const isVisible = yield* this.#gather(root);
		yield* this.#lookUpWords();
		const hits = yield* this.#best(isVisible, limit);
		for (const set of this.#sets) this.#indexes.sets.release(set);
		return hits;
	}

	#newSet(): SlotSet {
		const set = this.#indexes.sets.take(this.#indexes.words.slots);
		this.#sets.push(set);
		return set;
	}

	#termOf(condition: Condition): Term {
		const { tags } = this.#indexes;
		const bearers = condition.type === "tag" ? [...tags.where((tag) => isMeant(condition, tag))] : [];
		if (condition.type !== "words") return { condition, sought: undefined, bearers };
		const key = `${condition.lastIsPrefix} ${condition.words.join(" ")}`;
		let sought = this.#sought.get(key);
		if (sought === undefined) {
			const search = this.#indexes.words.search(condition, this.#inNote);
			sought = { search, strengths: new Strengths(), isKnown: false };
			this.#sought.set(key, sought);
		}
		return { condition, sought, bearers };
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
			.filter((group) => group.every(({ condition }) => !condition.negated && condition.type !== "date"))
			.map((group) => ({ group, floor: group.reduce((sum, term) => sum + this.#floor(term), 0) }))
			.sort((left, right) => left.floor - right.floor);
		let rarest: { group?: readonly Term[]; cost: number } = { cost: Number.POSITIVE_INFINITY };
		for (const { group, floor } of candidates) {
			if (floor >= rarest.cost) break;
			let cost = 0;
			for (const term of group) {
				cost += term.sought === undefined ? this.#floor(term) : yield* term.sought.search.cost(rarest.cost);
			}
			if (cost < rarest.cost) rarest = { group, cost };
		}
		return rarest;
	}

	/** Returns a lower bound of the number of nodes to examine for a term. Exact except for words. */
	#floor({ condition, sought, bearers }: Term): number {
		if (sought !== undefined) return sought.search.floor;
		const { graph, links, properties } = this.#indexes;
		if (condition.type === "tag") return bearers.reduce((sum, { size }) => sum + size, 0);
		if (condition.type === "link") return links.of(condition.shortId).size;
		if (condition.type === "property") return properties.of(condition.key).size;
		if (condition.type !== "state") return Number.POSITIVE_INFINITY;
		if (condition.state === "mirror") return graph.mirrorCount;
		return condition.state === "mirrored" ? graph.mirroredCount : graph.listed[condition.state].length;
	}

	/** Adds the nodes that meet a term by their own content to the candidates. */
	*#gatherBy({ condition, sought, bearers }: Term): Steps<void> {
		const { words } = this.#indexes;
		if (sought === undefined) {
			let steps = 0;
			for (const { slot } of this.#nodesWith(condition, bearers)) {
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

	#nodesWith(condition: Condition, bearers: Term["bearers"]): Iterable<GraphNode> {
		const { graph, links, properties } = this.#indexes;
		if (condition.type === "tag") return keysOf(bearers);
		if (condition.type === "link") return links.of(condition.shortId).keys();
		if (condition.type === "property") return properties.of(condition.key).keys();
		if (condition.type !== "state") return [];
		if (condition.state === "mirror") return graph.mirrors();
		return condition.state === "mirrored" ? graph.mirrored() : graph.listed[condition.state];
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

	*#best(isVisible: (node: GraphNode) => boolean, limit: number): Steps<Hit[]> {
		const { words } = this.#indexes;
		const best = new Best<{ node: GraphNode; score: number }>(
			limit,
			(left, right) =>
				right.score - left.score ||
				shownBy(right.node).modifiedAt - shownBy(left.node).modifiedAt ||
				compare(left.node.id, right.node.id),
		);
		const { slots } = this.#candidates;
		for (let index = 0; index < slots.length; index++) {
			if (index % stride === stride - 1) yield;
			const node = words.node(slots.values[index]!)!;
			if ((showsOrigin(node) && !this.#findsMirrors) || !isVisible(node)) continue;
			const score = this.#score(node, index);
			if (score !== undefined) best.add({ node, score });
		}
		return best.inOrder().map(({ node, score }) => ({ id: node.id, score }));
	}

	/** Returns the score of the candidate at an index; undefined if it isn't a hit. */
	#score(node: GraphNode, ownIndex: number): number | undefined {
		const shown = shownBy(node);
		const index = shown === node ? ownIndex : this.#candidates.indexOf(shown.slot);
		let score = 0;
		for (const group of this.#groups) {
			let holds = false;
			for (const { condition, sought, bearers } of group) {
				if (sought === undefined) {
					if (this.#meets(node, shown, condition, bearers) !== condition.negated) holds = true;
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

	/** Whether a node meets a condition that isn't about words. Ignores `negated`. */
	#meets(node: GraphNode, shown: GraphNode, condition: Condition, bearers: Term["bearers"]): boolean {
		const { graph, links, properties } = this.#indexes;
		switch (condition.type) {
			case "tag":
				return bearers.some((nodes) => {
					const use = nodes.get(shown);
					return use !== undefined && (use.inNote || !this.#inNote);
				});
			case "link":
				return links.of(condition.shortId).has(shown);
			case "property": {
				const { value } = condition;
				const values = properties.of(condition.key).get(shown);
				return values?.some((each) => value === undefined || findsValue(value, each)) ?? false;
			}
			case "date": {
				const moment = condition.field === "createdAt" ? node.createdAt : shown[condition.field];
				return moment !== null && moment >= condition.from && moment < condition.before;
			}
			case "state":
				if (condition.state === "mirror") return node.origin !== null;
				if (condition.state === "mirrored") return graph.mirrorsOf(shown).size > 0;
				return graph.listed[condition.state].has(shown);
			default:
				return false;
		}
	}
}

/** Whether a condition is about a tag, in its folded form. */
function isMeant({ tag, isPrefix }: Condition & { type: "tag" }, other: string): boolean {
	return other.startsWith(tag) && (isPrefix || other.length === tag.length || other[tag.length] === "/");
}

function* keysOf<Key>(maps: readonly ReadonlyMap<Key, unknown>[]): Generator<Key, undefined, undefined> {
	for (const map of maps) yield* map.keys();
}

function asksForMirrors(condition: Condition): boolean {
	return condition.type === "state" && condition.state === "mirror" && !condition.negated;
}

function compare(left: string, right: string): number {
	return left < right ? -1 : left > right ? 1 : 0;
}
