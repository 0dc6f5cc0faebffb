import type { Query } from "../../src/storage.js";
import { assertAnswer } from "./agreement.js";
import { assert, assertEqual, assertRejects } from "./assertion.js";
import type { Ledger } from "./ledger.js";
import type { Cases } from "./options.js";
import { batchOf, document, idOf, key, node } from "./records.js";
import { handled } from "./trial.js";

const queries: readonly Query[] = [
	{ type: "node", at: { key: "a" } },
	{ type: "children", of: null, scope: "own" },
	{ type: "children", of: { id: idOf(3) }, scope: "visible" },
	{ type: "subtree", of: { id: idOf(1) } },
	{ type: "ancestors", of: { id: idOf(2) } },
	{ type: "related", ids: [idOf(1)] },
	{ type: "keys", group: "shortcut" },
	{ type: "taken", shortIds: [idOf(2).slice(-12)] },
	{ type: "documents", prefix: "a" },
	{ type: "changes", since: 0, limit: 100 },
];

/** Fails if `peek` returns anything else than the records. It may always return undefined. */
function checkPeek({ storage, records }: Ledger): { durable: boolean } | undefined {
	const seen = storage.peek!(queries);
	if (seen === undefined) return undefined;
	assertEqual(seen.revision, records.revision, "the revision of a peek");
	for (const [place, query] of queries.entries()) {
		assertAnswer(query, seen.results[place], records, `peek: ${JSON.stringify(query)}`);
	}
	assertEqual(typeof seen.durable, "boolean", "durable");
	return seen;
}

/** Tests of `peek`. */
export const peeking: Cases = {
	"peek returns undefined or the right answer before the first use, and never throws": {
		needs: ["peek"],
		run: async (trial) => {
			const ledger = await trial.ledger();
			checkPeek(ledger);
			await ledger.storage.read([]);
			const seen = checkPeek(ledger);
			assert(seen?.durable !== false, "what is there from the beginning isn't durable");
		},
	},
	"peek shows a commit as soon as commit has been called, and says whether it is durable": {
		needs: ["peek"],
		run: async (trial) => {
			const ledger = await trial.ledger();
			await ledger.storage.read([]);
			const drafts = [
				{ put: [node(1), node(2, { parentId: idOf(1) }), node(3, { originId: idOf(1) })], point: [key("a", 1)] },
				{ put: [node(2, { priority: 7 })], point: [key("a", 2)], keep: [document("a"), document("b")] },
				{ remove: [2], drop: ["a"], keep: [document("c")], discard: ["a"] },
			];
			for (const draft of drafts) {
				const batch = ledger.batch(draft);
				const committing = handled(ledger.storage.commit(batch));
				ledger.records.apply(batch);
				checkPeek(ledger);
				await committing;
				const seen = checkPeek(ledger);
				assert(seen?.durable !== false, "a commit that has resolved isn't durable in a peek");
			}
		},
	},
	"peek only calls a state durable that a read shows too": {
		needs: ["peek"],
		run: async (trial) => {
			const ledger = await trial.ledger();
			const { storage } = ledger;
			await storage.read([]);
			for (let number = 0; number < 20; number++) {
				const committing = handled(storage.commit(ledger.batch({ put: [node(number)] })));
				const seen = storage.peek!([]);
				if (seen?.durable) assert((await storage.read([])).revision >= seen.revision, "a read shows less");
				await committing;
				ledger.records.revision += 1;
			}
		},
	},
	"commits based on each other, made without waiting as peek shows them, all succeed in their order": {
		needs: ["peek"],
		run: async (trial) => {
			const ledger = await trial.ledger();
			await ledger.storage.read([]);
			const committing: Promise<number>[] = [];
			const order: number[] = [];
			for (let number = 0; number < 50; number++) {
				const batch = ledger.batch({
					put: [node(number), node(100, { name: `${number}` })],
					point: [key("a", number)],
				});
				const commit = handled(ledger.storage.commit(batch));
				committing.push(commit);
				void handled(commit.then((revision) => order.push(revision)));
				ledger.records.apply(batch);
				// If the storage can't answer now, the test has to wait.
				if (checkPeek(ledger) === undefined) await commit;
			}
			const revisions = await trial.within(Promise.all(committing), "committing");
			const expected = Array.from({ length: 50 }, (_, place) => place + 1);
			assertEqual(revisions, expected, "the revisions");
			assertEqual(order, expected, "the order in which they resolved");
			await ledger.checkAll();
		},
	},
	"peek shows the current state after a conflict, and returns undefined after closing": {
		needs: ["peek"],
		run: async (trial) => {
			const ledger = await trial.ledger();
			await ledger.commit({ put: [node(1), node(3)], point: [key("a", 1)] });
			const stale = ledger.records.copy();
			await ledger.commit({ put: [node(2)] });
			const refused = ledger.storage.commit(batchOf({ put: [node(1, { name: "wrong" })] }, stale));
			await assertRejects(refused, "conflict", "a commit on 1 at 2");
			checkPeek(ledger);
			await ledger.checkAll();
			await trial.within(ledger.storage.close(), "closing");
			assertEqual(ledger.storage.peek!(queries), undefined, "peek after closing");
		},
	},
};
