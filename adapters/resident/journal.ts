import type { OutlineError } from "../../src/errors.js";
import type { Batch } from "../../src/storage.js";
import type { Delta } from "./delta.js";
import type { IndexImage, RecordIndex } from "./index/record-index.js";

/**
 * The log to which a resident storage appends its commits and from which it loads them. The storage calls
 * `append` again only after the last call has settled.
 */
export interface Journal {
	/**
	 * Opens the journal and fills the index from it. May be called again after it failed. @throws
	 * `OutlineError`
	 */
	open(index: RecordIndex): Promise<void>;
	/**
	 * Appends batches, in the order of their revisions. Resolves when all are durable; if it rejects, none is
	 * kept.
	 *
	 * @throws `conflict` if the journal is shared and another process has already appended the first revision
	 */
	append(batches: readonly Batch[]): Promise<void>;
	/**
	 * Returns the number of batches, from the first on, to append in one call; at least one. A batch that may
	 * be too large for the journal is appended alone, so that no other batch fails with it. Default: all.
	 */
	groupSize?(batches: readonly Batch[]): number;
	/** Whether enough has been appended to make a new snapshot useful. */
	readonly snapshotDue: boolean;
	/** Whether a snapshot before closing is useful, so that the next opening takes less time. */
	readonly snapshotDueOnClosing?: boolean;
	/**
	 * Replaces the content by a snapshot; commits may be appended meanwhile. The image holds everything
	 * appended so far. Never rejects: if it fails, the content stays as it was.
	 */
	snapshot(image: IndexImage): Promise<void>;
	/** Closes the journal and releases its resources. */
	close(): Promise<void>;
	/** Follows other processes; only in a journal that several processes append to. */
	readonly others?: SharedJournal;
}

/** The part of a journal that follows the commits of other processes and tabs. */
export interface SharedJournal {
	/**
	 * Returns the deltas after a revision, in order; null if a snapshot has replaced a part of them.
	 *
	 * @throws `OutlineError`
	 */
	since(revision: number): Promise<readonly Delta[] | null>;
	/** Fills an empty index with the whole content. @throws `OutlineError` */
	load(index: RecordIndex): Promise<void>;
	/** Calls `listener` when another process may have appended, from now on until the journal is closed. */
	listen(listener: () => void): void;
	/**
	 * The error to throw if the whole content has been deleted; null otherwise. From then on every call of the
	 * storage rejects with it.
	 */
	readonly gone?: OutlineError | null;
}
