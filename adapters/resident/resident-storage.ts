import { OutlineError } from "../../src/errors.js";
import {
	type Batch,
	type CommitNotice,
	type NodeRecord,
	type Peek,
	type Query,
	relatedIds,
	type Snapshot,
	type StorageAdapter,
	type StoredNode,
} from "../../src/storage.js";
import type { Journal } from "./journal.js";
import { type IndexImage, RecordIndex, type Undo } from "./record-index.js";

/** How many nodes a scan gives at once. */
const chunkSize = 500;

/** A commit that is in the index, but not yet in the journal. */
interface Pending {
	readonly batch: Batch;
	readonly revision: number;
	readonly undo: Undo;
	readonly related: readonly StoredNode[] | null;
	/** Undefined until it is known. */
	outcome?: "durable" | "taken back";
	resolve(revision: number): void;
	reject(error: unknown): void;
}

/**
 * A storage that keeps the outline in one index in memory. A commit is applied to the index at once and acknowledged when
 * the journal has it; commits that come while the journal is being written share the next write. If writing fails, the
 * index goes back to what is durable.
 */
export class ResidentStorage implements StorageAdapter {
	readonly #journal: Journal | null;
	#index = new RecordIndex();
	/** What watchers are still to be told, the first of it being told now. */
	readonly #notices: CommitNotice[] = [];
	readonly #watchers = new Map<object, (notice: CommitNotice) => void>();
	/** For each scan under way, the nodes that have changed since it began, as they were. */
	readonly #scans = new Set<Map<string, StoredNode>>();
	readonly #pending: Pending[] = [];
	readonly #waiting: (() => void)[] = [];
	#durable = 0;
	#opening: Promise<void> | null = null;
	#open: boolean;
	#flushing: Promise<void> | null = null;
	#snapshotting: Promise<void> | null = null;
	#closing: Promise<void> | null = null;

	/** @param journal - where commits are kept; null keeps them in memory alone */
	constructor(journal: Journal | null) {
		this.#journal = journal;
		this.#open = journal === null;
	}

