import { nodeView } from "../node.js";
import { finished, paced } from "../pace.js";
import type { Batch, CommitNotice, StorageAdapter } from "../storage.js";
import {
	type ChangedKey,
	changedKey,
	changedKeys,
	changedViews,
	type OutlineChange,
	type OutlineEvent,
} from "./event.js";
import { notifyAll } from "./listeners.js";
import { after, promised } from "./promises.js";
import { ask, Counter, type Operation, pause, read } from "./protocol.js";

/** A function that receives the event of each commit, in order of revision. */
export type OutlineListener = (event: OutlineEvent) => void;

/** The most nodes of a commit whose event is computed at once, without slices. */
const viewsAtOnce = 2000;

/** The most changes that one query fetches if a notice has none. */
const fetchLimit = 1000;

/** The pause before changes that couldn't be read are read again, in milliseconds. */
const retryPause = 1000;

/**
 * Notifies listeners of commits: of its own outline's when they are durable, and of other writers' when the
 * storage announces them. It watches the storage only while there are listeners.
 */
export class Subscription {
	readonly #storage: StorageAdapter;
	readonly #listeners = new Map<object, OutlineListener>();
	/** The batches of this outline that the storage is committing, with their changes for listeners. */
	readonly #sent: { readonly batch: Batch; readonly views: readonly OutlineChange[] | null }[] = [];
	/** Events that arrived before the event of an earlier revision, by revision. */
	readonly #early = new Map<number, OutlineEvent>();
	/** The revision of the next event; null until the storage has returned its revision. */
	#next: number | null = null;
	/** Resolves when the storage has returned its revision; null if nothing waits for that. */
	#starting: Promise<void> | null = null;
	/** The highest revision that is known to have changes to fetch: of a notice without changes, or of an early event. */
	#noticed = 0;
	#unwatch: (() => void) | undefined;
	#fetching = false;
	/** The revision after which changes of other writers couldn't be read; null if all could. */
	#unread: number | null = null;
	#cancelRetry = () => {};
	/** The number of events that are being computed in slices. */
	#underWay = 0;

	constructor(storage: StorageAdapter) {
		this.#storage = storage;
	}

	/** Whether there are listeners. */
	get active(): boolean {
		return this.#listeners.size > 0;
	}

	/** Resolves when the first revision of which listeners are notified is known; null if it is known. */
	get starting(): Promise<void> | null {
		return this.#starting;
	}

