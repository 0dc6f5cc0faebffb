import type { ChangedSince } from "../../src/storage.js";
import { assert, assertEqual } from "./assertion.js";
import type { Ledger } from "./ledger.js";
import type { Cases } from "./options.js";
import { idOf, key, node } from "./records.js";
import type { Trial } from "./trial.js";

/**
 * Nine commits: some nodes change again, some are deleted, one of these is created again, and some commits have
 * keys, alone or with nodes.
 */
async function history(trial: Trial): Promise<Ledger> {
	const ledger = await trial.ledger();
	await ledger.commit({ put: [node(1), node(2), node(3), node(4)] });
	await ledger.commit({ put: [node(5), node(6), node(2, { name: "changed" })] });
	await ledger.commit({ remove: [3, 5] });
	await ledger.commit({ point: [key("e", 1), key("d", 1), key("a", 1)] });
	await ledger.commit({ put: [node(1, { name: "changed" }), node(7), node(8)], remove: [6, 4] });
	await ledger.commit({ put: [node(3, { name: "again" })] });
	await ledger.commit({ put: [node(9)], remove: [8] });
	await ledger.commit({ put: [node(10)], point: [key("a", 2), key("c", 9), key("b", 9), key("d", 9)] });
	await ledger.commit({ drop: ["c", "a"] });
	return ledger;
}

async function changesSince({ storage }: Ledger, since: number, limit: number): Promise<ChangedSince> {
	const { results } = await storage.read([{ type: "changes", since, limit }]);
	return results[0];
}

/** Tests of `changes` queries. */
export const changes: Cases = {
	"changes are the written nodes and the tombstones of deleted ones, ordered by revision, then id": async (trial) => {
		const ledger = await history(trial);
		for (let since = 0; since <= 9; since++) await ledger.check({ type: "changes", since, limit: 1000 });
	},
	"changes end only between commits, as soon as they reach the limit": async (trial) => {
		const ledger = await history(trial);
		for (let since = 0; since <= 9; since++) {
			await ledger.check(
				...Array.from({ length: 12 }, (_, place) => ({ type: "changes", since, limit: place + 1 }) as const),
			);
		}
	},
	"changes, continued from the revision of each answer, reach the end without gaps or repetitions": async (trial) => {
		const ledger = await history(trial);
		for (let number = 20; number < 40; number++) await ledger.commit({ put: [node(number), node(number + 20)] });
		const all = ledger.records.changedAfter(0);
		for (const limit of [1, 2, 3, 7]) {
			const told = { nodes: [], deleted: [], keys: [], droppedKeys: [] } as { [List in keyof typeof all]: unknown[] };
			let since = 0;
			while (since < ledger.records.revision) {
				const part = await changesSince(ledger, since, limit);
				assert(part.revision > since, `changes since ${since} say to go on from ${part.revision}`);
				for (const list of ["nodes", "deleted", "keys", "droppedKeys"] as const) told[list].push(...part[list]);
				since = part.revision;
			}
			assertEqual(told, all, `all changes, with a limit of ${limit}`);
		}
	},
	"changes include the keys that were set, and the tombstones of dropped ones, and a commit of keys alone": async (
		trial,
	) => {
		const ledger = await history(trial);
		const none = { nodes: [], deleted: [], horizon: 0 };
		await ledger.commit({ point: [key("d", 1, "group"), key("a", 1)] });
		const keys = [key("a", 1), key("d", 1, "group")].map((record) => ({ ...record, revision: 10 }));
		assertEqual(await changesSince(ledger, 9, 1), { ...none, keys, droppedKeys: [], revision: 10 }, "keys set");
		const droppedKeys = [{ key: "c", revision: 9 }];
		assertEqual(await changesSince(ledger, 8, 9), { ...none, keys, droppedKeys, revision: 10 }, "keys dropped");
		assertEqual(await changesSince(ledger, 10, 1), { ...none, keys: [], droppedKeys: [], revision: 10 }, "nothing");
	},
	"a horizon drops the tombstones of the commits up to it, and of no later ones": async (trial) => {
		const ledger = await history(trial);
		for (const horizon of [0, 2, 3, 5, 4, 9]) {
			await ledger.commit({ horizon });
			for (let since = 0; since <= 9; since++) await ledger.check({ type: "changes", since, limit: 1000 });
			await ledger.checkAll();
		}
		await ledger.commit({ put: [node(3)], remove: [7], drop: ["b"] });
		await ledger.commit({ horizon: ledger.records.revision - 1 });
		await ledger.checkAll();
		await ledger.commit({ put: [node(7)], point: [key("b", 7)] });
		await ledger.checkAll();
	},
	"a horizon stays after closing and opening": {
		needs: ["durable"],
		run: async (trial) => {
			const ledger = await history(trial);
			await ledger.commit({ horizon: 5 });
			await trial.reopen(ledger);
			await ledger.checkAll();
			await ledger.commit({ remove: [10] });
			await trial.reopen(ledger);
			await ledger.checkAll();
		},
	},
	"a tombstone disappears when its id is created again, and comes back when that node is deleted": async (trial) => {
		const ledger = await trial.ledger();
		await ledger.commit({ put: [node(1), node(2)] });
		await ledger.commit({ remove: [1] });
		await ledger.commit({ put: [node(1)] });
		const rest = { keys: [], droppedKeys: [], horizon: 0 };
		const record = { ...node(1), revision: 3 };
		assertEqual(
			await changesSince(ledger, 1, 9),
			{ ...rest, nodes: [record], deleted: [], revision: 3 },
			"created again",
		);
		await ledger.commit({ remove: [1] });
		const tombstone = { id: idOf(1), revision: 4 };
		assertEqual(
			await changesSince(ledger, 1, 9),
			{ ...rest, nodes: [], deleted: [tombstone], revision: 4 },
			"deleted again",
		);
	},
};
