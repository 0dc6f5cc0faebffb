import { peek, promiseOf, read } from "../../engine/protocol.js";
import { OutlineError } from "../../errors.js";
import { differs } from "../../node.js";
import type {
	Batch,
	CommitNotice,
	DisposableStorage,
	Document,
	Peek,
	Query,
	Snapshot,
	StorageAdapter,
	StoredNode,
} from "../../storage.js";
import type { KeyNames } from "../settle/settlement.js";
import { noSurroundings, places, type Surroundings, surroundingsAtOnce, surroundingsOf } from "./commit-delta.js";
import { entryDocuments, newState, readState, stateDocument } from "./journal.js";
import { NodeKeys } from "./node-keys.js";

/** A batch with its entry in the journal. */
interface JournaledBatch extends Batch {
	/** The batch as the outline committed it. */
	readonly asked: Batch;
}

/** The calls by which a storage notifies its replica. */
export interface ReplicaListener {
	/** A commit of this storage begins, which makes this revision. */
	committing(revision: number): void;
	/** A commit of this storage has failed. */
	failed(revision: number, error: unknown): void;
	/** A commit of this storage has become durable, with an entry, which closes so many conflicts. */
	committed(seq: number, at: number, closed: number): void;
	/** An `Outline` was created over this storage. It gives these names to an inbox and a calendar. */
	attached(outline: object, names: KeyNames | undefined): void;
	/** Stops the replica, before the local storage closes. */
	closing(): Promise<void>;
}

/**
 * The storage of an outline on a device. It hands everything to the local storage, and adds to each commit
 * its entry in the journal.
 */
export class ReplicaStorage implements DisposableStorage {
	readonly #local: StorageAdapter;
	readonly #listener: ReplicaListener;
	readonly #now: () => number;
	readonly #keys = new NodeKeys();
	/**
	 * Whether the local storage has the id of the device; undefined if this isn't known. The first commit draws it, so
	 * that a copy of the storage has the same, and the server notices.
	 */
	#hasState: boolean | undefined;
	/** Resolves when commits may continue; null if they may. */
	#gate: Promise<unknown> | null = null;
	/** Whether commits get no entries any more. */
	#isReleased = false;
	#closing: Promise<void> | null = null;
	readonly peek?: <const Q extends readonly Query[]>(queries: Q) => Peek<Q> | undefined;
	readonly watch?: (listener: (notice: CommitNotice) => void) => () => void;

	/** @param now - returns the time in milliseconds */
	constructor(local: StorageAdapter, listener: ReplicaListener, now: () => number) {
		this.#local = local;
		this.#listener = listener;
		this.#now = now;
		if (local.peek !== undefined) this.peek = (queries) => local.peek!(queries);
		if (local.watch !== undefined) {
			this.watch = (listener) => local.watch!((notice) => listener(askedFor(notice)));
		}
	}

	read<const Q extends readonly Query[]>(queries: Q): Promise<Snapshot<Q>> {
		return this.#local.read(queries);
	}

