import type { ChangedSince } from "../../src/storage.js";
import { assert, assertEqual } from "./assertion.js";
import type { Ledger } from "./ledger.js";
import type { Case } from "./options.js";
import { idOf, key, node } from "./records.js";
import type { Trial } from "./trial.js";

/**
 * Seven commits: some nodes change again, some are deleted, one of these is created again, and one commit has
 * only keys.
 */
async function history(trial: Trial): Promise<Ledger> {
	const ledger = await trial.ledger();
	await ledger.commit({ put: [node(1), node(2), node(3), node(4)] });
	await ledger.commit({ put: [node(5), node(6), node(2, { name: "changed" })] });
	await ledger.commit({ remove: [3, 5] });
	await ledger.commit({ point: [key("a", 1)] });
	await ledger.commit({ put: [node(1, { name: "changed" }), node(7), node(8)], remove: [6, 4] });
	await ledger.commit({ put: [node(3, { name: "again" })] });
	await ledger.commit({ put: [node(9)], remove: [8] });
	return ledger;
}

async function changesSince({ storage }: Ledger, since: number, limit: number): Promise<ChangedSince> {
	const { results } = await storage.read([{ type: "changes", since, limit }]);
	return results[0];
}

/** Tests of `changes` queries. */
export const changes: readonly Case[] = [
	{
		name: "changes are the written nodes and the tombstones of deleted ones, ordered by revision, then id",
		run: async (trial) => {
			const ledger = await history(trial);
			for (let since = 0; since <= 7; since++) await ledger.check({ type: "changes", since, limit: 1000 });
		},
	},
	{
		name: "changes end only between commits, as soon as they reach the limit",
		run: async (trial) => {
			const ledger = await history(trial);
			for (let since = 0; since <= 7; since++) {
				await ledger.check(
					...Array.from({ length: 12 }, (_, place) => ({ type: "changes", since, limit: place + 1 }) as const),
				);
			}
		},
	},
	{
		name: "changes, continued from the revision of each answer, reach the end without gaps or repetitions",
		run: async (trial) => {
			const ledger = await history(trial);
			for (let number = 20; number < 40; number++) await ledger.commit({ put: [node(number), node(number + 20)] });
			const { nodes, deleted } = ledger.records.changedAfter(0);
			for (const limit of [1, 2, 3, 7]) {
				const told: { nodes: unknown[]; deleted: unknown[] } = { nodes: [], deleted: [] };
				let since = 0;
				while (since < ledger.records.revision) {
					const part = await changesSince(ledger, since, limit);
					assert(part.revision > since, `changes since ${since} say to go on from ${part.revision}`);
					told.nodes.push(...part.nodes);
					told.deleted.push(...part.deleted);
					since = part.revision;
				}
				assertEqual(told, { nodes, deleted }, `all changes, with a limit of ${limit}`);
			}
		},
	},
	{
		name: "changes of a commit that wrote only keys are empty, and the revision is the current one",
		run: async (trial) => {
			const ledger = await history(trial);
			await ledger.commit({ point: [key("b", 1)] });
			assertEqual(await changesSince(ledger, 7, 1), { nodes: [], deleted: [], revision: 8 }, "changes");
			assertEqual(await changesSince(ledger, 8, 1), { nodes: [], deleted: [], revision: 8 }, "changes since now");
		},
	},
	{
		name: "a tombstone disappears when its id is created again, and comes back when that node is deleted",
		run: async (trial) => {
			const ledger = await trial.ledger();
			await ledger.commit({ put: [node(1), node(2)] });
			await ledger.commit({ remove: [1] });
			await ledger.commit({ put: [node(1)] });
			const record = { ...node(1), revision: 3 };
			assertEqual(await changesSince(ledger, 1, 9), { nodes: [record], deleted: [], revision: 3 }, "created again");
			await ledger.commit({ remove: [1] });
			const tombstone = { id: idOf(1), revision: 4 };
			assertEqual(await changesSince(ledger, 1, 9), { nodes: [], deleted: [tombstone], revision: 4 }, "deleted again");
		},
	},
];
