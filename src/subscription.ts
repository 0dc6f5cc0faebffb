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
	readonly #sent = new Set<Batch>();
	/** Events that came ahead of an earlier revision, by revision. */
	readonly #early = new Map<number, OutlineEvent>();
	/** The revision to be told of next; null until the first commit after somebody began to listen. */
	#next: number | null = null;
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
		const token = {};
		this.#listeners.set(token, listener);
		this.#unwatch ??= this.#storage.watch?.((notice) => this.#notice(notice));
		return () => {
			if (this.#listeners.delete(token) && !this.active) this.stop();
		};
	}

	/** Removes every listener. */
	stop(): void {
		this.#listeners.clear();
		this.#early.clear();
		this.#next = null;
		this.#unwatch?.();
		this.#unwatch = undefined;
	}

	/** A batch of this outline is on its way to the storage. */
	sending(batch: Batch): void {
		this.#sent.add(batch);
	}

	/** It was refused. */
	dropped(batch: Batch): void {
		this.#sent.delete(batch);
	}

	/** It is durable. `changes` gives its views; null if nobody listened when it was worked out. */
	committed(batch: Batch, revision: number, changes: (() => OutlineChange[]) | null): void {
		this.#sent.delete(batch);
		if (!this.active || changes === null) return;
		if (this.#unwatch === undefined) this.#emit({ revision, source: "local", changes: changes() });
		else if (this.#next === null || revision >= this.#next) {
			this.#deliver({ revision, source: "local", changes: changes() });
		}
	}

	#notice({ revision, detail }: CommitNotice): void {
		if (detail === undefined) {
			this.#next ??= revision;
			if (revision >= this.#next) void this.#fetch();
			return;
		}
		const source = this.#sent.has(detail.batch) ? "local" : "remote";
		this.#deliver({ revision, source, changes: changedViews(detail.batch, detail.related) });
	}

	#deliver(event: OutlineEvent): void {
		this.#next ??= event.revision;
		if (event.revision < this.#next) return;
		this.#early.set(event.revision, event);
		this.#release();
		if (this.#early.size > 0) void this.#fetch();
	}

	#release(): void {
		for (let event = this.#early.get(this.#next!); event !== undefined; event = this.#early.get(this.#next!)) {
			this.#early.delete(event.revision);
			this.#next = event.revision + 1;
			this.#emit(event);
		}
	}

	/** Reads what others committed when the storage told no more than that they did. */
	async #fetch(): Promise<void> {
		if (this.#fetching) return;
		this.#fetching = true;
		try {
			for (let more = true; more && this.#next !== null; ) {
				const since = this.#next - 1;
				const { settled } = await read(this.#storage, () => changesSince(since));
				if ("error" in settled) throw settled.error;
				const { revision, changes } = settled.value;
				if (this.#next === null || this.#next - 1 !== since) continue;
				more = revision > since && changes.length > 0;
				const own = [...this.#early.values()].filter((event) => event.revision <= revision);
				const told = new Set(own.flatMap((event) => event.changes.map(({ id }) => id)));
				for (const event of own.sort((left, right) => left.revision - right.revision)) {
					this.#early.delete(event.revision);
					this.#emit(event);
				}
				const remote = changes.filter(({ id }) => !told.has(id));
				this.#next = Math.max(this.#next ?? 0, revision + 1);
				if (remote.length > 0) this.#emit({ revision, source: "remote", changes: remote });
				this.#release();
			}
		} catch {
			// A storage that can't be read now gives notice of the next commit, and the changes are fetched then.
		} finally {
			this.#fetching = false;
		}
	}

	#emit(event: OutlineEvent): void {
		for (const listener of [...this.#listeners.values()]) {
			try {
				listener(event);
			} catch (error) {
				// It isn't the writer's fault, and must not keep the others from hearing: it surfaces as unhandled.
				void Promise.reject(error);
			}
		}
	}
}

function* changesSince(since: number): Reading<{ revision: number; changes: OutlineChange[] }> {
	const [{ nodes, deleted, revision }] = yield* ask({ type: "changes", since, limit: fetchLimit });
	const [related] = yield* ask({ type: "related", ids: nodes.map(({ id }) => id) });
	return {
		revision,
		changes: [
			...related.map((node) => ({ id: node.record.id, after: nodeView(node) })),
			...deleted.map(({ id }) => ({ id })),
		],
	};
}
