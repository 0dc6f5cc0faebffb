import type { StorageAdapter } from "../../src/storage.js";

/** Returns a storage without `peek` that runs something after the first read of a page of changes. */
export function interrupted(storage: StorageAdapter, interruption: () => Promise<unknown>): StorageAdapter {
	let isOver = false;
	return {
		async read(queries) {
			const snapshot = await storage.read(queries);
			if (!isOver && queries.some((query) => query.type === "changes" && query.limit > 1)) {
				isOver = true;
				await interruption();
			}
			return snapshot;
		},
		commit: (batch) => storage.commit(batch),
		scan: () => storage.scan(),
		close: () => storage.close(),
	};
}
