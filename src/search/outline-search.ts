import { ask, askAll, type Reading } from "../engine/protocol.js";
import { nodeView, type OutlineNode } from "../node.js";
import { Pace, type Steps } from "../pace.js";
import { type NodeReference, notFound } from "../reference/reference.js";
import type { ChangedSince, StoredNode } from "../storage.js";
import type { Portion } from "./portion.js";
import { parseQuery, type Query, type QueryOptions } from "./query.js";
import { SearchIndex } from "./search-index.js";

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

/** How many changes are read first, and at most. */
const pageSizes = { first: 4, most: 5000 };

/** About how many characters a page of changes should have, with so many for each beside its texts. */
const pageCharacters = 2 ** 18;
const recordCharacters = 64;

/** How many searches are under way at most: each may hold something of every node. */
const mostUnderWay = 4;

/** Runs a reading on the outline. */
type Answer = <T>(reading: () => Reading<T>) => Promise<T>;

/**
 * Searches an outline by an index in memory. It is made when it is first used, and brought up to the current revision each
 * time it is: it is never behind what `get` would show.
 *
 * Work on the index is in slices. Each search first brings the index up to date and then begins; these beginnings queue. An
 * update waits for the searches under way, and no search begins before it is done: so no search sees the index change, and
 * none waits for one that came later. Searches that are under way together take turns.
 */
export class OutlineSearch {
	readonly #answer: Answer;
	readonly #appUrl: string | undefined;
	#index: SearchIndex;
	#revision = 0;
	/** The last beginning of a search. */
	#beginning: Promise<unknown> = Promise.resolve();
	/** Each resolves when a search that was begun has ended. */
	readonly #underWay = new Set<Promise<void>>();
	readonly #pace = new Pace();
	#turn: Promise<void> = Promise.resolve();

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
		const portions = await this.#asked(function* (index) {
			return yield* index.portions(yield* index.search(query, { within: start, limit }));
		});
		return this.#shown(portions);
	}

	/** The tags, the most frequent first. */
	tags(): Promise<{ tag: string; count: number }[]> {
		return this.#asked((index) => index.tags());
	}

	/** The nodes whose text holds a link to a node: its address, or its short id. @throws `not_found` */
	async backlinks(reference: NodeReference): Promise<SearchHit[]> {
		const id = await this.#answer(() => idOf(reference));
		const portions = await this.#asked(function* (index) {
			const ids = yield* index.backlinks(id.slice(-12));
			return yield* index.portions(ids.map((each) => ({ id: each, score: 0 })));
		});
		return this.#shown(portions);
	}

	/** Asks the index at the current revision. */
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
			const found = await this.#answer(() => changesSince(since, limit));
			if (found.revision < since) {
				// The outline was restored from a copy, and what is known of it is wrong.
				this.#index = this.#newIndex();
				this.#revision = 0;
				continue;
			}
			const count = found.nodes.length + found.deleted.length;
			if (count > 0) {
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
			if (count < limit) return;
			limit = nextLimit(limit, found);
		}
	}

	/** Hits with their nodes. What has gone since the index was asked is left out. */
	async #shown(portions: readonly Portion[]): Promise<SearchHit[]> {
		const shown: SearchHit[] = [];
		for (const portion of portions) {
			for (const hit of await this.#answer(() => shownHits(portion))) shown.push(hit);
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

	/** Pauses for a turn of the event loop. Searches that pause together go on one by one, with a turn between them. */
	#nextTurn(): Promise<void> {
		this.#turn = this.#turn.then(() => this.#pace.turn());
		return this.#turn;
	}

	#newIndex(): SearchIndex {
		return new SearchIndex({ appUrl: this.#appUrl });
	}
}

function* idOf(reference: NodeReference): Reading<string> {
	const [node] = yield* ask({ type: "node", at: reference.at });
	if (node === null) throw notFound(reference);
	return node.record.id;
}

function* changesSince(since: number, limit: number): Reading<ChangedSince> {
	const [changes] = yield* ask({ type: "changes", since, limit });
	return changes;
}

/** How many changes to read next: fewer where texts are long. */
function nextLimit(limit: number, { nodes, deleted }: ChangedSince): number {
	const count = nodes.length + deleted.length;
	const characters = nodes.reduce((sum, { name, note }) => sum + name.length + (note?.length ?? 0), 0);
	const fitting = Math.floor((count * pageCharacters) / (characters + count * recordCharacters));
	return Math.max(1, Math.min(fitting, 4 * limit, pageSizes.most));
}

/** The hits of a portion with their nodes and paths, all of one revision. */
function* shownHits({ hits, mirrored }: Portion): Reading<SearchHit[]> {
	const plain = hits.filter(({ id }) => !mirrored.has(id));
	// A `related` query would return the rows of all mirrors, each with the origin's texts.
	const answers = yield* askAll([
		{ type: "related", ids: plain.map(({ id }) => id) },
		...hits.map(({ id }) => ({ type: "ancestors", of: { id } }) as const),
		...Array.from(mirrored, (id) => ({ type: "node", at: { id } }) as const),
	]);
	const related = answers[0] as readonly StoredNode[];
	const paths = answers.slice(1, 1 + hits.length) as readonly (readonly string[])[];
	const origins = answers.slice(1 + hits.length) as readonly (StoredNode | null)[];
	const nodes = new Map([...related, ...origins].flatMap((node) => (node === null ? [] : [[node.record.id, node]])));
	return hits.flatMap(({ id, score }, place) => {
		const node = nodes.get(id);
		return node === undefined ? [] : [{ node: nodeView(node), path: paths[place]!.toReversed(), score }];
	});
}
