import { notifyAll } from "../../src/engine/listeners.js";
import { isConflict, OutlineError } from "../../src/errors.js";
import { finished, paced, type Steps } from "../../src/pace.js";
import {
	type Batch,
	type CommitNotice,
	type DisposableStorage,
	type Peek,
	type Query,
	relatedIds,
	type Snapshot,
	type StoredNode,
} from "../../src/storage.js";
import { closed, conflict } from "../storage-error.js";
import { batchOf, type Delta } from "./delta.js";
import { type IndexImage, RecordIndex, type Undo } from "./index/record-index.js";
import type { Journal } from "./journal.js";

/** The number of nodes in a chunk of a scan. */
const chunkSize = 500;

/** The limits of work without a pause. Each takes some milliseconds. Longer work is done in steps. */
export interface AtOnce {
	/** The most nodes of a commit. */
	readonly changes: number;
	/** The most steps to an answer. */
	readonly steps: number;
}

/** A commit that is in the index, but not yet durable in the journal. */
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

/** A scan under way. */
interface Scan {
	/** The index that it reads. An index that has been replaced meanwhile doesn't change any more. */
	index: RecordIndex;
	/** The nodes of the index that have changed after the scan began, as they were before. */
	readonly earlier: Map<string, StoredNode>;
}

/**
 * A storage that keeps the outline in one index in memory. It applies a commit to the index at once, and
 * acknowledges it when it is durable in the journal. Commits that come during a write share the next write.
 * If a write fails, the index returns to the durable state. If other processes append to the same journal,
 * the index follows them.
 */
export class ResidentStorage implements DisposableStorage {
	readonly #journal: Journal | null;
	readonly #atOnce: AtOnce;
	#index = new RecordIndex();
	/** The notices that listeners haven't had yet. The first is being sent now. */
	readonly #notices: CommitNotice[] = [];
	readonly #watchers = new Map<object, (notice: CommitNotice) => void>();
	/** The watchers that need more than the revisions. */
	readonly #detailed = new Set<object>();
	readonly #scans = new Set<Scan>();
	readonly #pending: Pending[] = [];
	readonly #waiting: (() => void)[] = [];
	#durable = 0;
	#opening: Promise<void> | null = null;
	#open: boolean;
	#flushing: Promise<void> | null = null;
	/** Whether another process may have committed changes that the index doesn't show yet. */
	#behind = false;
	#snapshotting: Promise<void> | null = null;
	#closing: Promise<void> | null = null;
	/**
	 * Resolves after the present work in steps, which must not be interrupted; null if there is none. Of several calls that
	 * have waited for it, the first may begin such work again, so each asks again.
	 */
	#slices: Promise<void> | null = null;

	/** @param journal - the log of the commits; null keeps them only in memory */
	constructor(journal: Journal | null, atOnce: AtOnce = { changes: 5000, steps: 32 }) {
		this.#journal = journal;
		this.#atOnce = atOnce;
		this.#open = journal === null;
	}

