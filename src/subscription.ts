import { changedViews, type OutlineChange, type OutlineEvent } from "./change.js";
import { nodeView } from "./node.js";
import { ask, type Reading, read } from "./operation.js";
import type { Batch, CommitNotice, StorageAdapter } from "./storage.js";

/** Hears of each commit, in order of revision. */
export type OutlineListener = (event: OutlineEvent) => void;

/** The most changes that are fetched at once when a notice doesn't bring them along. */
const fetchLimit = 1000;

/**
 * Tells listeners of commits: of those made here when they are durable, and of others' when the storage gives notice. It
 * watches the storage only while somebody listens.
 */
export class Subscription {
	readonly #storage: StorageAdapter;
	readonly #listeners = new Map<object, OutlineListener>();
	/** The batches of this outline that are being committed. */
	readonly #sent: Batch[] = [];
	/** Events that came ahead of an earlier revision, by revision. */
	readonly #early = new Map<number, OutlineEvent>();
	/** The revision to be told of next; null until the storage has said at which it is. */
	#next: number | null = null;
	/** The highest revision that there was a notice of without its changes. */
	#noticed = 0;
	#unwatch: (() => void) | undefined;
	#fetching = false;

	constructor(storage: StorageAdapter) {
		this.#storage = storage;
	}

	/** Whether anybody listens. */
	get active(): boolean {
		return this.#listeners.size > 0;
	}

	/** Adds a listener; returns what removes it. */
	add(listener: OutlineListener): () => void {
		if (!this.active) {
			this.#unwatch = this.#storage.watch?.((notice) => this.#notice(notice));
			// What has been committed by now, durable or not, came before the listener.
			const seen = this.#storage.peek?.([]);
			if (seen !== undefined) this.#next = seen.revision + 1;
			else if (this.#unwatch !== undefined) void this.#start(this.#unwatch);
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
		this.#noticed = 0;
		this.#unwatch?.();
		this.#unwatch = undefined;
	}

	/** A batch of this outline is on its way to the storage. */
	sending(batch: Batch): void {
		this.#sent.push(batch);
	}

	/** It was refused. */
	dropped(batch: Batch): void {
		this.#arrived(batch);
		this.#catchUp();
	}

	/** It is durable. `changes` gives its views; null if nobody listened when it was worked out. */
	committed(batch: Batch, revision: number, changes: (() => OutlineChange[]) | null): void {
		this.#arrived(batch);
		if (!this.active) return;
		if (changes !== null && (this.#next === null || revision >= this.#next)) {
			const event: OutlineEvent = { revision, source: "local", changes: changes() };
			if (this.#unwatch === undefined) this.#emit(event);
			else this.#deliver(event);
		}
		this.#catchUp();
	}

	#arrived(batch: Batch): void {
		// Mostly it is the only one, or the first.
		if (this.#sent[0] === batch) this.#sent.shift();
		else this.#sent.splice(this.#sent.indexOf(batch), 1);
	}

	#notice({ revision, detail }: CommitNotice): void {
		if (detail !== undefined) {
			const source = this.#sent.includes(detail.batch) ? "local" : "remote";
			this.#deliver({ revision, source, changes: changedViews(detail.batch, detail.related) });
			return;
		}
		this.#noticed = Math.max(this.#noticed, revision);
		this.#catchUp();
	}

	/** Finds out where to begin. What came to be known meanwhile came after the listener. */
	async #start(watching: () => void): Promise<void> {
		const now = await this.#storage.read([]).then(
			({ revision }) => revision,
			() => Number.POSITIVE_INFINITY,
		);
		if (this.#unwatch !== watching) return;
		const first = Math.min(now + 1, ...this.#early.keys());
		// A storage that can't be read has nothing to tell; its next notice says where it is.
		this.#next = Number.isFinite(first) ? first : Math.max(this.#noticed, 1);
		this.#release();
	}

	#deliver(event: OutlineEvent): void {
		if (this.#next !== null && event.revision < this.#next) return;
		this.#early.set(event.revision, event);
		this.#release();
	}

	#release(): void {
		for (let event = this.#upcoming(); event !== undefined; event = this.#upcoming()) this.#tell(event);
		this.#noticed = Math.max(this.#noticed, ...this.#early.keys());
		this.#catchUp();
	}

	#upcoming(): OutlineEvent | undefined {
		return this.#next === null ? undefined : this.#early.get(this.#next);
	}

	/** Fetches what has been noticed and isn't told yet, unless it may turn out to be this outline's own. */
	#catchUp(): void {
		if (this.#next === null || this.#next > this.#noticed || this.#fetching) return;
		for (const { base } of this.#sent) if (base + 1 <= this.#noticed) return;
		void this.#fetch(this.#next - 1);
	}

	async #fetch(since: number): Promise<void> {
		this.#fetching = true;
		let fetched: FetchedChanges | undefined;
		try {
			const { settled } = await read(this.#storage, () => changesSince(since));
			if ("value" in settled) fetched = settled.value;
		} catch {
			// Others' changes can't be read now. What is known of our own is told all the same, and the rest with the next notice.
		}
		this.#fetching = false;
		// Nobody may listen any more, or somebody else since a later revision.
		if (this.#next === null || this.#next - 1 !== since) return this.#catchUp();
		const until = fetched?.revision ?? Math.max(this.#noticed, ...this.#early.keys());
		const revisions = new Set([...this.#early.keys(), ...(fetched?.changes.keys() ?? [])]);
		for (const revision of [...revisions].sort((left, right) => left - right)) {
			if (revision > until) break;
			const changes = fetched?.changes.get(revision) ?? [];
			this.#tell(this.#early.get(revision) ?? { revision, source: "remote", changes });
			if (this.#next === null) return;
		}
		this.#next = Math.max(this.#next, until + 1);
		this.#catchUp();
	}

	#tell(event: OutlineEvent): void {
		this.#early.delete(event.revision);
		this.#next = event.revision + 1;
		this.#emit(event);
	}

	#emit(event: OutlineEvent): void {
		for (const [token, listener] of [...this.#listeners]) {
			if (!this.#listeners.has(token)) continue;
			try {
				listener(event);
			} catch (error) {
				// It isn't the writer's fault, and must not keep the others from hearing: it surfaces as unhandled.
				void Promise.reject(error);
			}
		}
	}
}

/** What has changed, by the revision that changed it last. */
interface FetchedChanges {
	readonly revision: number;
	readonly changes: ReadonlyMap<number, OutlineChange[]>;
}

function* changesSince(since: number): Reading<FetchedChanges> {
	const [{ nodes, deleted, revision }] = yield* ask({ type: "changes", since, limit: fetchLimit });
	const [related] = yield* ask({ type: "related", ids: nodes.map(({ id }) => id) });
	const changes = new Map<number, OutlineChange[]>();
	const add = (at: number, change: OutlineChange) => changes.set(at, [...(changes.get(at) ?? []), change]);
	for (const node of related) {
		// A node that was not written itself is an origin or a mirror of one that was, in the last of these commits at most.
		const at = node.record.revision > since ? node.record.revision : revision;
		add(at, { id: node.record.id, after: nodeView(node) });
	}
	for (const tombstone of deleted) add(tombstone.revision, { id: tombstone.id });
	return { revision, changes };
}
