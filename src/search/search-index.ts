import { OutlineError, quoted } from "../errors.js";
import { isShortId } from "../id.js";
import type { NodeRecord } from "../storage.js";
import { AddressReader } from "./address.js";
import { Best } from "./best.js";
import { fold } from "./fold.js";
import { Holders } from "./holders.js";
import { type GraphNode, NodeGraph, shownBy, showsOrigin } from "./node-graph.js";
import type { Condition, Query } from "./query.js";
import { type Content, nothing, searchable, type TagUse } from "./searchable.js";
import { isTag } from "./tokens.js";
import { WordIndex } from "./word-index.js";

/** What a search index is made with. */
export interface SearchIndexOptions {
	/** Where the host shows the outline, without trailing slashes: what makes an address of a node. Default: there are none. */
	readonly appUrl?: string | undefined;
}

/** Where a search looks, and for how much. */
export interface SearchOptions {
	/** The id of a node: only what is visible below it is found, and the node itself. Default: everything. */
	readonly within?: string | undefined;
	/** The most hits, at least 1. */
	readonly limit: number;
}

/** A node that a query has found. */
export interface Hit {
	readonly id: string;
	/** How well it answers the query, at least 0; to be compared among the hits of one query only. */
	readonly score: number;
}

/** A tag of the outline. */
export interface TagCount {
	/** As it is written in the node that was created first (then: with the lowest id) of those that bear it. */
	readonly tag: string;
	/** How many nodes bear it. */
	readonly count: number;
}

/**
 * What is searched, kept in memory. It is told of every record once, and then of each that is written and each that is
 * deleted, in any order; what it answers depends only on the records that there are. It keeps no texts but those of mirrors,
 * only their words.
 *
 * A mirror has no content of its own: its origin is found in its stead. While its origin isn't there, it shows its own row
 * and is found by that.
 */
export class SearchIndex {
	readonly #addresses: AddressReader;
	readonly #graph = new NodeGraph();
	readonly #words = new WordIndex<GraphNode>();
	readonly #tags = new Holders<GraphNode, TagUse>();
	readonly #links = new Holders<GraphNode, true>();

	constructor(options: SearchIndexOptions = {}) {
		this.#addresses = new AddressReader(options.appUrl);
	}