	async read<const Q extends readonly Query[]>(queries: Q): Promise<Snapshot<Q>> {
		await this.#ready();
		for (;;) {
			while (this.#slices !== null) await this.#slices;
			const { revision } = this.#index;
			const results =
				this.#index.answerWithin(this.#atOnce.steps, queries) ??
				(await this.#inSlices(this.#index.answerInSteps(queries), (answers) => answers));
			if (await this.#becameDurable(revision)) return { revision, results };
		}
	}

	peek<const Q extends readonly Query[]>(queries: Q): Peek<Q> | undefined {
		if (!this.#usable) return undefined;
		const { revision } = this.#index;
		const results = this.#index.answerWithin(this.#atOnce.steps, queries);
		return results && { revision, durable: this.#durable === revision, results };
	}

	commit(batch: Batch): Promise<number> {
		if (!this.#usable || batch.base !== this.#index.revision) return this.#commitLater(batch);
		if (batch.nodes.length > this.#atOnce.changes || batch.horizon !== undefined) return this.#commitInSlices(batch);
		const related = this.#isObserved ? finished(this.#keepStatesBefore(batch)) : null;
		const undo = this.#journal === null ? null : this.#index.undo(batch);
		this.#index.apply(batch);
		return this.#applied(batch, related, undo);
	}

	#commitInSlices(batch: Batch): Promise<number> {
		const undo = this.#journal === null ? null : this.#index.undo(batch);
		const index = this.#index;
		const keepAndApply = function* (keeping: Steps<readonly StoredNode[] | null>) {
			const related = yield* keeping;
			yield* index.applyInSteps(batch);
			return related;
		};
		const work = keepAndApply(this.#keepStatesBefore(batch));
		return this.#inSlices(work, (related) => this.#applied(batch, related, undo));
	}

	/** Resolves when a batch that is in the index is durable. */
	#applied(batch: Batch, related: readonly StoredNode[] | null, undo: Undo | null): Promise<number> {
		const revision = batch.base + 1;
		const journal = this.#journal;
		if (journal === null || undo === null) {
			this.#durable = revision;
			if (this.#watchers.size > 0) this.#notify({ revision, batch, related });
			return Promise.resolve(revision);
		}
		return new Promise((resolve, reject) => {
			this.#pending.push({ batch, revision, undo, related, resolve, reject });
			this.#flushing ??= this.#flush(journal);
		});
	}

	/** Commits a batch to a storage that isn't open yet or is busy, or throws the reason why it can't. */
	async #commitLater(batch: Batch): Promise<number> {
		await this.#ready();
		while (this.#slices !== null) await this.#slices;
		if (this.#closing !== null) throw closed();
		if (batch.base === this.#index.revision) return this.commit(batch);
		// The caller may have learned of a later revision from another process before this storage has.
		if (batch.base > this.#index.revision) await this.#lookForOthers();
		throw conflict(`The commit is based on revision ${batch.base}, and the outline is at ${this.#index.revision}.`);
	}

	async *scan(): AsyncIterable<readonly StoredNode[]> {
		await this.#ready();
		const scan: Scan = { index: this.#index, earlier: new Map() };
		try {
			let chunks: Generator<StoredNode[], void, undefined>;
			let revision: number;
			do {
				while (this.#slices !== null) await this.#slices;
				scan.earlier.clear();
				scan.index = this.#index;
				this.#scans.add(scan);
				revision = scan.index.revision;
				chunks = scan.index.scan(chunkSize);
			} while (!(await this.#becameDurable(revision)));
			for (const chunk of chunks) {
				if (this.#closing !== null) throw closed();
				const { earlier } = scan;
				yield earlier.size === 0 ? chunk : chunk.map((node) => earlier.get(node.record.id) ?? node);
			}
		} finally {
			this.#scans.delete(scan);
		}
	}

	watch(listener: (notice: CommitNotice) => void, needsDetail = true): () => void {
		const token = {};
		this.#watchers.set(token, listener);
		if (needsDetail) this.#detailed.add(token);
		return () => {
			this.#watchers.delete(token);
			this.#detailed.delete(token);
		};
	}

	close(): Promise<void> {
		this.#closing ??= this.#close();
		return this.#closing;
	}

	[Symbol.asyncDispose](): Promise<void> {
		return this.close();
	}

	async #close(): Promise<void> {
		await this.#opening?.catch(() => {});
		while (this.#slices !== null) await this.#slices;
		await this.#flushing;
		await this.#snapshotting;
		this.#watchers.clear();
		this.#detailed.clear();
		if (this.#journal?.snapshotDueOnClosing) await this.#journal.snapshot(this.#index.image());
		await this.#journal?.close();
	}

	/** Whether it is open, not closed, not busy, and its content is still stored. */
	get #usable(): boolean {
		return this.#open && this.#closing === null && this.#slices === null && !this.#journal?.others?.gone;
	}

	/**
	 * Does work on the index in steps. No other work uses the index meanwhile.
	 *
	 * @param end - gets the result before any call that waits goes on
	 */
	async #inSlices<T, R>(work: Steps<T>, end: (result: T) => R | Promise<R>): Promise<R> {
		const result = paced(work);
		this.#slices = result.then(
			() => {},
			() => {},
		);
		let value: T;
		try {
			value = await result;
		} finally {
			this.#slices = null;
		}
		return end(value);
	}

	async #ready(): Promise<void> {
		if (this.#closing !== null) throw closed();
		const gone = this.#journal?.others?.gone;
		if (gone) throw gone;
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
			journal.others?.listen(() => void this.#lookForOthers());
			// Another process may have committed between reading the journal and listening to it.
			void this.#lookForOthers();
		} catch (error) {
			// The next use tries again. The cause may have gone by then.
			this.#opening = null;
			throw error;
		}
	}

	/** Updates the index with the commits of other processes, after the present write. */
	async #lookForOthers(): Promise<void> {
		const journal = this.#journal;
		if (!journal?.others) return;
		this.#behind = true;
		this.#flushing ??= this.#flush(journal);
		await this.#flushing;
	}

	/** Whether listeners or scans need the nodes that a batch changes. */
	get #isObserved(): boolean {
		return this.#detailed.size > 0 || this.#scans.size > 0;
	}

	/** Returns the nodes that a batch affects, as they are before it, and stores them for the scans under way. */
	*#keepStatesBefore(batch: Batch): Steps<readonly StoredNode[] | null> {
		if (!this.#isObserved) return null;
		const related = yield* this.#index.related(relatedIds(batch.nodes));
		for (const { index, earlier } of this.#scans) {
			if (index !== this.#index) continue;
			for (const node of related) {
				if (!earlier.has(node.record.id)) earlier.set(node.record.id, node);
			}
		}
		return related;
	}

	async #flush(journal: Journal): Promise<void> {
		// Commits that are made in the same turn share the first write too.
		await null;
		let image: IndexImage | null = null;
		while (this.#pending.length > 0 || this.#behind) {
			if (this.#pending.length === 0) {
				await this.#catchUp(journal);
				continue;
			}
			const batches = this.#pending.map(({ batch }) => batch);
			const group = this.#pending.slice(0, journal.groupSize?.(batches) ?? batches.length);
			try {
				await journal.append(batches.slice(0, group.length));
			} catch (error) {
				image = null;
				while (this.#slices !== null) await this.#slices;
				if (isConflict(error)) await this.#catchUp(journal, true);
				else {
					const withdrawn = this.#withdraw();
					this.#refuse(withdrawn.slice(0, group.length), error);
					this.#refuse(withdrawn.slice(group.length), conflict("The commit that this one is based on has failed."));
				}
				// The write failed, so the commits that an image was waiting for are durable or withdrawn now.
				if (journal.snapshotDue && this.#snapshotting === null && this.#pending.length === 0) {
					this.#snapshot(journal, this.#index.image());
				}
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
			// An image also shows commits that aren't durable yet. It is of use once the next writes have made
			// exactly these durable.
			const taken: IndexImage | null = image;
			if (taken !== null && taken.revision > this.#durable) continue;
			image = null;
			if (taken?.revision === this.#durable) this.#snapshot(journal, taken);
			else if (journal.snapshotDue && this.#snapshotting === null) {
				while (this.#slices !== null) await this.#slices;
				if (this.#pending.length > 0) image = this.#index.image();
				else this.#snapshot(journal, this.#index.image());
			}
		}
		this.#flushing = null;
	}

	/**
	 * Updates the index with the commits of other processes. If there are any, or if the journal has refused a
	 * commit, withdraws the commits that wait to be written, because they are based on an older state.
	 */
	async #catchUp(journal: Journal, refused = false): Promise<void> {
		const others = journal.others!;
		this.#behind = false;
		let withdrawn: Pending[] = [];
		try {
			const deltas = await others.since(this.#durable);
			while (this.#slices !== null) await this.#slices;
			if (deltas === null) {
				const index = new RecordIndex();
				await others.load(index);
				while (this.#slices !== null) await this.#slices;
				withdrawn = this.#withdraw();
				this.#index = index;
				this.#durable = index.revision;
				this.#notify({ revision: index.revision, batch: null, related: null });
			} else if (deltas.length > 0 || refused) {
				withdrawn = this.#withdraw();
				for (const delta of deltas) this.#follow(delta);
			}
			this.#refuse(withdrawn, conflict("Another process has committed first."));
		} catch (error) {
			// A failed look doesn't fail waiting commits: they get their own outcome when they are appended.
			this.#refuse(refused ? [...withdrawn, ...this.#withdraw()] : withdrawn, error);
		}
	}

	/** Applies a commit of another process. @throws `storage_corrupt` if it doesn't fit */
	#follow(delta: Delta): void {
		const batch = batchOf(delta, this.#index);
		if (batch === null) {
			throw new OutlineError(
				"storage_corrupt",
				`The commit ${delta.revision} of another process doesn't fit revision ${this.#index.revision}.`,
			);
		}
		const related = finished(this.#keepStatesBefore(batch));
		this.#index.apply(batch);
		this.#durable = delta.revision;
		this.#notify({ revision: delta.revision, batch, related });
	}

	#snapshot(journal: Journal, image: IndexImage): void {
		this.#snapshotting = journal.snapshot(image).finally(() => {
			this.#snapshotting = null;
		});
	}

	/** Removes every commit that isn't durable from the index. */
	#withdraw(): Pending[] {
		const pending = this.#pending.splice(0);
		for (const { undo } of pending.toReversed()) this.#index.revert(undo);
		return pending;
	}

	/** Rejects commits that have been removed from the index. */
	#refuse(withdrawn: readonly Pending[], error: unknown): void {
		for (const commit of withdrawn) {
			commit.outcome = "taken back";
			commit.reject(error);
		}
		this.#wake();
	}

	/** Whether the state at a revision became durable; false if it was withdrawn. Waits until that is known. */
	async #becameDurable(revision: number): Promise<boolean> {
		const commit = this.#pending.find((pending) => pending.revision === revision);
		if (commit === undefined) return true;
		while (commit.outcome === undefined) await new Promise<void>((resolve) => this.#waiting.push(resolve));
		return commit.outcome === "durable";
	}

	#wake(): void {
		for (const resolve of this.#waiting.splice(0)) resolve();
	}

	#notify({ revision, batch, related }: Pick<Pending, "revision" | "related"> & { batch: Batch | null }): void {
		// No listener needed more when the commit was made.
		if (batch === null || related === null) this.#notices.push({ revision });
		else this.#notices.push({ revision, detail: { batch, related } });
		// A listener may commit. All listeners get this notice before any gets the next one.
		if (this.#notices.length > 1) return;
		for (let notice = this.#notices[0]; notice !== undefined; notice = this.#notices[0]) {
			notifyAll(this.#watchers, notice);
			this.#notices.shift();
		}
	}
}
