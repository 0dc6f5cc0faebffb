import type { NodeChange, NodeRecord, StorageAdapter } from "../../src/storage.js";
import { assertEqual, fail, isConflict } from "./assertion.js";
import { frozen, idOf, node } from "./records.js";
import { type Trial, turn } from "./trial.js";

/**
 * The most attempts of a commit. Each conflict means that another commit has succeeded, so there can't be
 * many.
 */
const attemptLimit = 500;

/**
 * Makes commits from several storages on one outline at once, `commits` from each, and retries after
 * conflicts. Each increases the count in the name of node 0, which must exist, and creates a node.
 * {@link assertCounted} checks whether anything was lost.
 */
export async function contend(storages: readonly StorageAdapter[], commits: number, trial: Trial): Promise<void> {
	const workers = storages.map(async (storage, worker) => {
		for (let count = 0; count < commits; count++) {
			await commitOn(storage, (before) => [
				{ before, after: { ...(before ?? node(0)), name: `${Number(before?.name ?? 0) + 1}` } },
				{ before: null, after: node(1 + worker * commits + count) },
			]);
		}
	});
	await trial.within(Promise.all(workers), "committing with retries");
}

/** Fails unless a storage shows the result of this many commits of {@link contend}. */
export async function assertCounted(storage: StorageAdapter, commits: number): Promise<void> {
	const { revision, results } = await storage.read([{ type: "children", of: null, scope: "own" }]);
	assertEqual(
		[revision, results[0].length, results[0][0]?.record.name],
		[commits, commits + 1, `${commits}`],
		`the revision, the nodes and the count after ${commits} commits`,
	);
}

async function commitOn(storage: StorageAdapter, change: (before: NodeRecord | null) => NodeChange[]): Promise<void> {
	for (let attempt = 0; attempt < attemptLimit; attempt++) {
		const { revision: base, results } = await storage.read([{ type: "node", at: { id: idOf(0) } }]);
		const nodes = change(results[0]?.record ?? null).map(({ before, after }) => {
			return { before, after: after && { ...after, revision: base + 1 } };
		});
		try {
			await storage.commit(frozen({ base, nodes, keys: [] }));
			return;
		} catch (error) {
			if (!isConflict(error)) throw error;
			await turn();
		}
	}
	fail(`a commit was refused ${attemptLimit} times, each time on the revision that a read had just given`);
}
