import type { Delta } from "../resident/delta.js";
import type { IndexImage, IndexPart } from "../resident/index/record-index.js";

/** How many entries of a snapshot are read in the time of one commit of the journal. */
const entriesPerCommit = 4;

/** Decides when a snapshot is worth writing: when reading the journal behind the last one takes longer than reading that. */
export class Compaction {
	readonly #least: number;
	/** How many commits it takes as long to read as the snapshot. */
	#snapshot = 0;
	#commits = 0;
	/** After a snapshot failed, the next isn't due before so many: it isn't tried again at once. */
	#postponedTo = 0;

	/** @param least - how many commits must stand behind a snapshot in any case */
	constructor(least: number) {
		this.#least = least;
	}

	/** How many commits stand behind the snapshot. A large one counts as several. */
	get commits(): number {
		return this.#commits;
	}

	/** Whether a snapshot is due. */
	get due(): boolean {
		return this.#commits >= Math.max(this.#least, this.#snapshot, this.#postponedTo);
	}

	/** There is a snapshot with so many entries, and so many commits stand behind it. */
	begin(entries: number, commits = 0): void {
		this.#snapshot = entries / entriesPerCommit;
		this.#commits = commits;
		this.#postponedTo = 0;
	}

	/** Commits have been added to the journal. */
	add(deltas: readonly Delta[]): void {
		for (const {
			nodes = [],
			deleted = [],
			keys = [],
			droppedKeys = [],
			receipts = [],
			droppedReceipts = [],
		} of deltas) {
			const ofNodes = nodes.length + deleted.length;
			const entries = ofNodes + keys.length + droppedKeys.length + receipts.length + droppedReceipts.length;
			this.#commits += Math.max(1, entries / entriesPerCommit);
		}
	}

	/** A snapshot couldn't be written. */
	postpone(): void {
		this.#postponedTo = 2 * this.#commits;
	}
}

/** How many entries an image makes in a snapshot. */
export function entriesOf({ nodes = [], keys = [], deleted = [], receipts = [] }: IndexPart | IndexImage): number {
	return nodes.length + keys.length + deleted.length + receipts.length;
}
