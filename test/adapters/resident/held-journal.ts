import { setTimeout as pause } from "node:timers/promises";
import type { IndexImage } from "../../../adapters/resident/index/record-index.js";
import type { Journal } from "../../../adapters/resident/journal.js";
import { ResidentStorage } from "../../../adapters/resident/resident-storage.js";
import type { Batch } from "../../../src/storage.js";

/** A journal whose writes wait until the test settles them. */
export class HeldJournal implements Journal {
	readonly groups: number[][] = [];
	readonly images: IndexImage[] = [];
	snapshotDue = false;
	closed = 0;
	opened = 0;
	openFailure: unknown;
	/** The most batches of one write. */
	limit = Number.POSITIVE_INFINITY;
	#settle: ((error?: unknown) => void) | null = null;

	async open(): Promise<void> {
		this.opened += 1;
		if (this.openFailure !== undefined) throw this.openFailure;
	}

	groupSize(batches: readonly Batch[]): number {
		return Math.min(batches.length, this.limit);
	}

	append(batches: readonly Batch[]): Promise<void> {
		this.groups.push(batches.map(({ base }) => base + 1));
		return new Promise((resolve, reject) => {
			this.#settle = (error) => (error === undefined ? resolve() : reject(error));
		});
	}

	async snapshot(image: IndexImage): Promise<void> {
		this.images.push(image);
	}

	async close(): Promise<void> {
		this.closed += 1;
	}

	/** Settles the present write, with an error if given, and waits for everything that follows. */
	async settle(error?: unknown): Promise<void> {
		await turns();
		this.#settle?.(error);
		await turns();
	}

	/** Settles writes until a condition is true, for a limited time. */
	async settleUntil(condition: () => boolean): Promise<void> {
		for (let times = 0; times < 30 && !condition(); times++) {
			await pause(5);
			await this.settle();
		}
	}
}

/** Waits for everything that follows. */
export async function turns(): Promise<void> {
	await pause(2);
}

/** Opens a storage on such a journal. */
export async function opened(): Promise<{ journal: HeldJournal; storage: ResidentStorage }> {
	const journal = new HeldJournal();
	const storage = new ResidentStorage(journal);
	await storage.read([]);
	return { journal, storage };
}
