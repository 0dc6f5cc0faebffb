import type { Call } from "../../engine/call.js";
import { ask, type Operation, type RunOperation, revisionOfAnswers } from "../../engine/protocol.js";
import type { Settings } from "../../engine/settings.js";
import { invalidArgument } from "../../errors.js";
import { assertBoolean, fieldsOf } from "../../fields.js";
import { shortIdOf } from "../../id.js";
import { sizeOfRecord } from "../../node.js";
import { Pace, type Steps } from "../../pace.js";
import { type NodeReference, notFound, parentReference } from "../../reference/reference.js";
import type { ChangedSince } from "../../storage.js";
import { shownHits } from "./hit.js";
import { mayHaveSpan, spanModule } from "./moments.js";
import {
	type BacklinksInput,
	backlinksFields,
	type SearchHit,
	type SearchHitOf,
	type SearchInput,
	searchFields,
} from "./options.js";
import type { Portion } from "./portion.js";
import { parseQuery } from "./query.js";
import { rangesOf } from "./ranges.js";
import { SearchIndex } from "./search-index.js";

/** The number of changes read first, and the maximum number. */
const pageSizes = { first: 4, most: 5000 };

/** The approximate number of characters in a page of changes, and the size of a change that is no node. */
const pageCharacters = 2 ** 18;
const recordCharacters = 64;

/** The maximum number of searches that run at the same time. Each may hold data of every node. */
const mostUnderWay = 4;

/** The number and the parts of the hits that a search loads. */
interface HitsShape {
	readonly withAncestors?: boolean;
	/** The most ids in a path. */
	readonly pathLength: number;
	/** The most hits. Default: all. */
	readonly limit?: number;
}

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
	readonly #settings: Settings;
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

	constructor(run: RunOperation, settings: Settings) {
		this.#run = run;
		this.#settings = settings;
		this.#index = this.#newIndex();
	}

	/**
	 * Returns the nodes that a query finds, in the order that the caller asks for.
	 *
	 * @param run - runs the operations that load the hits: those of a scope see less
	 * @throws `invalid_argument`, `not_found`
	 */
	async search<Input extends SearchInput>(
		call: Call,
		text: string,
		input: Input,
		run = this.#run,
	): Promise<SearchHitOf<Input>[]> {
		const { within, limit, order, ancestors, ranges, pathLength } = checked(input);
		const reference = parentReference(within, call, "within");
		if (typeof text === "string" && mayHaveSpan(text)) await spanModule.load();
		const query = parseQuery(text, { timeZone: call.settings.timeZone, now: call.moment });
		const start = reference.form === "root" ? undefined : await this.#run(() => idOf(reference));
		const portions = await this.#asked(function* (index) {
			const hits = yield* index.search(query, { within: start, limit, order });
			return yield* index.portions(hits, ancestors ? pathLength - 1 : 0);
		});
		const hits = await this.#shown(portions, run, { withAncestors: ancestors, pathLength });
		if (ranges) for (const hit of hits) hit.ranges = await this.#inSlices(rangesOf(query, hit.node));
		return hits as SearchHitOf<Input>[];
	}

	/** Returns the tags, the most frequent first. */
	tags(): Promise<{ tag: string; count: number }[]> {
		return this.#asked((index) => index.tags());
	}

	/**
	 * Returns the nodes whose text links to a node, by its address or its short id.
	 *
	 * @param run - as for {@link OutlineSearch.search}
	 * @throws `invalid_argument`, `not_found`
	 */
	async backlinks(reference: NodeReference, input: BacklinksInput, run = this.#run): Promise<SearchHit[]> {
		const { limit = Number.POSITIVE_INFINITY, pathLength } = fieldsOf("backlinks", input, backlinksFields);
		assertCount("limit", limit);
		const shape = { limit, pathLength: pathLengthOf(pathLength) };
		const id = await this.#run(() => idOf(reference));
		const portions = await this.#asked(function* (index) {
			const ids = yield* index.backlinks(shortIdOf(id));
			return yield* index.portions(ids.map((each) => ({ id: each, score: 0 })));
		});
		return this.#shown(portions, run, shape);
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
			const { found, newest } = await this.#run(() => queryChanges(since, limit));
			if (since === 0) this.#horizon = found.horizon;
			// The outline was restored from a copy, or dropped tombstones since this index was begun and before it has
			// read them.
			if (found.revision < since || (since < found.horizon && found.horizon !== this.#horizon)) {
				this.#index = this.#newIndex();
				this.#revision = 0;
				continue;
			}
			const entries = entriesIn(found);
			if (entries > 0) {
				const deleted = found.deleted.map(({ id }) => id);
				const keys = [...found.droppedKeys.map(({ key }) => ({ key, nodeId: null })), ...found.keys];
				await Promise.all(this.#underWay);
				await this.#inSlices(this.#index.update(found.nodes, deleted, keys));
				await this.#inSlices(this.#index.prepare());
			}
			this.#revision = found.revision;
			// A storage that doesn't go on would keep the search here for ever.
			if (this.#revision <= since || this.#revision >= newest) return;
			limit = nextLimit(limit, found);
		}
	}

	/** Loads the nodes of hits. Omits nodes that were deleted after the search in the index. */
	async #shown(
		portions: readonly Portion[],
		run: RunOperation,
		{ withAncestors = false, pathLength, limit = Number.POSITIVE_INFINITY }: HitsShape,
	): Promise<SearchHit[]> {
		const shown: SearchHit[] = [];
		for (const portion of portions) {
			for (const hit of await run(() => shownHits(portion, withAncestors, pathLength))) shown.push(hit);
			if (shown.length >= limit) return shown.slice(0, limit);
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
		return new SearchIndex(this.#settings);
	}
}

/** Returns the options of a search. @throws `invalid_argument` */
function checked(input: SearchInput) {
	const { within, limit = 50, order = "score", ...show } = fieldsOf("search", input, searchFields);
	if (
		typeof limit !== "number" ||
		!(limit === Number.POSITIVE_INFINITY || (Number.isInteger(limit) && limit >= 1 && limit <= 1000))
	) {
		throw invalidArgument("limit", limit, "an integer from 1 to 1,000, or Infinity");
	}
	const { ancestors = false, ranges = false } = show;
	const pathLength = pathLengthOf(show.pathLength);
	if (order !== "score" && order !== "date") throw invalidArgument("order", order, '"score" or "date"');
	assertBoolean("ancestors", ancestors);
	assertBoolean("ranges", ranges);
	return { within, limit, order, ancestors, ranges, pathLength } as const;
}

/** Returns the most ids in a path. @throws `invalid_argument` */
function pathLengthOf(given: unknown): number {
	const pathLength = given ?? Number.POSITIVE_INFINITY;
	assertCount("pathLength", pathLength);
	return pathLength;
}

function assertCount(field: string, value: unknown): asserts value is number {
	if (value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && (value as number) >= 1)) return;
	throw invalidArgument(field, value, "an integer from 1, or Infinity");
}

function* idOf(reference: NodeReference): Operation<string> {
	const [node] = yield* ask({ type: "node", at: reference.at });
	if (node === null) throw notFound(reference);
	return node.record.id;
}

/** Returns a page of changes, and the newest revision: a storage may end a page with long texts before the limit. */
function* queryChanges(since: number, limit: number): Operation<{ found: ChangedSince; newest: number }> {
	const [found] = yield* ask({ type: "changes", since, limit });
	return { found, newest: yield* revisionOfAnswers() };
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
