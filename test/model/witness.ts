import type {
	Answers,
	Batch,
	CommitNotice,
	KeyRecord,
	NodeRecord,
	Peek,
	Query,
	Snapshot,
	StorageAdapter,
	StoredNode,
} from "../../src/storage.js";

/** The whole content of a storage, in a plain form. */
export interface StoredState {
	readonly revision: number;
	readonly nodes: ReadonlyMap<string, NodeRecord>;
	readonly keys: ReadonlyMap<string, KeyRecord>;
	/** The revisions of deleted nodes and dropped keys. */
	readonly deleted: ReadonlyMap<string, number>;
	readonly droppedKeys: ReadonlyMap<string, number>;
	/** The values of the documents. */
	readonly documents: ReadonlyMap<string, string>;
	readonly horizon: number;
}

const nothing = { nodes: new Map(), keys: new Map(), deleted: new Map(), droppedKeys: new Map(), documents: new Map() };
const empty: StoredState = { revision: 0, horizon: 0, ...nothing };

/**
 * A storage between an outline and its storage that records which commits are under way and which are
 * acknowledged.
 */
export class Witness implements StorageAdapter {
	/** The state after all acknowledged commits. */
	acknowledged: StoredState;
	/** The commits that are neither acknowledged nor refused, in the order of their revisions. */
	readonly underWay: Batch[] = [];
	/**
	 * The states with commits that the storage refused after the last acknowledgement. They were reported as
	 * failed, but after a power cut the disk may have any of them.
	 */
	refused: StoredState[] = [];
	/** Called after each acknowledged commit. */
	onAcknowledged: () => void = () => undefined;

	constructor(
		readonly storage: StorageAdapter,
		start: StoredState = empty,
	) {
		this.acknowledged = start;
	}

	/**
	 * Returns the states that are possible after a crash now: the acknowledged one, then with any number of
	 * commits under way.
	 */
	possible(): StoredState[] {
		const states = [this.acknowledged];
		for (const batch of this.underWay) states.push(withBatch(states.at(-1)!, batch));
		return states;
	}

	read<const Q extends readonly Query[]>(queries: Q): Promise<Snapshot<Q>> {
		return this.storage.read(queries);
	}

	peek<const Q extends readonly Query[]>(queries: Q): Peek<Q> | undefined {
		return this.storage.peek?.(queries);
	}

	async commit(batch: Batch): Promise<number> {
		const committing = this.storage.commit(batch);
		if (batch.base === this.acknowledged.revision + this.underWay.length) this.underWay.push(batch);
		try {
			const revision = await committing;
			if (this.underWay[0] !== batch)
				throw new Error("a commit was acknowledged before the commit that it is based on");
			this.underWay.shift();
			this.acknowledged = withBatch(this.acknowledged, batch);
			this.refused = [];
			this.onAcknowledged();
			return revision;
		} catch (error) {
			const place = this.underWay.indexOf(batch);
			if (place >= 0) {
				this.refused.push(...this.possible().slice(1));
				this.underWay.splice(place);
			}
			throw error;
		}
	}

	scan(): AsyncIterable<readonly StoredNode[]> {
		return this.storage.scan();
	}

	watch(listener: (notice: CommitNotice) => void): () => void {
		return this.storage.watch?.(listener) ?? (() => undefined);
	}

	close(): Promise<void> {
		return this.storage.close();
	}
}

/** Returns everything that can be read from a storage, but only the keys in `keyGroups`. */
export async function storedState(storage: StorageAdapter, keyGroups: Iterable<string>): Promise<StoredState> {
	const nodes = new Map<string, NodeRecord>();
	for await (const chunk of storage.scan()) for (const { record } of chunk) nodes.set(record.id, record);
	const groups = Array.from(keyGroups, (group) => ({ type: "keys", group }) as const);
	const { revision, results } = await storage.read([
		{ type: "changes", since: 0, limit: Number.MAX_SAFE_INTEGER },
		{ type: "documents", prefix: "" },
		...groups,
	]);
	const [changes, documents, ...keys] = results as Answers<
		[{ type: "changes"; since: number; limit: number }, { type: "documents"; prefix: string }, ...typeof groups]
	>;
	if (changes.nodes.length !== nodes.size) throw new Error("a scan and the changes since the beginning differ");
	const listed = keys.flat().map(({ record }) => record.key);
	const told = new Set(changes.keys.map(({ key }) => key));
	if (listed.some((key) => !told.has(key))) throw new Error("the changes since the beginning lack a key");
	return {
		revision,
		nodes,
		keys: new Map(keys.flat().map(({ record }) => [record.key, record])),
		deleted: new Map(changes.deleted.map(({ id, revision }) => [id, revision])),
		droppedKeys: new Map(changes.droppedKeys.map(({ key, revision }) => [key, revision])),
		documents: new Map(documents.map(({ key, value }) => [key, value])),
		horizon: changes.horizon,
	};
}

/** The groups of the keys in a state. */
export function keyGroups(state: StoredState): Set<string> {
	return new Set(["shortcut", "system", ...Array.from(state.keys.values(), ({ group }) => group)]);
}

/** The texts of states, which never change. Trials compare with the same state many times. */
const texts = new WeakMap<StoredState, string>();

/** Returns a text that is the same for the same state. */
export function stateText(state: StoredState): string {
	const text = texts.get(state) ?? textOf(state);
	texts.set(state, text);
	return text;
}

function textOf({ revision, horizon, ...maps }: StoredState): string {
	const sorted = <T>(entries: ReadonlyMap<string, T>) =>
		[...entries].sort(([left], [right]) => (left < right ? -1 : 1)).map(([name, value]) => [name, ordered(value)]);
	const lists = Object.entries(maps).map(([name, map]) => [name, sorted<unknown>(map)]);
	return JSON.stringify({ revision, horizon, ...Object.fromEntries(lists) }, null, 1);
}

function ordered(value: unknown): unknown {
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
}

function withBatch(state: StoredState, batch: Batch): StoredState {
	if (batch.base !== state.revision)
		throw new Error(`the storage accepted a commit on ${batch.base} at ${state.revision}`);
	const nodes = new Map(state.nodes);
	const keys = new Map(state.keys);
	const deleted = new Map(state.deleted);
	const droppedKeys = new Map(state.droppedKeys);
	const documents = new Map(state.documents);
	for (const { before, after } of batch.nodes) {
		if (after === null) {
			nodes.delete(before!.id);
			deleted.set(before!.id, batch.base + 1);
		} else {
			nodes.set(after.id, after);
			deleted.delete(after.id);
		}
	}
	for (const { before, after } of batch.keys) {
		if (after === null) {
			keys.delete(before!.key);
			droppedKeys.set(before!.key, batch.base + 1);
		} else {
			keys.set(after.key, after);
			droppedKeys.delete(after.key);
		}
	}
	for (const { key, value } of batch.documents?.put ?? []) documents.set(key, value);
	for (const key of batch.documents?.dropped ?? []) documents.delete(key);
	const { horizon = state.horizon } = batch;
	for (const tombstones of [deleted, droppedKeys]) {
		for (const [name, revision] of tombstones) if (revision <= horizon) tombstones.delete(name);
	}
	return { revision: batch.base + 1, nodes, keys, deleted, droppedKeys, documents, horizon };
}
