import { OutlineError, type OutlineErrorCode } from "../../src/errors.js";
import type { Batch, CommitNotice, Peek, Query, Snapshot, StorageAdapter, StoredNode } from "../../src/storage.js";

/**
 * Wraps a storage that another copy of this package made. Its errors are of that copy's class, which is not
 * this copy's `OutlineError`, so the wrapper converts them.
 */
export function foreignStorage(storage: StorageAdapter): StorageAdapter {
	return {
		read: <const Q extends readonly Query[]>(queries: Q): Promise<Snapshot<Q>> => storage.read(queries).catch(rethrow),
		peek: <const Q extends readonly Query[]>(queries: Q): Peek<Q> | undefined => storage.peek?.(queries),
		commit: (batch: Batch) => storage.commit(batch).catch(rethrow),
		async *scan(): AsyncIterable<readonly StoredNode[]> {
			try {
				yield* storage.scan();
			} catch (error) {
				rethrow(error);
			}
		},
		watch: (listener: (notice: CommitNotice) => void) => storage.watch?.(listener) ?? (() => {}),
		close: () => storage.close().catch(rethrow),
	};
}

function rethrow(error: unknown): never {
	const { name, code, message } = error as OutlineError;
	if (error instanceof OutlineError || name !== "OutlineError") throw error;
	throw new OutlineError(code as OutlineErrorCode, message, { cause: error });
}