	async read<const Q extends readonly Query[]>(queries: Q): Promise<Snapshot<Q>> {
		await this.#ready();
		for (;;) {
			const { revision } = this.#index;
			const results = this.#index.answer(queries);
			if (await this.#becameDurable(revision)) return { revision, results };
		}
	}

	peek<const Q extends readonly Query[]>(queries: Q): Peek<Q> | undefined {
		if (!this.#open || this.#closing !== null) return undefined;
		const { revision } = this.#index;
		return { revision, durable: this.#durable === revision, results: this.#index.answer(queries) };
	}

	async commit(batch: Batch): Promise<number> {
		if (!this.#open || this.#closing !== null) await this.#ready();
		if (batch.base !== this.#index.revision) {
			throw new OutlineError(
				"conflict",
				`The commit is based on revision ${batch.base}, and the outline is at ${this.#index.revision}.`,
			);
		}
		const revision = batch.base + 1;
		const related = this.#keepWhatChanges(batch);
		if (this.#journal === null) {
			this.#index.apply(batch);
			this.#durable = revision;
			this.#notify({ revision, batch, related });
			return revision;
		}
		const undo = this.#index.undo(batch);
		this.#index.apply(batch);
		return new Promise((resolve, reject) => {
			this.#pending.push({ batch, revision, undo, related, resolve, reject });
			this.#flushing ??= this.#flush(this.#journal!);
		});
	}

	async *scan(): AsyncIterable<readonly StoredNode[]> {
		await this.#ready();
		const earlier = new Map<string, StoredNode>();
		try {
			let records: readonly NodeRecord[];
			let revision: number;
			do {
				earlier.clear();
				this.#scans.add(earlier);
				revision = this.#index.revision;
				records = this.#index.image().nodes;
			} while (!(await this.#becameDurable(revision)));
			for (let at = 0; at < records.length; at += chunkSize) {
				if (this.#closing !== null) throw closed();
				yield records.slice(at, at + chunkSize).map((record) => earlier.get(record.id) ?? this.#index.stored(record));
			}
		} finally {
			this.#scans.delete(earlier);
		}
	}

	watch(listener: (notice: CommitNotice) => void): () => void {
		const token = {};
		this.#watchers.set(token, listener);
		return () => {
			this.#watchers.delete(token);
		};
	}

	close(): Promise<void> {
		this.#closing ??= this.#close();
		return this.#closing;
	}

	async #close(): Promise<void> {
		await this.#opening?.catch(() => {});
		await this.#flushing;
		await this.#snapshotting;
		this.#watchers.clear();
		await this.#journal?.close();
	}

	async #ready(): Promise<void> {
		if (this.#closing !== null) throw closed();
		if (this.#open) return;
		this.#opening ??= this.#load(this.#journal!);
		await this.#opening;
		if (this.#closing !== null) throw closed();
	}

	async #load(journal: Journal): Promise<void> {
		try {
			const index = new RecordIndex();
			await journal.open(index);
			this.#index = index;
			this.#durable = index.revision;
			this.#open = true;
		} catch (error) {
			// The next use tries again: the reason may have gone by then.
			this.#opening = null;
			throw error;
		}
	}

	/** Before a batch is applied: keeps, for watchers and scans, the nodes that it concerns as they are. */
	#keepWhatChanges(batch: Batch): readonly StoredNode[] | null {
		if (this.#watchers.size === 0 && this.#scans.size === 0) return null;
		const related = this.#index.related(relatedIds(batch.nodes));
		for (const earlier of this.#scans) {
			for (const node of related) {
				if (!earlier.has(node.record.id)) earlier.set(node.record.id, node);
			}
		}
		return related;
	}

	async #flush(journal: Journal): Promise<void> {
		let image: IndexImage | null = null;
		while (this.#pending.length > 0) {
			const group = [...this.#pending];
			try {
				await journal.append(group.map(({ batch }) => batch));
			} catch (error) {
				this.#takeBack(group.length, error);
				image = null;
				continue;
			}
			this.#pending.splice(0, group.length);
			this.#durable = group.at(-1)!.revision;
			for (const pending of group) {
				pending.outcome = "durable";
				pending.resolve(pending.revision);
				this.#notify(pending);
			}
			this.#wake();
			// An image shows the commits that wait too. So it is of use once the next append has brought exactly these.
			const taken: IndexImage | null = image;
			image = null;
			if (taken !== null) this.#snapshot(journal, taken);
			else if (journal.snapshotDue && this.#snapshotting === null) {
				if (this.#pending.length > 0) image = this.#index.image();
				else this.#snapshot(journal, this.#index.image());
			}
		}
		this.#flushing = null;
	}

	#snapshot(journal: Journal, image: IndexImage): void {
		this.#snapshotting = journal.snapshot(image).finally(() => {
			this.#snapshotting = null;
		});
	}

	/** Takes back every commit that isn't durable. The first so many failed; the later ones stood on them. */
	#takeBack(failed: number, error: unknown): void {
		const pending = this.#pending.splice(0);
		for (const { undo } of pending.toReversed()) this.#index.revert(undo);
		for (const [place, commit] of pending.entries()) {
			commit.outcome = "taken back";
			commit.reject(place < failed ? error : new OutlineError("conflict", "A commit that this one stood on failed."));
		}
		this.#wake();
	}

	/** Whether what was seen at a revision became durable; false if it was taken back. Waits until that is known. */
	async #becameDurable(revision: number): Promise<boolean> {
		const commit = this.#pending.find((pending) => pending.revision === revision);
		if (commit === undefined) return true;
		while (commit.outcome === undefined) await new Promise<void>((resolve) => this.#waiting.push(resolve));
		return commit.outcome === "durable";
	}

	#wake(): void {
		for (const resolve of this.#waiting.splice(0)) resolve();
	}

	#notify({ revision, batch, related }: Pick<Pending, "revision" | "batch" | "related">): void {
		// Whoever began to watch after the commit was made learns of the next one.
		if (related === null) return;
		this.#notices.push({ revision, detail: { batch, related } });
		// A watcher may commit. All hear of this commit before any hears of that one.
		if (this.#notices.length > 1) return;
		for (let notice = this.#notices[0]; notice !== undefined; notice = this.#notices[0]) {
			for (const [token, listener] of [...this.#watchers]) {
				if (!this.#watchers.has(token)) continue;
				try {
					listener(notice);
				} catch (error) {
					// A commit doesn't fail because of who hears of it: the error surfaces as unhandled.
					void Promise.reject(error);
				}
			}
			this.#notices.shift();
		}
	}
}

function closed(): OutlineError {
	return new OutlineError("closed", "The storage has been closed. Open it anew.");
}
