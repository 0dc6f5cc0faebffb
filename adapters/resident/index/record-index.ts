import { finished, type Steps } from "../../../src/pace.js";
import { byPlace } from "../../../src/siblings.js";
import type {
	Answer,
	Answers,
	Batch,
	ChangedSince,
	Document,
	DocumentChanges,
	KeyChange,
	KeyRecord,
	KeyTombstone,
	Locator,
	NodeChange,
	NodeRecord,
	Query,
	StoredKey,
	StoredNode,
	Subtree,
	Tombstone,
} from "../../../src/storage.js";
import type { PackedBlock } from "../packed/packed-nodes.js";
import { ChangeLog } from "./change-log.js";
import { DocumentIndex, type DocumentsImage, type PackedDocuments } from "./document-index.js";
import type { Entry } from "./entry.js";
import { NodeGraph } from "./node-graph.js";
import { NodesImage } from "./nodes-image.js";

/** The revisions of deletions: by the id of a node, and by key. */
interface Tombstones {
	readonly nodes: Map<string, number>;
	readonly keys: Map<string, number>;
}

/** Everything needed to undo a batch: the batch, and the tombstones, documents and horizon that it replaced. */
export interface Undo {
	readonly batch: Batch;
	/** The maps before. A batch with a horizon replaces them; others change them. */
	readonly tombstones: Tombstones;
	/** The tombstones that the changed nodes had. */
	readonly deleted: readonly (readonly [id: string, revision: number])[];
	/** The changed keys as they were. */
	readonly keys: readonly KeyRecord[];
	/** The tombstones that the changed keys had. */
	readonly droppedKeys: readonly (readonly [key: string, revision: number])[];
	readonly documents: DocumentChanges | null;
	readonly horizon: number;
}

/** The whole content of an index, at one revision. */
export interface IndexImage {
	readonly revision: number;
	readonly nodes: NodesImage;
	readonly keys: readonly KeyRecord[];
	readonly deleted: readonly Tombstone[];
	readonly droppedKeys: readonly KeyTombstone[];
	readonly documents: DocumentsImage;
	readonly horizon: number;
}

/** A part of the content of an index. */
export type IndexPart = Partial<
	Omit<IndexImage, "revision" | "horizon" | "nodes" | "documents"> & {
		readonly nodes: readonly NodeRecord[];
		readonly documents: readonly Document[];
	}
>;

const none: readonly never[] = [];

/** The depth that few nodes exceed. */
const commonDepth = 64;

/** The number of nodes of a step, and of tombstones. */
const stepSize = 500;
const tombstonesInStep = 10_000;

/** The most queries to answer without a pause. */
const queriesAtOnce = 2000;

/**
 * The records of one outline in memory, with every index that the queries need. Records are shared and never
 * changed.
 */
export class RecordIndex {
	/** The revision of the last batch that was applied. */
	revision = 0;
	/** The revision up to which tombstones have been dropped. */
	horizon = 0;
	readonly #graph = new NodeGraph();
	readonly #keys = new Map<string, KeyRecord>();
	readonly #groups = new Map<string, Set<string>>();
	readonly #keysOf = new Map<string, Set<string>>();
	#tombstones: Tombstones = { nodes: new Map(), keys: new Map() };
	readonly #documents = new DocumentIndex();
	/** Null until first needed. */
	#log: ChangeLog | null = null;

	/** Returns the record with an id. */
	record(id: string): NodeRecord | undefined {
		return this.#graph.get(id)?.record;
	}

	/** Returns the record of a key. */
	key(key: string): KeyRecord | undefined {
		return this.#keys.get(key);
	}

	/** Adds a part of an image. The index must not have any of it yet. */
	load({ nodes = none, keys = none, deleted = none, droppedKeys = none, documents = none }: IndexPart): void {
		for (const record of nodes) this.#graph.add(record);
		for (const record of keys) this.#setKey(record.key, record);
		for (const { id, revision } of deleted) this.#tombstones.nodes.set(id, revision);
		for (const { key, revision } of droppedKeys) this.#tombstones.keys.set(key, revision);
		this.#documents.change({ put: documents, dropped: none });
		this.#log = null;
	}

	/** Reserves memory for this many nodes. */
	reserve(nodes: number): void {
		this.#graph.reserve(nodes);
	}

	/** Adds packed nodes, like {@link NodeGraph.loadPacked}. */
	loadPacked(block: PackedBlock): void {
		this.#graph.loadPacked(block);
	}

	/** Adds packed documents, like {@link DocumentIndex.loadPacked}. */
	loadPackedDocuments(block: PackedDocuments): void {
		this.#documents.loadPacked(block);
	}