	/** Adds a listener. Returns a function that removes it. */
	add(listener: OutlineListener): () => void {
		if (!this.active) {
			this.#unwatch = this.#storage.watch?.((notice) => this.#notice(notice));
			// Commits up to now, durable or not, came before the listener.
			const seen = this.#storage.peek?.([]);
			if (seen !== undefined) this.#next = seen.revision + 1;
			else if (this.#unwatch !== undefined) this.#starting = this.#start(this.#unwatch);
		}
		const token = {};
		this.#listeners.set(token, listener);
		return () => {
			if (this.#listeners.delete(token) && !this.active) this.stop();
		};
	}

	/** Removes every listener. */
	stop(): void {
		this.#listeners.clear();
		this.#early.clear();
		this.#next = null;
		this.#starting = null;
		this.#noticed = 0;
		this.#unread = null;
		this.#cancelRetry();
		this.#unwatch?.();
		this.#unwatch = undefined;
	}

	/** Records that a batch of this outline goes to the storage. `views` is null if there were no listeners. */
	sending(batch: Batch, views: readonly OutlineChange[] | null): void {
		this.#sent.push({ batch, views });
	}

	/** Records that the storage refused a batch. */
	refused(batch: Batch): void {
		this.#arrived(batch);
		this.#catchUp();
	}

	/**
	 * Records that a batch is durable, and notifies the listeners. Returns a promise to await before the operation
	 * resolves, or null: the first event may wait for the revision of the storage.
	 */
	committed(batch: Batch, revision: number): Promise<void> | null {
		const views = this.#arrived(batch);
		if (!this.active) return null;
		if (views !== null && (this.#next === null || revision >= this.#next)) {
			const event: OutlineEvent = { revision, source: "local", changes: views, keys: changedKeys(batch.keys) };
			// A storage without `watch` announces no other writers, so its events need no ordering.
			if (this.#unwatch === undefined) notifyAll(this.#listeners, event);
			else this.#deliver(event);
		}
		this.#catchUp();
		return this.#starting;
	}

	#arrived(batch: Batch): readonly OutlineChange[] | null {
		// Mostly it is the only batch, or the first.
		const isFirst = this.#sent[0]!.batch === batch;
		const index = isFirst ? 0 : this.#sent.findIndex((sent) => sent.batch === batch);
		const { views } = this.#sent[index]!;
		if (isFirst) this.#sent.shift();
		else this.#sent.splice(index, 1);
		return views;
	}

	#notice({ revision, detail }: CommitNotice): void {
		if (detail !== undefined) {
			const { batch, related } = detail;
			const own = this.#sent.find((sent) => sent.batch === batch);
			const rest = { revision, source: own === undefined ? "remote" : "local", keys: changedKeys(batch.keys) } as const;
			if (own?.views) this.#deliver({ ...rest, changes: own.views });
			else if (batch.nodes.length <= viewsAtOnce) {
				this.#deliver({ ...rest, changes: finished(changedViews(batch.nodes, related)) });
			} else void this.#deliverLater(rest, paced(changedViews(batch.nodes, related)));
			return;
		}
		this.#noticed = Math.max(this.#noticed, revision);
		this.#catchUp();
	}

	/** Notifies of a large commit once its event is computed. Later events wait. */
	async #deliverLater(rest: Omit<OutlineEvent, "changes">, changes: Promise<readonly OutlineChange[]>): Promise<void> {
		const watching = this.#unwatch;
		this.#underWay += 1;
		const event: OutlineEvent = { ...rest, changes: await changes };
		this.#underWay -= 1;
		if (this.#unwatch === watching) this.#deliver(event);
		this.#catchUp();
	}

	/** Finds the revision to begin with. Events that arrive meanwhile came after the listener. */
	async #start(watching: () => void): Promise<void> {
		const now = await promised(() => this.#storage.read([])).then(
			({ revision }) => revision,
			() => Number.POSITIVE_INFINITY,
		);
		if (this.#unwatch !== watching) return;
		this.#starting = null;
		const first = Math.min(now + 1, ...this.#early.keys());
		// If the storage can't be read, its next notice has the revision.
		this.#next = Number.isFinite(first) ? first : Math.max(this.#noticed, 1);
		this.#release();
	}

	#deliver(event: OutlineEvent): void {
		if (this.#next !== null && event.revision < this.#next) return;
		this.#early.set(event.revision, event);
		this.#release();
	}

	#release(): void {
		for (let event = this.#upcoming(); event !== undefined; event = this.#upcoming()) this.#pass(event);
		this.#noticed = Math.max(this.#noticed, ...this.#early.keys());
		this.#catchUp();
	}

	#upcoming(): OutlineEvent | undefined {
		return this.#next === null ? undefined : this.#early.get(this.#next);
	}

	/** Fetches the changes of announced revisions, unless they may turn out to be this outline's own. */
	#catchUp(): void {
		if (this.#next === null || this.#fetching || this.#underWay > 0) return;
		if (this.#next > this.#noticed && this.#unread === null) return;
		for (const { batch } of this.#sent) if (batch.base + 1 <= this.#noticed) return;
		void this.#fetch(this.#unread ?? this.#next - 1);
	}

	async #fetch(since: number): Promise<void> {
		this.#fetching = true;
		let fetched: FetchedChanges | undefined;
		try {
			const { settled } = await read(this.#storage, () => fetchChanges(since));
			if ("value" in settled) fetched = settled.value;
		} catch {
			// The changes of other writers can't be read now. The listeners still receive this outline's own, and
			// the rest later.
		}
		this.#fetching = false;
		// The listeners may be gone meanwhile, or be new ones from a later revision on.
		if (this.#next === null || (this.#unread === null && this.#next - 1 !== since)) return this.#catchUp();
		const passed = this.#next - 1;
		this.#unread = fetched === undefined ? since : fetched.revision < passed ? fetched.revision : null;
		const until = Math.max(passed, fetched?.revision ?? Math.max(this.#noticed, ...this.#early.keys()));
		const events = new Map(fetched?.events);
		for (const [revision, event] of this.#early) {
			// The fetched event may have nodes of earlier commits too, such as mirrors of a renamed origin.
			const own = new Set(event.changes.map(({ id }) => id));
			const { changes = [], expired } = events.get(revision) ?? {};
			const others = changes.filter(({ id }) => !own.has(id));
			const whole = others.length === 0 ? event : { ...event, changes: [...event.changes, ...others] };
			events.set(revision, expired ? { ...whole, expired } : whole);
		}
		// Changes that are read late come in one event of the last revision that was passed.
		const late = [...events.values()].filter(({ revision }) => revision <= passed);
		const [changes, keys] = [late.flatMap((event) => event.changes), late.flatMap((event) => event.keys)];
		if (late.length > 0) events.set(passed, Object.assign({}, ...late, { revision: passed, changes, keys }));
		for (const revision of [...events.keys()].sort((left, right) => left - right)) {
			if (revision > until) break;
			if (revision < passed) continue;
			this.#pass(events.get(revision)!);
			if (this.#next === null) return;
		}
		this.#next = Math.max(this.#next, until + 1);
		if (fetched !== undefined) return this.#catchUp();
		// The next notice may come earlier.
		this.#cancelRetry();
		this.#cancelRetry = after(retryPause, () => this.#catchUp());
	}

	#pass(event: OutlineEvent): void {
		this.#early.delete(event.revision);
		this.#next = event.revision + 1;
		notifyAll(this.#listeners, event);
	}
}

/** Fetched changes: the events by the revision that last changed each node or key. */
interface FetchedChanges {
	readonly revision: number;
	readonly events: ReadonlyMap<number, OutlineEvent>;
}

function* fetchChanges(since: number): Operation<FetchedChanges> {
	const [changed] = yield* ask({ type: "changes", since, limit: fetchLimit });
	const { nodes, deleted, keys, droppedKeys, horizon, revision } = changed;
	const [related] = yield* ask({ type: "related", ids: nodes.map(({ id }) => id) });
	const events = new Map<number, { changes: OutlineChange[]; keys: ChangedKey[] } & OutlineEvent>();
	const eventAt = (at: number) => {
		const event = events.get(at) ?? { revision: at, source: "remote", changes: [], keys: [] };
		events.set(at, event);
		return event;
	};
	const counter = new Counter();
	for (const node of related) {
		if (counter.isDue()) yield* pause();
		// A mirror also changes with its origin.
		const newest = Math.max(node.record.revision, node.origin?.revision ?? 0);
		// A node with an older revision is an origin or a mirror of a written node. Its view changed in the last
		// of these commits at the latest.
		const at = newest > since ? newest : revision;
		eventAt(at).changes.push({ id: node.record.id, after: nodeView(node) });
	}
	for (const { id, revision } of deleted) eventAt(revision).changes.push({ id });
	for (const { key, nodeId, revision } of keys) eventAt(revision).keys.push(changedKey(key, nodeId));
	for (const { key, revision } of droppedKeys) eventAt(revision).keys.push(changedKey(key, null));
	if (since < horizon) events.set(revision, { ...eventAt(revision), expired: true });
	return { revision, events };
}
