import { nodeView, type OutlineNode } from "../node.js";
import { ask, askAll, type Reading } from "../operation.js";
import { type NodeReference, notFound } from "../reference.js";
import type { ChangedSince } from "../storage.js";
import { parseQuery, type Query, type QueryOptions } from "./query.js";
import { type Hit, SearchIndex } from "./search-index.js";

/** What `search` takes besides the query. */
export interface SearchInput {
	/** Any reference: only this node and what is visible below it is searched. Default: the whole outline. */
	within?: string | null | undefined;
	/** How many hits to give at most, 1 to 1,000. Default 50. */
	limit?: number | undefined;
}

/** A node that a search has found. */
export interface SearchHit {
	/** As in `get`. */
	node: OutlineNode;
	/** The ids from the top level to the node itself. */
	path: string[];
	/** How well it fits: the more, the better. Comparable within one answer. */
	score: number;
}

/** How many changes are read at once. */
const pageSize = 5000;

/** Runs a reading on the outline. */
type Answer = <T>(reading: () => Reading<T>) => Promise<T>;

/**
 * Searches an outline by an index in memory. It is made when it is first used, and brought up to the current revision each
 * time it is: it is never behind what `get` would show.
 */
export class OutlineSearch {
	readonly #answer: Answer;
	readonly #appUrl: string | undefined;
	#index: SearchIndex;
	#revision = 0;
	#updating: Promise<unknown> = Promise.resolve();

	constructor(answer: Answer, appUrl: string | undefined) {
		this.#answer = answer;
		this.#appUrl = appUrl;
		this.#index = this.#newIndex();
	}

	/** The nodes that a query finds, the best first. @throws `invalid_argument` `not_found` */
	async search(
		text: string,
		options: QueryOptions,
		within: NodeReference | undefined,
		limit: number,
	): Promise<SearchHit[]> {
		const query: Query = parseQuery(text, options);
		const start = within === undefined ? undefined : await this.#answer(() => idOf(within));
		const index = await this.#current();
		return this.#shown(index.search(query, { ...(start !== undefined && { within: start }), limit }));
	}

	/** The tags, the most frequent first. */
	async tags(): Promise<{ tag: string; count: number }[]> {
		return (await this.#current()).tags();
	}

	/** The nodes whose text holds a link to a node: its address, or its short id. @throws `not_found` */
	async backlinks(reference: NodeReference): Promise<SearchHit[]> {
		const id = await this.#answer(() => idOf(reference));
		const ids = (await this.#current()).backlinks(id.slice(-12));
		return this.#shown(ids.map((each) => ({ id: each, score: 0 })));
	}

	/** The index at the current revision. Whoever asks meanwhile waits for his turn. */
	#current(): Promise<SearchIndex> {
		const current = this.#updating.then(() => this.#update());
		this.#updating = current.catch(() => {});
		return current;
	}

	async #update(): Promise<SearchIndex> {
		for (;;) {
			const since = this.#revision;
			const found = await this.#answer(() => changesSince(since));
			if (found.revision < since) {
				// The outline was restored from a copy, and what is known of it is wrong.
				this.#index = this.#newIndex();
				this.#revision = 0;
				continue;
			}
			for (const { id } of found.deleted) this.#index.remove(id);
			for (const record of found.nodes) this.#index.put(record);
			this.#revision = found.revision;
			if (found.nodes.length + found.deleted.length < pageSize) return this.#index;
		}
	}

	/** Hits with their nodes. What has gone since the index was asked is left out. */
	async #shown(hits: readonly Hit[]): Promise<SearchHit[]> {
		const found = await this.#answer(() => nodesWithPaths(hits.map(({ id }) => id)));
		return hits.flatMap(({ id, score }) => {
			const shown = found.get(id);
			return shown === undefined ? [] : [{ ...shown, score }];
		});
	}

	#newIndex(): SearchIndex {
		return new SearchIndex(this.#appUrl === undefined ? {} : { appUrl: this.#appUrl });
	}
}

function* idOf(reference: NodeReference): Reading<string> {
	const [node] = yield* ask({ type: "node", at: reference.at });
	if (node === null) throw notFound(reference);
	return node.record.id;
}

function* changesSince(since: number): Reading<ChangedSince> {
	const [changes] = yield* ask({ type: "changes", since, limit: pageSize });
	return changes;
}

function* nodesWithPaths(ids: readonly string[]): Reading<Map<string, Omit<SearchHit, "score">>> {
	const [related, ...lineages] = yield* askAll([
		{ type: "related", ids },
		...ids.map((id) => ({ type: "ancestors", of: { id } }) as const),
	] as const);
	const nodes = new Map(related.map((node) => [node.record.id, node]));
	return new Map(
		ids.flatMap((id, place) => {
			const node = nodes.get(id);
			return node === undefined ? [] : [[id, { node: nodeView(node), path: lineages[place]!.toReversed() }] as const];
		}),
	);
}
