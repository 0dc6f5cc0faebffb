import type { Batch, StorageAdapter } from "../../src/storage.js";
import { bound } from "./notices.js";

/** Returns a storage without `peek` that runs something after the first read of a page of changes. */
export function interrupted(storage: StorageAdapter, interruption: () => Promise<unknown>): StorageAdapter {
	let isOver = false;
	return {
		...bound(storage),
		async read(queries) {
			const snapshot = await storage.read(queries);
			if (!isOver && queries.some((query) => query.type === "changes" && query.limit > 1)) {
				isOver = true;
				await interruption();
			}
			return snapshot;
		},
	};
}

/** Returns a storage without `peek` that does some work before each commit. */
export function beforeCommits(storage: StorageAdapter, work: (batch: Batch) => Promise<unknown>): StorageAdapter {
	return {
		...bound(storage),
		async commit(batch) {
			await work(batch);
			return storage.commit(batch);
		},
	};
}
