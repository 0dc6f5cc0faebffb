import type { Batch } from "../../src/storage.js";
import type { IndexImage, RecordIndex } from "./record-index.js";

/** Where a resident storage writes its commits down, and finds them again. One `append` is called after the other. */
export interface Journal {
	/** Opens what is there and fills the index with it. Called again if it failed. @throws `OutlineError` */
	open(index: RecordIndex): Promise<void>;
	/** Appends batches, in the order of their revisions. Resolves when all are durable; if it rejects, none is kept. */
	append(batches: readonly Batch[]): Promise<void>;
	/** Whether so much has been appended that a snapshot is worth writing. */
	readonly snapshotDue: boolean;
	/**
	 * Replaces what has been written by a snapshot; commits may be appended meanwhile. The image is what has been appended
	 * so far. Never rejects: a snapshot that fails leaves everything as it was.
	 */
	snapshot(image: IndexImage): Promise<void>;
	/** Lets go of everything. */
	close(): Promise<void>;
}