	commit(batch: Batch): Promise<number> {
		if (
			this.#isReleased ||
			(batch.keys.length === 0 && !batch.nodes.some(({ before, after }) => differs(before, after)))
		)
			return this.#local.commit(batch);
		const gate = this.#gate;
		if (gate !== null) return this.#later(() => gate.then(() => this.commit(batch)));
		if (this.#hasState === undefined) {
			const seen = peek(this.#local, readState);
			if (seen === undefined || "error" in seen.settled) return this.#later(() => this.#afterState(batch));
			this.#hasState = seen.settled.value !== undefined;
		}
		if (!places(batch)) return this.#commit(batch, noSurroundings);
		const found = surroundingsAtOnce(this.#local, batch, this.#keys);
		if (found !== undefined) return this.#commit(batch, found);
		const begin = () => surroundingsOf(batch, this.#keys);
		const seen = peek(this.#local, begin);
		if (seen !== undefined && "value" in seen.settled && (seen.revision === batch.base || seen.revision < 0)) {
			return this.#commit(batch, seen.settled.value);
		}
		const committing = this.#later(() => this.#commitLater(batch, begin));
		// The next commit may be based on this one, which the storage doesn't know yet.
		this.hold(committing);
		return committing;
	}

	/**
	 * Commits later. Refuses that if the local storage may still take back the state that it shows: another tab's
	 * commit could have the same revision by then, and the batch wouldn't fit it.
	 */
	async #later(commit: () => Promise<number>): Promise<number> {
		if (this.#local.peek?.([])?.durable !== false) return commit();
		// The outline tries again at once, and a slow disk must not use up its attempts.
		await this.#local.read([]);
		throw new OutlineError("conflict", "An earlier commit isn't durable yet.");
	}

	/** Holds back the commits of this storage until some work ends. */
	hold(work: Promise<unknown>): void {
		const gate = Promise.allSettled([this.#gate, work]).then(() => {
			if (this.#gate === gate) this.#gate = null;
		});
		this.#gate = gate;
	}

	/** Adds no more entries to commits. */
	release(): void {
		this.#isReleased = true;
	}

	scan(): AsyncIterable<readonly StoredNode[]> {
		return this.#local.scan();
	}

	attached(outline: object, names?: KeyNames): void {
		this.#listener.attached(outline, names);
	}

	close(): Promise<void> {
		this.#closing ??= this.#listener.closing().then(() => this.#local.close());
		return this.#closing;
	}

	[Symbol.asyncDispose](): Promise<void> {
		return this.close();
	}

	#commit(batch: Batch, surroundings: Surroundings): Promise<number> {
		const at = Math.floor(this.#now() / 1000);
		const entry = entryDocuments(batch, surroundings, at);
		const documents = this.#hasState ? entry : [...entry, stateDocument(newState(batch.base + 1))];
		this.#hasState = true;
		return this.commitWithEntry(withEntry(batch, documents), at);
	}

	/** Commits a batch that has its entry already, which closes so many conflicts. */
	commitWithEntry(batch: Batch, at: number, closed = 0): Promise<number> {
		this.#keys.follow(batch);
		const revision = batch.base + 1;
		this.#listener.committing(revision);
		return this.#local.commit(batch).then(
			() => {
				this.#listener.committed(revision, at, closed);
				return revision;
			},
			(error: unknown) => {
				this.#keys.doubt();
				this.#hasState = undefined;
				this.#listener.failed(revision, error);
				throw error;
			},
		);
	}

	/** Commits a batch once it is known whether the storage has the id of the device. */
	#afterState(batch: Batch): Promise<number> {
		const reading = read(this.#local, readState)
			.then(promiseOf)
			.then((state) => {
				this.#hasState = state !== undefined;
			});
		this.hold(reading);
		return reading.then(() => this.commit(batch));
	}

	/** Commits a batch to a storage that must be awaited. */
	async #commitLater(batch: Batch, begin: () => ReturnType<typeof surroundingsOf>): Promise<number> {
		const outcome = await read(this.#local, begin);
		const surroundings = await promiseOf(outcome);
		if (outcome.revision !== batch.base && surroundings !== noSurroundings) {
			throw new OutlineError("conflict", `The outline is at revision ${outcome.revision}, not ${batch.base}.`);
		}
		return this.#commit(batch, surroundings);
	}
}

/** Adds its entry to a batch. Not a class, because its constructor would take a tenth of a commit in memory. */
function withEntry(asked: Batch, entry: readonly Document[]): JournaledBatch {
	const { base, nodes, keys, documents } = asked;
	const all =
		documents === undefined ? { put: entry, dropped: [] } : { ...documents, put: [...documents.put, ...entry] };
	return { base, nodes, keys, documents: all, asked };
}

/** Returns a notice with the batch that the outline knows. */
function askedFor(notice: CommitNotice): CommitNotice {
	const { detail } = notice;
	if (detail === undefined || !("asked" in detail.batch)) return notice;
	const { asked } = detail.batch as JournaledBatch;
	return { ...notice, detail: { ...detail, batch: asked } };
}
