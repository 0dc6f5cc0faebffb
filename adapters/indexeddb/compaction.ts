import type { Delta } from "../resident/delta.js";
import type { IndexImage, IndexPart } from "../resident/index/record-index.js";

/** The number of snapshot entries that are read in the time of one commit of the journal. */
const entriesPerCommit = 4;

/**
 * Decides when a snapshot is due: when reading the journal after the last one takes longer than reading that
 * one.
 */
export class Compaction {
	readonly #least: number;
	/** The number of commits that take as long to read as the snapshot. */
	#snapshot = 0;
	#commits = 0;
	/**
	 * The number of commits before which no snapshot is due. After a failed one, it isn't tried again at once.
	 */
	#postponedTo = 0;

	/** @param least - the minimum number of commits after a snapshot */
	constructor(least: number) {
		this.#least = least;
	}

	/** The number of commits after the snapshot. A large commit counts as several. */
	get commits(): number {
		return this.#commits;
	}

	/** Whether a snapshot is due. */
	get due(): boolean {
		return this.#commits >= Math.max(this.#least, this.#snapshot, this.#postponedTo);
	}

	/** Starts again with a snapshot of this many entries, followed by this many commits. */
	begin(entries: number, commits = 0): void {
		this.#snapshot = entries / entriesPerCommit;
		this.#commits = commits;
		this.#postponedTo = 0;
	}

	/** Adds commits that were appended to the journal. */
	add(deltas: readonly Delta[]): void {
		for (const {
			nodes = [],
			deleted = [],
			keys = [],
			droppedKeys = [],
			documents = [],
			droppedDocuments = [],
		} of deltas) {
			const ofNodes = nodes.length + deleted.length;
			const entries = ofNodes + keys.length + droppedKeys.length + documents.length + droppedDocuments.length;
			this.#commits += Math.max(1, entries / entriesPerCommit);
		}
	}

	/** Postpones the next snapshot, because one has failed. */
	postpone(): void {
		this.#postponedTo = 2 * this.#commits;
	}
}

/** The number of entries of an image in a snapshot. */
export function entriesOf(content: IndexPart | IndexImage): number {
	const { nodes = [], keys = [], deleted = [], droppedKeys = [], documents = [] } = content;
	return nodes.length + keys.length + deleted.length + droppedKeys.length + documents.length;
}
