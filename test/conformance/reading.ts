import type { Query } from "../../src/storage.js";
import { assertEqual } from "./assertion.js";
import type { Ledger } from "./ledger.js";
import type { Cases } from "./options.js";
import { document, idOf, key, node, shortIdOf } from "./records.js";
import type { Trial } from "./trial.js";

const unknown = 999;

/** The three ways to name a node, for a node that doesn't exist. */
const nowhere = [{ id: idOf(unknown) }, { shortId: shortIdOf(unknown) }, { key: "nowhere" }] as const;

/**
 * Node 1 has the children 2, 3 and 4, in the order 3, 2, 4. Node 5 is a mirror of 1. Its own children 6 and 7
 * are between the children of node 1; node 7 has the same priority as 2. Node 8 is a mirror of 1 too. Node 9
 * is a mirror of a deleted node and has the child 10.
 */
async function planted(trial: Trial): Promise<Ledger> {
	const ledger = await trial.ledger();
	await ledger.commit({
		put: [
			node(1, { priority: -5 }),
			node(2, { parentId: idOf(1), priority: 20 }),
			node(3, { parentId: idOf(1), priority: -10 }),
			node(4, { parentId: idOf(1), priority: 30 }),
			node(5, { originId: idOf(1), priority: 100 }),
			node(6, { parentId: idOf(5), priority: 0 }),
			node(7, { parentId: idOf(5), priority: 20 }),
			node(8, { parentId: idOf(6), originId: idOf(1) }),
			node(9, { originId: idOf(unknown), priority: 50 }),
			node(10, { parentId: idOf(9) }),
		],
		point: [key("inbox", 1, "system"), key("a", 5), key("b", 5), key("c", 9), key("2026", 6, "calendar")],
	});
	return ledger;
}

/** Every kind of query, on a small outline. */
export const reading: Cases = {
	"node is found by id, by short id and by key, with its origin and its mirrors": async (trial) => {
		const ledger = await planted(trial);
		const numbers = [1, 2, 5, 8, 9];
		await ledger.check(
			...numbers.map((number) => ({ type: "node", at: { id: idOf(number) } }) as const),
			...numbers.map((number) => ({ type: "node", at: { shortId: shortIdOf(number) } }) as const),
			...["inbox", "a", "b", "c", "2026"].map((each) => ({ type: "node", at: { key: each } }) as const),
			...nowhere.map((at) => ({ type: "node", at }) as const),
		);
	},
	"children are in the order of their priorities, within bounds, the first or the last of them": async (trial) => {
		const ledger = await planted(trial);
		const ranges = [{}, { after: -10 }, { before: 30 }, { after: -10, before: 30 }, { after: 20, before: 20 }];
		const limits = [{}, { limit: 1 }, { limit: 2, fromLast: true }, { limit: 2, fromLast: false }, { limit: 100 }];
		const parents = [null, { id: idOf(1) }, { shortId: shortIdOf(1) }, { key: "inbox" }, { id: idOf(2) }, ...nowhere];
		for (const of of parents) {
			await ledger.check(
				...ranges.flatMap((range) =>
					limits.map((limit): Query => ({ type: "children", of, scope: "own", ...range, ...limit })),
				),
			);
		}
	},
	"visible children of a mirror are its origin's and its own, merged by priority, then id": async (trial) => {
		const ledger = await planted(trial);
		const ranges = [{}, { after: -10 }, { before: 30 }, { after: 0, before: 30 }, { after: 19, before: 21 }];
		const limits = [{}, { limit: 1 }, { limit: 1, fromLast: true }, { limit: 3 }, { limit: 3, fromLast: true }];
		for (const parent of [{ id: idOf(5) }, { shortId: shortIdOf(8) }, { key: "b" }, { id: idOf(1) }, { key: "c" }]) {
			await ledger.check(
				...ranges.flatMap((range) =>
					limits.map((limit): Query => ({ type: "children", of: parent, scope: "visible", ...range, ...limit })),
				),
				{ type: "children", of: parent, scope: "own" },
			);
		}
	},
	"ancestors are the ids from a node upwards, nearest first": async (trial) => {
		const ledger = await planted(trial);
		const places = [{ id: idOf(8) }, { shortId: shortIdOf(7) }, { key: "2026" }, { id: idOf(1) }, ...nowhere];
		await ledger.check(...places.map((of) => ({ type: "ancestors", of }) as const));
	},
	"subtree is a node and all below it, each parent first, with every key that points at one of them": async (trial) => {
		const ledger = await planted(trial);
		const places = [{ key: "a" }, { id: idOf(1) }, { shortId: shortIdOf(6) }, { id: idOf(4) }, ...nowhere];
		await ledger.check(...places.map((of) => ({ type: "subtree", of }) as const));
	},
	"related returns nodes, their origins and their mirrors, each once": async (trial) => {
		const ledger = await planted(trial);
		const lists = [[], [1], [5], [2], [1, 5, 8], [5, 5, 1, 5], [2, 3, unknown - 1], [9], [10, 8]];
		await ledger.check(...lists.map((list) => ({ type: "related", ids: list.map(idOf) }) as const));
	},
	"taken returns the short ids that belong to a node, each once": async (trial) => {
		const ledger = await planted(trial);
		const lists = [[], [1], [unknown], [1, unknown, 2, 1, unknown, 1]];
		await ledger.check(...lists.map((list) => ({ type: "taken", shortIds: list.map(shortIdOf) }) as const));
	},
	"keys returns the keys of a group, with their nodes": async (trial) => {
		const ledger = await planted(trial);
		const groups = ["shortcut", "system", "calendar", "2026", "inbox", "nothing"];
		await ledger.check(...groups.map((group) => ({ type: "keys", group }) as const));
	},
	"a read without queries returns the revision, and one with many queries an answer for each, in their order": async (
		trial,
	) => {
		const ledger = await planted(trial);
		assertEqual(await ledger.storage.read([]), { revision: 1, results: [] }, "a read of nothing");
		await ledger.commit({ put: [node(1, { name: "changed" })], keep: [document("a"), document("b")] });
		assertEqual(await ledger.storage.read([]), { revision: 2, results: [] }, "a read of nothing");
		const kinds: Query[] = [
			{ type: "node", at: { id: idOf(5) } },
			{ type: "children", of: { id: idOf(1) }, scope: "own" },
			{ type: "ancestors", of: { id: idOf(7) } },
			{ type: "keys", group: "shortcut" },
			{ type: "taken", shortIds: [shortIdOf(3)] },
			{ type: "changes", since: 1, limit: 5 },
			{ type: "subtree", of: { id: idOf(6) } },
			{ type: "related", ids: [idOf(1)] },
			{ type: "documents", prefix: "a" },
			{ type: "documents", prefix: "", limit: 1 },
		];
		await ledger.check(...Array.from({ length: 100 }, (_, place) => kinds[(place * 7) % kinds.length]!));
	},
	"reads at the same time each get their own answers": async (trial) => {
		const ledger = await planted(trial);
		await Promise.all(
			Array.from({ length: 50 }, (_, place) => ledger.check({ type: "node", at: { id: idOf(place % 12) } })),
		);
	},
};
