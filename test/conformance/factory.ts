import type { Query, StorageAdapter } from "../../src/storage.js";
import { assert, assertEqual } from "./assertion.js";
import { type Ledger, scanned } from "./ledger.js";
import type { Cases, Traits } from "./options.js";
import { document, idOf, key, node, shortIdOf } from "./records.js";

const nothing = {
	node: null,
	children: [],
	ancestors: [],
	subtree: { nodes: [], keys: [] },
	related: [],
	taken: [],
	keys: [],
	documents: [],
	changes: { nodes: [], deleted: [], keys: [], droppedKeys: [], horizon: 0, revision: 0 },
} as const;

/** Tests of `create`, on which all other tests depend. */
export function factory(traits: Traits): Cases {
	return {
		"create returns a storage with the methods of the contract, and with the methods that its traits declare": async (
			trial,
		) => {
			const storage: Partial<StorageAdapter> = await trial.open();
			for (const method of ["read", "commit", "scan", "close"] as const) {
				assertEqual(typeof storage[method], "function", method);
			}
			for (const method of ["watch", "peek"] as const) {
				const declared = traits[method] === true;
				assertEqual(typeof storage[method], declared ? "function" : "undefined", `${method}, as declared`);
			}
		},
		"create returns an empty storage at revision 0": async (trial) => {
			const storage = await trial.open();
			const at = { id: idOf(1) };
			const queries: Query[] = [
				{ type: "node", at },
				{ type: "node", at: { shortId: shortIdOf(1) } },
				{ type: "node", at: { key: "inbox" } },
				{ type: "children", of: null, scope: "own" },
				{ type: "children", of: null, scope: "visible", limit: 1, fromLast: true },
				{ type: "children", of: at, scope: "own" },
				{ type: "children", of: at, scope: "visible", after: 1, before: 5 },
				{ type: "ancestors", of: at },
				{ type: "subtree", of: at },
				{ type: "related", ids: [idOf(1), idOf(2)] },
				{ type: "taken", shortIds: [shortIdOf(1)] },
				{ type: "keys", group: "shortcut" },
				{ type: "documents", prefix: "" },
				{ type: "changes", since: 0, limit: 10 },
			];
			assertEqual(
				await storage.read(queries),
				{ revision: 0, results: queries.map(({ type }) => nothing[type]) },
				"the answers of a new storage",
			);
			assertEqual(await scanned(storage), [], "scan");
		},
		"create returns independent storages for different names": async (trial) => {
			const one = await trial.ledger();
			const other = await trial.another().ledger();
			await one.commit({ put: [node(1), node(2)], point: [key("k", 1)], keep: [document("k"), document("r")] });
			await one.commit({ remove: [2] });
			await other.checkAll();
			await other.commit({ put: [node(1, { name: "another" }), node(2)], keep: [document("k", "1")] });
			await one.checkAll();
			await one.commit({ discard: ["k"] });
			await other.checkAll();
			await trial.within(other.storage.close(), "closing");
			await one.commit({ put: [node(3)] });
			await one.checkAll();
		},
		"a storage opens on first use, whichever method that is": async (trial) => {
			const ledgers = await Promise.all(Array.from({ length: 3 }, () => trial.another().ledger()));
			const [first, second, third] = ledgers as [Ledger, Ledger, Ledger];
			await first.commit({ put: [node(1)] });
			assertEqual(await scanned(second.storage), [], "scan");
			const end = third.storage.watch?.(() => {});
			assert(end === undefined || typeof end === "function", "watch doesn't return a function");
			third.storage.peek?.([]);
			end?.();
			for (const ledger of ledgers) await ledger.commit({ put: [node(2)] });
			for (const ledger of ledgers) await ledger.checkAll();
		},
	};
}
