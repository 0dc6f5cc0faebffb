import { OutlineError, quoted } from "../errors.js";
import { isShortId } from "../id.js";
import type { Steps } from "../pace.js";
import { sorted } from "../pace.js";
import type { NodeRecord } from "../storage.js";
import { AddressReader } from "./address.js";
import { Evaluation, type Hit } from "./evaluation.js";
import { fold } from "./fold.js";
import { Holders } from "./holders.js";
import { type Portion, portionsOf } from "./portion.js";
import type { Query } from "./query.js";
import { type GraphNode, NodeGraph, shownBy, showsOrigin } from "./search-graph.js";
import { type Content, noContent, searchable, type TagUse, wordsOnly } from "./searchable.js";
import { SlotSets } from "./slot-set.js";
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

/** A tag of the outline. */
export interface TagCount {
	/** As it is written in the node that was created first (then: with the lowest id) of those that bear it. */
	readonly tag: string;
	/** How many nodes bear it. */
	readonly count: number;
}

/** The number of nodes that are put in their places in one go. */
const stride = 256;

/**
 * What is searched, kept in memory. It is told of every record once, and then of each that is written and each that is
 * deleted, in any order; what it answers depends only on the records that there are. It keeps no texts but those of mirrors,
 * only their words.
 *
 * A mirror has no content of its own: its origin is found in its stead. While its origin isn't there, it shows its own row
 * and is found by that.
 *
 * Its methods work in slices. The caller sees to it that no update runs beside another method. Methods that only read may
 * run beside one another.
 */
export class SearchIndex {
	readonly #addresses: AddressReader;
	readonly #graph = new NodeGraph();
	readonly #words = new WordIndex<GraphNode>();
	readonly #tags = new Holders<GraphNode, TagUse>();
	readonly #sets = new SlotSets();
	readonly #links = new Holders<GraphNode, true>();

	constructor(options: SearchIndexOptions = {}) {
		this.#addresses = new AddressReader(options.appUrl);
	}

	/**
	 * Takes records in, each in the place of an earlier version of it, and forgets deleted ones. In time linear in the texts,
	 * on average.
	 *
	 * @param deleted - ids, of which some may be unknown, and none is that of a record
	 */
	*update(records: readonly NodeRecord[], deleted: readonly string[]): Steps<void> {
		// All is put in its place first: a mirror whose origin comes after it needn't be read.
		const changed: GraphNode[] = [];
		let steps = 0;
		for (const id of deleted) {
			const node = this.#graph.find(id);
			if (node === undefined) continue;
			changed.push(node);
			for (const mirror of this.#graph.mirrorsOf(node)) {
				changed.push(mirror);
				if (++steps % stride === 0) yield;
			}
			this.#graph.remove(node);
			if (++steps % stride === 0) yield;
		}
		const nodes: GraphNode[] = [];
		for (const record of records) {
			const isNew = this.#graph.find(record.id) === undefined;
			const node = this.#graph.put(record);
			nodes.push(node);
			if (isNew) {
				for (const mirror of this.#graph.mirrorsOf(node)) {
					changed.push(mirror);
					if (++steps % stride === 0) yield;
				}
			}
			if (++steps % stride === 0) yield;
		}
		yield* this.#read(changed, []);
		yield* this.#read(nodes, records);
	}

	/** Prepares for searches, which take longer without it. To be called after changes. */
	settle(): Steps<void> {
		return this.#words.settle();
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
	*search(query: Query, { within, limit }: SearchOptions): Steps<Hit[]> {
		if (!Number.isSafeInteger(limit) || limit < 1) {
			throw new OutlineError("invalid_argument", `limit is ${quoted(limit)}. It must be a positive integer.`);
		}
		const root = within === undefined ? undefined : this.#graph.find(within);
		if (root === undefined && within !== undefined) {
			throw new OutlineError("not_found", `There is no node ${quoted(within)} to search within.`);
		}
		const indexes = { graph: this.#graph, words: this.#words, tags: this.#tags, sets: this.#sets };
		return yield* new Evaluation(indexes, query).hits(root, limit);
	}

	/** The tags of the outline, the most frequent first, then by their folded form. In time linear in their uses. */
	*tags(): Steps<TagCount[]> {
		const found: { folded: string; tag: string; count: number }[] = [];
		let steps = 0;
		for (const [folded, holders] of this.#tags.entries()) {
			let first: GraphNode | undefined;
			let tag = folded;
			for (const [node, { written }] of holders) {
				if (++steps % 1024 === 0) yield;
				if (first !== undefined && byCreation(first, node) < 0) continue;
				first = node;
				tag = written;
			}
			found.push({ folded, tag, count: holders.size });
		}
		const byCount = yield* sorted(
			found,
			(left, right) => right.count - left.count || compare(left.folded, right.folded),
		);
		return byCount.map(({ tag, count }) => ({ tag, count }));
	}

	/**
	 * The ids of the nodes that bear a tag, ascending. Letter case and diacritics don't matter.
	 *
	 * @param tag - with its `#` or `@`
	 * @throws `invalid_argument` for what is no tag
	 */
	tagged(tag: string): Steps<readonly string[]> {
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
	backlinks(shortId: string): Steps<readonly string[]> {
		if (typeof shortId !== "string" || !isShortId(shortId)) {
			throw new OutlineError("invalid_argument", `The short id is ${quoted(shortId)}. It must be 12 hex digits.`);
		}
		return ids(this.#links.of(shortId.toLowerCase()));
	}

	/** Cuts hits of this index into portions that can each be read in one go. */
	portions(hits: readonly Hit[]): Steps<Portion[]> {
		return portionsOf(hits, this.#graph, (node) => this.#words.characters(shownBy(node).slot));
	}

	/** Reads what can be found of nodes now. @param records - those of the nodes; none where the nodes are mirrors or are gone */
	*#read(nodes: readonly GraphNode[], records: readonly NodeRecord[]): Steps<void> {
		for (const [place, node] of nodes.entries()) {
			const content = this.#contentOf(node, records[place]);
			const { name, note, tags, links } = wordsOnly(content) ?? (yield* searchable(content, this.#addresses));
			if (node.present) yield* this.#words.put(node, name, note);
			else yield* this.#words.remove(node);
			yield* this.#tags.set(node, tags);
			yield* this.#links.set(node, links);
			if (place % 16 === 15) yield;
		}
	}

	/** The content that is found by a node: nothing if it shows that of another. */
	#contentOf(node: GraphNode, record: NodeRecord | undefined): Content {
		return !node.present || showsOrigin(node) ? noContent : (record ?? this.#graph.ownContentOf(node) ?? noContent);
	}
}

function byCreation(left: GraphNode, right: GraphNode): number {
	return left.createdAt - right.createdAt || compare(left.id, right.id);
}

/** The ids of nodes, ascending. */
function* ids(holders: ReadonlyMap<GraphNode, unknown>): Steps<readonly string[]> {
	return yield* sorted(
		Array.from(holders.keys(), ({ id }) => id),
		compare,
	);
}

function compare(left: string, right: string): number {
	return left < right ? -1 : left > right ? 1 : 0;
}
