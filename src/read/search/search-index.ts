import { OutlineError, quoted } from "../../errors.js";
import { type Steps, sorted } from "../../pace.js";
import type { JsonValue } from "../../properties.js";
import type { NodeRecord } from "../../storage.js";
import { AddressReader } from "./address.js";
import { type CalendarKey, DateIndex } from "./date-index.js";
import { compareTexts, Evaluation, type Hit, type HitOrder } from "./evaluation.js";
import { Holders } from "./holders.js";
import { type Portion, portionsOf } from "./portion.js";
import { foldedProperties } from "./property-query.js";
import type { Query } from "./query.js";
import { type GraphNode, SearchGraph, shownBy, showsOrigin } from "./search-graph.js";
import { type Content, hasLink, noContent, searchable, type TagUse, wordsOnly } from "./searchable.js";
import { SlotSets } from "./slot-set.js";
import { WordIndex } from "./word-index.js";

/** The options of a search index. */
export interface SearchIndexOptions {
	/**
	 * The URL at which the host shows the outline, without trailing slashes. Node addresses begin with it.
	 * Default: there are no node addresses.
	 */
	readonly appUrl?: string | undefined;
	/** The IANA time zone in which days begin. Default: `UTC`. */
	readonly timeZone?: string | undefined;
}

/** The range, the limit and the order of a search. */
export interface SearchOptions {
	/** The id of a node: only this node and the nodes visible below it are searched. Default: all nodes. */
	readonly within?: string | undefined;
	/** The maximum number of hits, at least 1; perhaps `Infinity`. */
	readonly limit: number;
	/** Default `score`. */
	readonly order?: HitOrder | undefined;
}

/** A tag of the outline. */
export interface TagCount {
	/** The tag as written in the node that was created first, or among equals has the lowest id. */
	readonly tag: string;
	/** The number of nodes with this tag. */
	readonly count: number;
}

/** The number of nodes added in a step. */
const stride = 256;

/**
 * A search index in memory. It receives every record once, and then each record that is written or deleted,
 * in any order. Its results depend only on the current records. It keeps the words of all texts, and the
 * texts of mirrors only.
 *
 * A mirror has no content of its own: a search finds its origin instead. While its origin is missing, the
 * mirror shows the content of its own record, and a search finds it by that.
 *
 * Its methods work in steps. The caller must not run an update together with another method. Methods that
 * only read may run together.
 */
export class SearchIndex {
	readonly #addresses: AddressReader;
	readonly #graph = new SearchGraph();
	readonly #words = new WordIndex<GraphNode>();
	readonly #tags = new Holders<GraphNode, TagUse>();
	readonly #sets = new SlotSets();
	readonly #links = new Holders<GraphNode, true>();
	readonly #properties = new Holders<GraphNode, readonly JsonValue[]>();
	readonly #timeZone: string;
	readonly #dates: DateIndex<GraphNode>;

	constructor({ appUrl, timeZone = "UTC" }: SearchIndexOptions = {}) {
		this.#addresses = new AddressReader(appUrl);
		this.#timeZone = timeZone;
		this.#dates = new DateIndex(timeZone);
	}

	/**
	 * Adds records or replaces earlier versions of them, and removes deleted nodes. Linear in the length of
	 * the texts, on average.
	 *
	 * @param deleted - ids; some may be unknown, and no record may have one of them
	 * @param keys - the keys that were set or dropped
	 */
	*update(records: readonly NodeRecord[], deleted: readonly string[], keys: readonly CalendarKey[] = []): Steps<void> {
		for (const key of keys) this.#dates.setKey(key);
		// The graph is updated first. Then the content of a mirror isn't read if its origin follows later.
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
		if (changed.length > 0) yield* this.#read(changed, []);
		yield* this.#read(nodes, records);
	}

	/** Prepares for searches, which are slower without it. To be called after changes. */
	prepare(): Steps<void> {
		return this.#words.prepare();
	}

	/**
	 * Returns the nodes that a query finds, the best first: by score, then the most recently modified, then
	 * by id. Only words and phrases add to the score. Whole words score higher than word starts, names higher
	 * than notes, and short texts higher than long ones.
	 *
	 * With the order `date`, the hit with the earliest date comes first. The date of a hit is its first date that a
	 * `date:` term finds, or else its first date. Hits without a date come last.
	 *
	 * A mirror is a hit only if the query has `is:mirror`. Then the content of its origin counts.
	 *
	 * @throws `not_found` for an unknown node in `within`
	 */
	*search(query: Query, { within, limit, order = "score" }: SearchOptions): Steps<Hit[]> {
		const root = within === undefined ? undefined : this.#graph.find(within);
		if (root === undefined && within !== undefined) {
			throw new OutlineError("not_found", `There is no node ${quoted(within)} to search within.`);
		}
		const indexes = {
			graph: this.#graph,
			words: this.#words,
			tags: this.#tags,
			links: this.#links,
			properties: this.#properties,
			dates: this.#dates,
			sets: this.#sets,
		};
		return yield* new Evaluation(indexes, query).hits(root, limit, order);
	}

	/** Returns the tags, the most frequent first, then by folded form. Linear in the number of uses. */
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
			(left, right) => right.count - left.count || compareTexts(left.folded, right.folded),
		);
		return byCount.map(({ tag, count }) => ({ tag, count }));
	}

	/**
	 * Returns the ids of the nodes that link to a node, by its address or its short id, ascending.
	 *
	 * @param shortId - in lower case
	 */
	*backlinks(shortId: string): Steps<readonly string[]> {
		const ids = Array.from(this.#links.of(shortId).keys(), ({ id }) => id);
		return yield* sorted(ids, compareTexts);
	}

	/** Splits hits of this index into portions that can each be loaded at once, with some ancestors of each hit. */
	portions(hits: readonly Hit[], ancestors = 0): Steps<Portion[]> {
		return portionsOf(hits, this.#graph, (node) => this.#words.characters(shownBy(node).slot), ancestors);
	}

	/**
	 * Indexes the current content of nodes.
	 *
	 * @param records - the records of the nodes; missing for nodes that are mirrors or deleted
	 */
	*#read(nodes: readonly GraphNode[], records: readonly NodeRecord[]): Steps<void> {
		for (const [index, node] of nodes.entries()) {
			const content = this.#contentOf(node, records[index]);
			const plain = wordsOnly(content);
			const { name, note, tags, links, dates } = plain ?? (yield* searchable(content, this.#addresses, this.#timeZone));
			if (node.present) yield* this.#words.put(node, name, note);
			else yield* this.#words.remove(node);
			if (index % 16 === 15) yield;
			if (plain === undefined || content.properties !== null) node.isPlain = false;
			if (node.isPlain) continue;
			yield* this.#tags.set(node, tags);
			yield* this.#links.set(node, links);
			yield* this.#dates.set(node, dates);
			this.#graph.listed.date.set(node, dates.size > 0);
			this.#graph.listed.link.set(node, hasLink(content));
			yield* this.#properties.set(node, foldedProperties(content.properties));
		}
	}

	/** Returns the content by which searches find a node; no content if the node shows its origin's. */
	#contentOf(node: GraphNode, record: NodeRecord | undefined): Content {
		return !node.present || showsOrigin(node) ? noContent : (record ?? this.#graph.ownContentOf(node) ?? noContent);
	}
}

function byCreation(left: GraphNode, right: GraphNode): number {
	return left.createdAt - right.createdAt || compareTexts(left.id, right.id);
}
