import { type Operation, promiseOf, read } from "../../engine/protocol.js";
import { isConflict } from "../../errors.js";
import type { Batch, StorageAdapter } from "../../storage.js";

/** Commits what an operation computes. Computes it again if another commit comes first. */
export async function commitComputed(
	storage: StorageAdapter,
	begin: () => Operation<Batch>,
	commit = (batch: Batch) => storage.commit(batch),
): Promise<void> {
	for (;;) {
		const batch = await promiseOf(await read(storage, begin));
		try {
			await commit(batch);
			return;
		} catch (error) {
			if (!isConflict(error)) throw error;
		}
	}
}