	/** Completes loading, like {@link NodeGraph.finishLoading}. */
	finishLoading(): void {
		this.#graph.finishLoading();
	}

	/** Returns the whole content. Costs a copy of the references. */
	image(): IndexImage {
		return {
			revision: this.revision,
			nodes: new NodesImage(this.#graph.copy()),
			keys: [...this.#keys.values()],
			deleted: Array.from(this.#tombstones.nodes, ([id, revision]) => ({ id, revision })),
			droppedKeys: Array.from(this.#tombstones.keys, ([key, revision]) => ({ key, revision })),
			documents: this.#documents.image(),
			horizon: this.horizon,
		};
	}

	/** Applies a batch. Doesn't check the base. */
	apply(batch: Batch): void {
		this.#graph.change(batch.nodes);
		for (const change of batch.nodes) this.#note(change, batch.base + 1);
		if (batch.horizon !== undefined) finished(this.#prune(batch.horizon));
		this.#finish(batch);
	}

	/** Applies a batch like {@link apply}, in steps. Until all are done, no other work may use the index. */
	*applyInSteps(batch: Batch): Steps<void> {
		yield* this.#graph.changeInSteps(batch.nodes);
		for (const [at, change] of batch.nodes.entries()) {
			if (at % stepSize === stepSize - 1) yield;
			this.#note(change, batch.base + 1);
		}
		if (batch.horizon !== undefined) yield* this.#prune(batch.horizon);
		this.#finish(batch);
	}

	/** Records a change of a node for `changes` queries. */
	#note({ before, after }: NodeChange, revision: number): void {
		if (after === null) this.#tombstones.nodes.set(before!.id, revision);
		else if (before === null && this.#tombstones.nodes.size > 0) this.#tombstones.nodes.delete(after.id);
		this.#log?.add((after ?? before)!.id, revision);
	}

	#finish({ base, keys, documents }: Batch): void {
		for (const change of keys) this.#changeKey(change, base + 1);
		if (documents !== undefined) this.#documents.change(documents);
		if (this.#log?.isStale) this.#log = null;
		this.revision = base + 1;
	}

	#changeKey({ before, after }: KeyChange, revision: number): void {
		const { key } = (before ?? after)!;
		this.#setKey(key, after);
		if (after === null) this.#tombstones.keys.set(key, revision);
		else this.#tombstones.keys.delete(key);
		this.#log?.add(key, revision, true);
	}

	/** Drops the tombstones of the commits up to a revision. The maps before stay as they were, for an undo. */
	*#prune(horizon: number): Steps<void> {
		const nodes = yield* laterThan(horizon, this.#tombstones.nodes);
		const keys = yield* laterThan(horizon, this.#tombstones.keys);
		this.#tombstones = { nodes, keys };
		this.#log = null;
		this.horizon = Math.max(this.horizon, horizon);
	}

	/** Returns everything needed to undo a batch. Call it before the batch is applied. */
	undo(batch: Batch): Undo {
		const { nodes, keys, documents } = batch;
		const tombstones = this.#tombstones;
		const ids = tombstones.nodes.size === 0 ? none : nodes.map(({ before, after }) => (before ?? after)!.id);
		const names = keys.map(({ before, after }) => (before ?? after)!.key);
		return {
			batch,
			tombstones,
			deleted: ids.flatMap((id) => revisionsOf(id, tombstones.nodes)),
			keys: names.flatMap((name) => this.#keys.get(name) ?? []),
			droppedKeys: names.flatMap((key) => revisionsOf(key, tombstones.keys)),
			documents: documents === undefined ? null : this.#documents.undo(documents),
			horizon: this.horizon,
		};
	}

	/** Undoes the batch that was applied last. */
	revert({
		batch: { base, nodes, keys },
		tombstones,
		deleted,
		keys: earlierKeys,
		droppedKeys,
		documents,
		horizon,
	}: Undo): void {
		const back = <T>({ before, after }: { before: T; after: T }) => ({ before: after, after: before });
		this.#graph.change(nodes.map(back));
		this.revision = base;
		this.horizon = horizon;
		this.#tombstones = tombstones;
		for (const { before, after } of nodes) tombstones.nodes.delete((before ?? after)!.id);
		for (const [id, revision] of deleted) tombstones.nodes.set(id, revision);
		for (const { before, after } of keys) {
			const { key } = (before ?? after)!;
			this.#setKey(key, null);
			tombstones.keys.delete(key);
		}
		for (const record of earlierKeys) this.#setKey(record.key, record);
		for (const [key, revision] of droppedKeys) tombstones.keys.set(key, revision);
		if (documents !== null) this.#documents.change(documents);
		this.#log = null;
	}

	/** Returns the nodes with these ids, their origins and their mirrors, each once. */
	related(ids: readonly string[]): Steps<StoredNode[]> {
		return this.#graph.related(ids);
	}

	/** Yields every present node, in chunks. A node that changes meanwhile may be yielded in its new state. */
	scan(chunkSize: number): Generator<StoredNode[], void, undefined> {
		return this.#graph.scan(chunkSize);
	}

	/** Answers queries, in their order. */
	answer<const Q extends readonly Query[]>(queries: Q): Answers<Q> {
		return finished(this.answerInSteps(queries));
	}

	/**
	 * Answers queries like {@link answer}, in steps. Until all are done, no other work may change the index.
	 */
	*answerInSteps<const Q extends readonly Query[]>(queries: Q): Steps<Answers<Q>> {
		const answers: Answer<Query>[] = [];
		for (const query of queries) {
			if (answers.length % stepSize === stepSize - 1) yield;
			const answer = this.#answer(query);
			answers.push(isSteps(answer) ? yield* answer : answer);
		}
		return answers as unknown as Answers<Q>;
	}

	/** Answers queries like {@link answer}; returns undefined if that takes more steps than allowed. */
	answerWithin<const Q extends readonly Query[]>(stepsAllowed: number, queries: Q): Answers<Q> | undefined {
		if (queries.length > queriesAtOnce) return undefined;
		const answers = new Array<Answer<Query>>(queries.length);
		let done = 0;
		for (let at = 0; at < queries.length; at++) {
			let answer = this.#answer(queries[at]!);
			if (isSteps(answer)) {
				const steps: Steps<Answer<Query>> = answer;
				let step = steps.next();
				for (; !step.done && done < stepsAllowed; done++) step = steps.next();
				if (!step.done) return undefined;
				answer = step.value;
			}
			answers[at] = answer;
		}
		return answers as unknown as Answers<Q>;
	}

	#stored(entries: readonly Entry[]): StoredNode[] {
		return entries.map((entry) => this.#graph.stored(entry));
	}

	/** Returns the answer; if it may be long, the steps to it. */
	#answer(query: Query): Answer<Query> | Steps<Answer<Query>> {
		switch (query.type) {
			case "node": {
				const entry = this.#locate(query.at);
				return entry === undefined ? null : this.#graph.stored(entry);
			}
			case "children": {
				const children = this.#childrenOf(query);
				return children.length > stepSize ? this.#graph.storedAll(children) : this.#stored(children);
			}
			case "ancestors":
				return this.#ancestors(query.of, query.limit);
			case "subtree":
				return this.#subtree(query.of);
			case "related":
				return this.#graph.related(query.ids);
			case "taken":
				return this.#taken(query.shortIds);
			case "keys":
				return this.#keysIn(query.group);
			case "documents":
				return this.#documents.found(query);
			case "changes":
				// Each search asks, and most find nothing new.
				if (query.since >= this.revision) return this.#noChanges();
				return this.#changesSince(query.since, query.limit);
		}
	}

	#taken(shortIds: readonly string[]): readonly string[] | Steps<readonly string[]> {
		// Most operations draw one id.
		if (shortIds.length === 1) return this.#graph.withShortId(shortIds[0]!) === undefined ? none : shortIds.slice();
		return this.#takenOf(shortIds);
	}

	*#takenOf(shortIds: readonly string[]): Steps<string[]> {
		const taken = new Set<string>();
		for (const [at, shortId] of shortIds.entries()) {
			if (at % stepSize === stepSize - 1) yield;
			if (this.#graph.withShortId(shortId) !== undefined) taken.add(shortId);
		}
		return [...taken];
	}

	#locate(at: Locator): Entry | undefined {
		if ("id" in at) return this.#graph.get(at.id);
		if ("shortId" in at) return this.#graph.withShortId(at.shortId);
		const id = this.#keys.get(at.key)?.nodeId;
		return id === undefined ? undefined : this.#graph.get(id);
	}

	#childrenOf(query: Extract<Query, { type: "children" }>): Entry[] {
		const { of, scope } = query;
		if (of === null) return this.#graph.top()?.range(query) ?? [];
		const parent = this.#locate(of);
		if (parent === undefined) return [];
		const { originId } = parent.record;
		const origin = scope === "own" || originId === null ? undefined : this.#graph.get(originId);
		const own = this.#graph.childrenOf(parent)?.range(query) ?? [];
		if (origin === undefined) return own;
		return merge(this.#graph.childrenOf(origin)?.range(query) ?? [], own, query);
	}

	#ancestors(of: Locator, limit = Number.POSITIVE_INFINITY): string[] {
		const ids: string[] = [];
		let seen: Set<string> | null = null;
		let entry = this.#locate(of) ?? null;
		for (; entry !== null && ids.length < limit; entry = this.#graph.parentOf(entry)) {
			// Only in a damaged outline is a node its own ancestor. So this is checked only if the list gets long.
			if (ids.length === commonDepth) {
				seen = new Set(ids);
				if (seen.size < commonDepth) return [...seen];
			}
			const { id } = entry.record;
			if (seen?.has(id)) break;
			seen?.add(id);
			ids.push(id);
		}
		return ids;
	}

	*#subtree(of: Locator): Steps<Subtree> {
		const root = this.#locate(of);
		const entries = new Set(root === undefined ? [] : [root]);
		const nodes: StoredNode[] = [];
		const keys: KeyRecord[] = [];
		const subtree = { nodes, keys };
		let seen = 0;
		// Grows while it is read: each node's children are added at its end.
		for (const entry of entries) {
			if (nodes.push(this.#graph.stored(entry)) % stepSize === 0) yield;
			for (const child of this.#graph.childrenOf(entry)?.all() ?? none) {
				if (++seen % stepSize === 0) yield;
				entries.add(child);
			}
			if (this.#keysOf.size === 0) continue;
			for (const key of this.#keysOf.get(entry.record.id) ?? none) keys.push(this.#keys.get(key)!);
		}
		return subtree;
	}

	#keysIn(group: string): StoredKey[] {
		return Array.from(this.#groups.get(group) ?? none).flatMap((key) => {
			const record = this.#keys.get(key)!;
			const entry = this.#graph.get(record.nodeId);
			return entry === undefined ? [] : [{ record, node: this.#graph.stored(entry) }];
		});
	}

	#noChanges(): ChangedSince {
		return { nodes: [], deleted: [], keys: [], droppedKeys: [], revision: this.revision, horizon: this.horizon };
	}

	*#changesSince(since: number, limit: number): Steps<ChangedSince> {
		this.#log ??= yield* ChangeLog.of(this.#graph, {
			keys: this.#keys,
			deleted: this.#tombstones.nodes,
			droppedKeys: this.#tombstones.keys,
		});
		return yield* this.#log.since(since, limit, this.revision, this.horizon);
	}

	#setKey(key: string, record: KeyRecord | null): void {
		const before = this.#keys.get(key);
		if (before !== undefined) {
			this.#keys.delete(key);
			removeFrom(this.#groups, before.group, key);
			removeFrom(this.#keysOf, before.nodeId, key);
		}
		if (record === null) return;
		this.#keys.set(key, record);
		addTo(this.#groups, record.group, key);
		addTo(this.#keysOf, record.nodeId, key);
	}
}

function isSteps(answer: Answer<Query> | Steps<Answer<Query>>): answer is Steps<Answer<Query>> {
	return answer !== null && "next" in answer;
}

function merge(
	left: readonly Entry[],
	right: readonly Entry[],
	{ limit = Number.POSITIVE_INFINITY, fromLast = false }: { limit?: number; fromLast?: boolean },
): Entry[] {
	const merged: Entry[] = [];
	for (let at = 0, other = 0; at < left.length || other < right.length; ) {
		const first = left[at];
		const second = right[other];
		if (second === undefined || (first !== undefined && byPlace(first.record, second.record) < 0)) {
			merged.push(first!);
			at += 1;
		} else {
			merged.push(second);
			other += 1;
		}
	}
	if (merged.length <= limit) return merged;
	return fromLast ? merged.slice(-limit) : merged.slice(0, limit);
}

function addTo(sets: Map<string, Set<string>>, name: string, value: string): void {
	const set = sets.get(name);
	if (set === undefined) sets.set(name, new Set([value]));
	else set.add(value);
}

function removeFrom(sets: Map<string, Set<string>>, name: string, value: string): void {
	const set = sets.get(name);
	set?.delete(value);
	if (set?.size === 0) sets.delete(name);
}

/** Returns the tombstones of commits after a revision. */
function* laterThan(horizon: number, tombstones: ReadonlyMap<string, number>): Steps<Map<string, number>> {
	const later = new Map<string, number>();
	let seen = 0;
	for (const [name, revision] of tombstones) {
		if (++seen % tombstonesInStep === 0) yield;
		if (revision > horizon) later.set(name, revision);
	}
	return later;
}

/** Returns the tombstone of a name as a list, which is empty if there is none. */
function revisionsOf(name: string, tombstones: ReadonlyMap<string, number>): (readonly [string, number])[] {
	const revision = tombstones.get(name);
	return revision === undefined ? [] : [[name, revision]];
}
