import { notifyAll } from "../../engine/listeners.js";
import { type Operation, peek, promiseOf, read, revisionOfAnswers } from "../../engine/protocol.js";
import { OutlineError } from "../../errors.js";
import { assertFunction } from "../../fields.js";
import type { Document, StorageAdapter } from "../../storage.js";
import {
	beginsEntry,
	conflictPrefix,
	documentsWith,
	entryPrefix,
	isPartOfRefused,
	readState,
	refusedPrefix,
} from "./journal.js";
import { timeIn } from "./line-text.js";

/**
 * The present work of a replica: `idle`; `syncing`; `offline` if the server can't be reached; `refused` if it
 * doesn't accept this replica; `paused`.
 */
export type ReplicaPhase = "idle" | "syncing" | "offline" | "refused" | "paused";

/**
 * The state of a replica at one moment. It never changes. Until the replica has read its storage, the numbers are 0 and
 * the times `null`. Then it notifies the listeners, if there is anything to tell.
 */
export interface ReplicaStatus {
	/** The present work. */
	readonly phase: ReplicaPhase;
	/** The number of commits that the server hasn't acknowledged. */
	readonly pending: number;
	/** The time of the oldest such commit, in Unix seconds; `null` if there is none. */
	readonly oldestPendingAt: number | null;
	/** The time of the last successful exchange, in Unix seconds; `null` if there was none. */
	readonly lastSyncedAt: number | null;
	/**
	 * The reason of the phase `offline` or `refused`, also in the phase `syncing` after it. If the local storage
	 * refused the last commit, because it is full, damaged or deleted, or failed the last exchange, that error. Else
	 * `null`.
	 */
	readonly error: OutlineError | null;
	/** The number of open conflicts. */
	readonly conflicts: number;
}

/** The journal, in numbers. */
export type JournalSummary = Pick<ReplicaStatus, "pending" | "oldestPendingAt" | "conflicts"> & {
	/** The revision of the local storage that it belongs to. */
	readonly revision: number;
	readonly lastSyncedAt: number | null;
};

/** Counts the entries and the conflicts of a journal. */
function* summaryOf(): Operation<JournalSummary> {
	const state = yield* readState();
	const documents = yield* documentsWith(entryPrefix);
	let pending = 0;
	let oldest: Document | undefined;
	for (const document of documents) {
		if (beginsEntry(document.key)) pending += 1;
		// The last line of an entry has its time.
		if (pending === 1) oldest = document;
	}
	const conflicts = yield* documentsWith(conflictPrefix);
	const refused = yield* documentsWith(refusedPrefix);
	return {
		pending,
		oldestPendingAt: oldest === undefined ? null : timeIn(oldest.value),
		lastSyncedAt: state?.at ?? null,
		conflicts: conflicts.length + refused.filter((document) => !isPartOfRefused(document)).length,
		revision: yield* revisionOfAnswers(),
	};
}

/** The codes of errors of a local storage that may refuse the next commit too. */
const lasting: ReadonlySet<string> = new Set(["quota_exceeded", "storage_unavailable", "storage_corrupt"]);

