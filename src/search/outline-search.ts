import { ask, askAll, type Operation, type RunOperation } from "../engine/protocol.js";
import { nodeView, type OutlineNode, sizeOfRecord } from "../node.js";
import { Pace, type Steps } from "../pace.js";
import { type NodeReference, notFound } from "../reference/reference.js";
import type { ChangedSince, StoredNode } from "../storage.js";
import type { Portion } from "./portion.js";
import { parseQuery, type Query, type QueryOptions } from "./query.js";
import { SearchIndex } from "./search-index.js";

/** The options of `search`. */
export interface SearchInput {
	/** A reference: only this node and the nodes visible below it are searched. Default: all nodes. */
	within?: string | null | undefined;
	/** The maximum number of hits, 1 to 1,000, or `Infinity` for all of them. Default 50. */
	limit?: number | undefined;
}

/** A node that a search has found. */
export interface SearchHit {
	/** The node as `get` returns it. */
	node: OutlineNode;
	/** The ids from the top level to the node itself. */
	path: string[];
	/** The quality of the hit: higher is better. Comparable within one result only. */
	score: number;
}

/** The number of changes read first, and the maximum number. */
const pageSizes = { first: 4, most: 5000 };

/** The approximate number of characters in a page of changes, and the size of a change that is no node. */
const pageCharacters = 2 ** 18;
const recordCharacters = 64;

/** The maximum number of searches that run at the same time. Each may hold data of every node. */
const mostUnderWay = 4;

/**
 * Searches an outline with an index in memory. The index is created on first use. Each search first updates
 * it to the current revision, so its results are never older than the results of `get`.
 *
 * The work on the index has steps, so that other work can run in between. Each search first updates the index
 * and then begins; these starts queue. An update waits for the running searches, and no search begins before
 * the update ends. So no search sees the index change, and none waits for a later search. Searches that run
 * at the same time take turns.
 */
export class OutlineSearch {
	readonly #run: RunOperation;
	readonly #appUrl: string | undefined;
	#index: SearchIndex;
	#revision = 0;
	/** The horizon when the index was begun: it never had the nodes whose tombstones were gone then. */
	#horizon = 0;
	/** The last start of a search. */
	#beginning: Promise<unknown> = Promise.resolve();
	/** Each resolves when a running search has ended. */
	readonly #underWay = new Set<Promise<void>>();
	readonly #pace = new Pace();
	#turn: Promise<void> = Promise.resolve();

	constructor(run: RunOperation, appUrl: string | undefined) {
		this.#run = run;
		this.#appUrl = appUrl;
		this.#index = this.#newIndex();
	}