	/** Takes a record in, in the place of an earlier version of it. In time linear in its texts, on average. */
	put(record: NodeRecord): void {
		const isNew = this.#graph.find(record.id) === undefined;
		const node = this.#graph.put(record);
		this.#setContent(node, showsOrigin(node) ? null : record);
		if (isNew) for (const mirror of this.#graph.mirrorsOf(node)) this.#setContent(mirror, null);
	}

	/** Forgets a record. An unknown id is fine. */
	remove(id: string): void {
		const node = this.#graph.find(id);
		if (node === undefined) return;
		this.#setContent(node, null);
		this.#words.remove(node);
		const mirrors = [...this.#graph.mirrorsOf(node)];
		this.#graph.remove(node);
		for (const mirror of mirrors) this.#setContent(mirror, mirror.ownContent);
	}

	/**
	 * The nodes that a query finds, the best first: by score, then the most recently modified, then by id. Only words and
	 * phrases score, each that a node answers: whole words before beginnings of words, then names before notes, then short
	 * texts before long ones.
	 *
	 * A mirror is a hit only where the query has `is:mirror`; it then answers by the content of its origin.
	 *
	 * @throws `not_found` for an unknown node to search within, `invalid_argument` for a wrong limit
	 */
	search(query: Query, { within, limit }: SearchOptions): Hit[] {
		if (!Number.isSafeInteger(limit) || limit < 1) {
			throw new OutlineError("invalid_argument", `limit is ${quoted(limit)}. It must be a positive integer.`);
		}
		const findsMirrors = query.groups.some((group) => group.some(asksForMirrors));
		const eligible = this.#eligible(within, findsMirrors);
		const scores = new Float64Array(eligible.length);
		const answers = new Float64Array(eligible.length);
		const holds = new Uint8Array(eligible.length);
		for (const group of query.groups) {
			holds.fill(0);
			for (const condition of group) {
				answers.fill(0);
				this.#answer(condition, query, eligible, answers);
				if (findsMirrors) this.#letMirrorsAnswer(condition, answers);
				for (let slot = 0; slot < eligible.length; slot++) {
					const answer = answers[slot]!;
					if (answer > 0 === condition.negated) continue;
					holds[slot] = 1;
					if (condition.type === "words") scores[slot]! += answer;
				}
			}
			for (let slot = 0; slot < eligible.length; slot++) eligible[slot]! &= holds[slot]!;
		}
		return this.#hits(eligible, scores, limit);
	}

	/** The tags of the outline, the most frequent first, then by their folded form. In time linear in their uses. */
	tags(): TagCount[] {
		const found = Array.from(this.#tags.entries(), ([folded, holders]) => {
			let first: GraphNode | undefined;
			let tag = folded;
			for (const [node, { written }] of holders) {
				if (first !== undefined && byCreation(first, node) < 0) continue;
				first = node;
				tag = written;
			}
			return { folded, tag, count: holders.size };
		});
		found.sort((left, right) => right.count - left.count || compare(left.folded, right.folded));
		return found.map(({ tag, count }) => ({ tag, count }));
	}

	/**
	 * The ids of the nodes that bear a tag, ascending. Letter case and diacritics don't matter.
	 *
	 * @param tag - with its `#` or `@`
	 * @throws `invalid_argument` for what is no tag
	 */
	tagged(tag: string): string[] {
		if (typeof tag !== "string" || !isTag(tag)) {
			throw new OutlineError(
				"invalid_argument",
				`The tag is ${quoted(tag)}. It must be # or @ with letters and digits, joined by _, - or /, such as "#work".`,
			);
		}
		return ids(this.#tags.of(fold(tag)));
	}

	/**
	 * The ids of the nodes that link to a node, by its address or its short id, ascending.
	 *
	 * @throws `invalid_argument` for what is no short id
	 */
	backlinks(shortId: string): string[] {
		if (typeof shortId !== "string" || !isShortId(shortId)) {
			throw new OutlineError("invalid_argument", `The short id is ${quoted(shortId)}. It must be 12 hex digits.`);
		}
		return ids(this.#links.of(shortId.toLowerCase()));
	}

	#setContent(node: GraphNode, content: Content | null): void {
		const { name, note, tags, links } = content === null ? nothing : searchable(content, this.#addresses);
		this.#words.put(node, name, note);
		this.#tags.set(node, tags);
		this.#links.set(node, new Map(Array.from(links, (link) => [link, true])));
	}

	/** 1 for the slot of each node that a search may find at all. */
	#eligible(within: string | undefined, findsMirrors: boolean): Int32Array {
		const eligible = this.#words.slots();
		if (within !== undefined) {
			const root = this.#graph.find(within);
			if (root === undefined) {
				throw new OutlineError("not_found", `There is no node ${quoted(within)} to search within.`);
			}
			eligible.fill(0);
			this.#graph.markVisible(root, eligible);
		}
		if (!findsMirrors) for (const mirror of this.#graph.mirrors()) eligible[mirror.slot] = 0;
		return eligible;
	}

	/** Gives each node that meets a condition, negated or not, an answer above 0. */
	#answer(condition: Condition, query: Query, eligible: Int32Array, answers: Float64Array): void {
		const inNote = query.scope === "note";
		if (condition.type === "words") {
			this.#words.score(condition, inNote, answers);
			return;
		}
		if (condition.type === "tag") {
			for (const [node, use] of this.#tags.of(condition.tag)) if (!inNote || use.inNote) answers[node.slot] = 1;
			return;
		}
		for (let slot = 0; slot < eligible.length; slot++) {
			if (eligible[slot] === 1 && meets(this.#words.node(slot), condition)) answers[slot] = 1;
		}
	}

	/** Gives mirrors the answers of their origins to what is asked of texts. */
	#letMirrorsAnswer({ type }: Condition, answers: Float64Array): void {
		if (type !== "words" && type !== "tag") return;
		for (const mirror of this.#graph.mirrors()) answers[mirror.slot] = answers[mirror.origin.slot]!;
	}

	#hits(eligible: Int32Array, scores: Float64Array, limit: number): Hit[] {
		const best = new Best<GraphNode>(limit, (left, right) => {
			const byScore = scores[right.slot]! - scores[left.slot]!;
			return byScore || shownBy(right).modifiedAt - shownBy(left).modifiedAt || compare(left.id, right.id);
		});
		for (let slot = 0; slot < eligible.length; slot++) if (eligible[slot] === 1) best.add(this.#words.node(slot));
		return best.inOrder().map(({ id, slot }) => ({ id, score: scores[slot]! }));
	}
}

/** Whether a node meets a condition that isn't about its text. */
function meets(node: GraphNode, condition: Exclude<Condition, { type: "words" | "tag" }>): boolean {
	const shown = shownBy(node);
	if (condition.type === "date") {
		const moment = condition.field === "createdAt" ? node.createdAt : shown[condition.field];
		return moment !== null && moment >= condition.from && moment < condition.before;
	}
	if (condition.state === "mirror") return node.origin !== null;
	return condition.state === "todo" ? shown.isTodo : shown.completedAt !== null;
}

function asksForMirrors(condition: Condition): boolean {
	return condition.type === "state" && condition.state === "mirror" && !condition.negated;
}

function byCreation(left: GraphNode, right: GraphNode): number {
	return left.createdAt - right.createdAt || compare(left.id, right.id);
}

function ids(holders: ReadonlyMap<GraphNode, unknown>): string[] {
	return Array.from(holders.keys(), ({ id }) => id).sort();
}

function compare(left: string, right: string): number {
	return left < right ? -1 : left > right ? 1 : 0;
}