/** The status of a replica, and its listeners. */
export class StatusBoard {
	readonly #local: StorageAdapter;
	readonly #watch: () => void;
	readonly #listeners = new Map<object, (status: ReplicaStatus) => void>();
	#current: ReplicaStatus = {
		phase: "idle",
		pending: 0,
		oldestPendingAt: null,
		lastSyncedAt: null,
		error: null,
		conflicts: 0,
	};
	/** The revision up to which entries are counted; undefined if the journal must be counted. */
	#counted: number | undefined;
	#counting = false;
	/** The newest revision that a commit of this tab has made. */
	#newest = 0;
	/** The revisions of this tab's commits under way that no notice has announced. */
	readonly #expected: number[] = [];
	/** The commits that aren't in `#current` yet: few of many states have a reader. */
	#added = 0;
	#addedAt = 0;
	/** The conflicts that these commits have closed. */
	#closed = 0;
	/** The stored time of the last exchange that changed anything. The status may have that of a later one. */
	#storedSyncAt: number | null = null;
	/** The error of the last exchange, while the status has that of a refused commit. */
	#covered: Pick<ReplicaStatus, "error"> | null = null;

	/**
	 * @param watch - called when the status is used: from then on, {@link StatusBoard.follow} must be called
	 */
	constructor(local: StorageAdapter, watch: () => void) {
		this.#local = local;
		this.#watch = watch;
	}

	/** The status now. */
	get current(): ReplicaStatus {
		this.#watch();
		if (this.#counted === undefined) this.#count();
		if (this.#added > 0) {
			const { pending, oldestPendingAt, conflicts } = this.#current;
			const [added, closed] = [this.#added, this.#closed];
			this.#added = this.#closed = 0;
			this.#current = {
				...this.#current,
				pending: pending + added,
				oldestPendingAt: oldestPendingAt ?? this.#addedAt,
				conflicts: conflicts - closed,
			};
		}
		return this.#current;
	}

	/**
	 * Calls `listener` after each change, with the new status. Returns a function that stops it.
	 *
	 * @throws `invalid_argument` if it isn't a function
	 */
	subscribe(listener: (status: ReplicaStatus) => void): () => void {
		assertFunction("subscribe's listener", listener);
		const token = {};
		this.#listeners.set(token, listener);
		this.#watch();
		if (this.#counted === undefined) this.#count();
		return () => void this.#listeners.delete(token);
	}

	/** Changes parts of the status. */
	update(change: Partial<ReplicaStatus>): void {
		const before = this.current;
		if (change.error !== undefined) this.#covered = null;
		const names = Object.keys(change) as (keyof ReplicaStatus)[];
		if (names.every((name) => before[name] === change[name])) return;
		this.#current = { ...before, ...change };
		this.#tell();
	}

	/** Sets a phase without exchanges. Of the errors, that of a refused commit stays. */
	rest(phase: "idle" | "paused"): void {
		if (this.#covered === null) this.update({ phase, error: null });
		else {
			this.#covered = { error: null };
			this.update({ phase });
		}
	}

	/** Sets the numbers of the journal. */
	counted({ revision, lastSyncedAt, ...numbers }: JournalSummary): void {
		// A storage may answer after a later commit.
		if (revision < this.#newest) {
			this.#recountLater();
			return;
		}
		this.#counted = revision;
		this.#added = this.#closed = 0;
		// Not the greater of two times, because the clock may have been set back.
		const isNew = lastSyncedAt !== this.#storedSyncAt;
		this.#storedSyncAt = lastSyncedAt;
		this.update({ ...numbers, ...(isNew && { lastSyncedAt }) });
	}

	/** Counts an entry, once, and the conflicts that it closes. */
	added(seq: number, at: number, closed: number): void {
		this.#forget(seq);
		this.#newest = seq;
		if (this.#covered !== null) this.update(this.#covered);
		if (this.#counted === undefined || seq <= this.#counted) return;
		this.#counted = seq;
		if (this.#added === 0) this.#addedAt = at;
		this.#added += 1;
		this.#closed += closed;
		if (this.#listeners.size > 0) this.#tell();
	}

	/** Expects a commit of this tab, which {@link StatusBoard.added} counts once it is durable. */
	expect(revision: number): void {
		this.#expected.push(revision);
	}

	/** Counts an expected commit no more, because it has failed. Another tab may have made this revision. */
	failed(revision: number, error: unknown): void {
		// The count may have it, and an error may leave open whether the storage has it.
		this.#forget(revision);
		this.#recountLater();
		if (!(error instanceof OutlineError) || !lasting.has(error.code)) return;
		const covered = this.#covered ?? { error: this.current.error };
		this.update({ error });
		this.#covered = covered;
	}

	/** Sets the phase after an exchange that the local storage has failed, and the error until a commit succeeds. */
	failedLocally(error: OutlineError, phase: "idle" | "paused"): void {
		this.update({ phase, error });
		this.#covered = { error: null };
	}

	/** Follows a commit of any tab. Returns whether it may have changed the journal. */
	follow(revision: number): boolean {
		if (this.#forget(revision)) return false;
		this.#recountLater();
		return true;
	}

	/** Stops expecting a revision. Returns whether it was expected. */
	#forget(revision: number): boolean {
		// Mostly it is the first one.
		const index = this.#expected.indexOf(revision);
		if (index === 0) this.#expected.shift();
		else if (index > 0) this.#expected.splice(index, 1);
		return index >= 0;
	}

	#recountLater(): void {
		this.#counted = undefined;
		if (this.#listeners.size > 0) this.#count();
	}

	/** Counts the journal. */
	async recount(): Promise<void> {
		this.#counted = undefined;
		this.counted(await promiseOf(await read(this.#local, summaryOf)));
	}

	#count(): void {
		const seen = peek(this.#local, summaryOf);
		if (seen !== undefined && "value" in seen.settled) {
			this.counted(seen.settled.value);
			return;
		}
		if (this.#counting) return;
		this.#counting = true;
		// If the storage can't be read, the next look tries again.
		void this.recount()
			.then(
				() => true,
				() => false,
			)
			.then((hasCounted) => {
				this.#counting = false;
				if (hasCounted && this.#counted === undefined && this.#listeners.size > 0) this.#count();
			});
	}

	#tell(): void {
		const { current } = this;
		// A listener may change the status, for example with `pause`, which notifies all listeners of the newer one.
		notifyAll(this.#listeners, current, () => this.#current === current);
	}
}
