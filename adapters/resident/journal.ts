import type { OutlineError } from "../../src/errors.js";
import type { Batch } from "../../src/storage.js";
import type { Delta } from "./delta.js";
import type { IndexImage, RecordIndex } from "./index/record-index.js";

/** Where a resident storage writes its commits down, and finds them again. One `append` is called after the other. */
export interface Journal {
	/** Opens what is there and fills the index with it. Called again if it failed. @throws `OutlineError` */
	open(index: RecordIndex): Promise<void>;
	/**
	 * Appends batches, in the order of their revisions. Resolves when all are durable; if it rejects, none is kept.
	 *
	 * @throws `conflict`, in a journal that others write to as well, if one of them was first with the first revision
	 */
	append(batches: readonly Batch[]): Promise<void>;
	/**
	 * How many of the batches, from the first on and at least one, are to be given to one `append`. A batch that may be too large
	 * for the journal goes alone, so that no other one fails with it. Default: all.
	 */
	groupSize?(batches: readonly Batch[]): number;
	/** Whether so much has been appended that a snapshot is worth writing. */
	readonly snapshotDue: boolean;
	/** Whether a snapshot is worth writing before it is closed, so that it opens sooner the next time. */
	readonly snapshotDueOnClosing?: boolean;
	/**
	 * Replaces what has been written by a snapshot; commits may be appended meanwhile. The image is what has been appended
	 * so far. Never rejects: a snapshot that fails leaves everything as it was.
	 */
	snapshot(image: IndexImage): Promise<void>;
	/** Lets go of everything. */
	close(): Promise<void>;
	/** In a journal that others write to as well: how to follow them. */
	readonly others?: JournalOfOthers;
}

/** The side of a journal that follows what others append. */
export interface JournalOfOthers {
	/**
	 * What has been appended after a revision, in order; null if a snapshot has taken the place of a part of it.
	 *
	 * @throws `OutlineError`
	 */
	since(revision: number): Promise<readonly Delta[] | null>;
	/** Fills an empty index with everything. @throws `OutlineError` */
	load(index: RecordIndex): Promise<void>;
	/** From now on, until the journal is closed, calls `listener` when others may have appended something. */
	listen(listener: () => void): void;
	/** Why nothing that was appended is there any more; null while it is. From then on every use of the storage rejects with it. */
	readonly gone?: OutlineError | null;
}