	/**
	 * Returns the nodes that a query finds, the best first.
	 *
	 * @throws `invalid_argument`, `not_found`
	 */
	async search(
		text: string,
		options: QueryOptions,
		within: NodeReference | undefined,
		limit: number,
	): Promise<SearchHit[]> {
		const query: Query = parseQuery(text, options);
		const start = within === undefined ? undefined : await this.#run(() => idOf(within));
		const portions = await this.#asked(function* (index) {
			return yield* index.portions(yield* index.search(query, { within: start, limit }));
		});
		return this.#shown(portions);
	}

	/** Returns the tags, the most frequent first. */
	tags(): Promise<{ tag: string; count: number }[]> {
		return this.#asked((index) => index.tags());
	}

	/**
	 * Returns the nodes whose text links to a node, by its address or its short id.
	 *
	 * @throws `not_found`
	 */
	async backlinks(reference: NodeReference): Promise<SearchHit[]> {
		const id = await this.#run(() => idOf(reference));
		const portions = await this.#asked(function* (index) {
			const ids = yield* index.backlinks(id.slice(-12));
			return yield* index.portions(ids.map((each) => ({ id: each, score: 0 })));
		});
		return this.#shown(portions);
	}

	/** Runs a question on the index at the current revision. */
	async #asked<T>(question: (index: SearchIndex) => Steps<T>): Promise<T> {
		const begun = this.#beginning.then(async () => {
			await this.#update();
			while (this.#underWay.size >= mostUnderWay) await Promise.race(this.#underWay);
			const answer = this.#inSlices(question(this.#index));
			const end = () => void this.#underWay.delete(ended);
			const ended: Promise<void> = answer.then(end, end);
			this.#underWay.add(ended);
			return { answer };
		});
		this.#beginning = begun.catch(() => {});
		return (await begun).answer;
	}

	async #update(): Promise<void> {
		let limit = pageSizes.first;
		for (;;) {
			const since = this.#revision;
			const found = await this.#run(() => queryChanges(since, limit));
			if (since === 0) this.#horizon = found.horizon;
			// The outline was restored from a copy, or dropped tombstones since this index was begun and before it has
			// read them.
			if (found.revision < since || (since < found.horizon && found.horizon !== this.#horizon)) {
				this.#index = this.#newIndex();
				this.#revision = 0;
				continue;
			}
			if (found.nodes.length + found.deleted.length > 0) {
				await Promise.all(this.#underWay);
				await this.#inSlices(
					this.#index.update(
						found.nodes,
						found.deleted.map(({ id }) => id),
					),
				);
				await this.#inSlices(this.#index.settle());
			}
			this.#revision = found.revision;
			if (entriesIn(found) < limit) return;
			limit = nextLimit(limit, found);
		}
	}

	/** Loads the nodes of hits. Omits nodes that were deleted after the search in the index. */
	async #shown(portions: readonly Portion[]): Promise<SearchHit[]> {
		const shown: SearchHit[] = [];
		for (const portion of portions) {
			for (const hit of await this.#run(() => shownHits(portion))) shown.push(hit);
			if (this.#pace.isDue) await this.#nextTurn();
		}
		return shown;
	}

	async #inSlices<T>(steps: Steps<T>): Promise<T> {
		for (;;) {
			const step = steps.next();
			if (step.done) return step.value;
			if (this.#pace.isDue) await this.#nextTurn();
		}
	}

	/** Pauses for a turn of the event loop. Searches that pause together resume one by one. */
	#nextTurn(): Promise<void> {
		this.#turn = this.#turn.then(() => this.#pace.turn());
		return this.#turn;
	}

	#newIndex(): SearchIndex {
		return new SearchIndex({ appUrl: this.#appUrl });
	}
}

function* idOf(reference: NodeReference): Operation<string> {
	const [node] = yield* ask({ type: "node", at: reference.at });
	if (node === null) throw notFound(reference);
	return node.record.id;
}

function* queryChanges(since: number, limit: number): Operation<ChangedSince> {
	const [changes] = yield* ask({ type: "changes", since, limit });
	return changes;
}

function entriesIn({ nodes, deleted, keys, droppedKeys }: ChangedSince): number {
	return nodes.length + deleted.length + keys.length + droppedKeys.length;
}

/** Returns the number of changes to read next. It is lower if texts are long. */
function nextLimit(limit: number, found: ChangedSince): number {
	const count = entriesIn(found);
	const others = count - found.nodes.length;
	const characters = found.nodes.reduce((sum, record) => sum + sizeOfRecord(record), others * recordCharacters);
	const fitting = Math.floor((count * pageCharacters) / Math.max(characters, 1));
	return Math.max(1, Math.min(fitting, 4 * limit, pageSizes.most));
}

/** Returns the hits of a portion with their nodes and paths, all of one revision. */
function* shownHits({ hits, mirrored }: Portion): Operation<SearchHit[]> {
	const plain = hits.filter(({ id }) => !mirrored.has(id));
	// A `related` query would return the records of all mirrors, each with the origin's texts.
	const answers = yield* askAll([
		{ type: "related", ids: plain.map(({ id }) => id) },
		...hits.map(({ id }) => ({ type: "ancestors", of: { id } }) as const),
		...Array.from(mirrored, (id) => ({ type: "node", at: { id } }) as const),
	]);
	const related = answers[0] as readonly StoredNode[];
	const paths = answers.slice(1, 1 + hits.length) as readonly (readonly string[])[];
	const origins = answers.slice(1 + hits.length) as readonly (StoredNode | null)[];
	const nodes = new Map([...related, ...origins].flatMap((node) => (node === null ? [] : [[node.record.id, node]])));
	return hits.flatMap(({ id, score }, index) => {
		const node = nodes.get(id);
		return node === undefined ? [] : [{ node: nodeView(node), path: paths[index]!.toReversed(), score }];
	});
}
