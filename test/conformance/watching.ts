import { type CommitNotice, relatedIds, type StorageAdapter } from "../../src/storage.js";
import { assertSameNodes } from "./agreement.js";
import { assert, assertEqual } from "./assertion.js";
import { assertCounted, contend } from "./contention.js";
import type { Cases } from "./options.js";
import { document, idOf, key, node } from "./records.js";
import { handled, turn } from "./trial.js";

/** Fails unless the notices are in the order of their revisions. */
function assertOrder(notices: readonly CommitNotice[]): void {
	for (const [place, { revision }] of notices.entries()) {
		const before = notices[place - 1]?.revision ?? 0;
		assert(revision > before, `a notice of the revision ${revision} came after one of ${before}`);
	}
}

function watched(storage: StorageAdapter): { notices: CommitNotice[]; end: () => void } {
	const notices: CommitNotice[] = [];
	return { notices, end: storage.watch!((notice) => notices.push(notice)) };
}

/** Tests of `watch`. */
export const watching: Cases = {
	"watch notifies of each commit before its promise is seen to resolve, in order of revision": {
		needs: ["watch"],
		run: async (trial) => {
			const ledger = await trial.ledger();
			await ledger.storage.read([]);
			const { notices } = watched(ledger.storage);
			for (let number = 0; number < 10; number++) {
				await ledger.commit({ put: [node(number)] });
				assertEqual(notices.at(-1)?.revision, number + 1, "the last notice when a commit has resolved");
			}
			assertOrder(notices);
		},
	},
	"watch notices with detail have the changes of the commit and the related nodes before it": {
		needs: ["watch"],
		run: async (trial) => {
			const ledger = await trial.ledger();
			await ledger.storage.read([]);
			const { notices } = watched(ledger.storage);
			const drafts = [
				{ put: [node(1), node(2, { originId: idOf(1) }), node(3, { parentId: idOf(1) })], point: [key("a", 1)] },
				{ put: [node(1, { name: "changed" }), node(4)] },
				{ put: [node(1)], remove: [2], drop: ["a"] },
				{ put: [node(3, { originId: idOf(4) }), node(4)], keep: [document("a"), document("b")] },
				{ discard: ["a"] },
			];
			for (const draft of drafts) {
				const related = ledger.records.answer({ type: "related", ids: relatedIds(ledger.batch(draft).nodes) });
				const batch = await ledger.commit(draft);
				const notice = notices.find(({ revision }) => revision === batch.base + 1);
				if (notice?.detail === undefined) continue;
				assertEqual(notice.detail.batch, batch, "the batch of a notice");
				assertSameNodes(notice.detail.related, related, "what was related");
			}
		},
	},
	"watch notifies each listener, until it is removed, and none after closing": {
		needs: ["watch"],
		run: async (trial) => {
			const ledger = await trial.ledger();
			await ledger.storage.read([]);
			const [one, two, three] = [watched(ledger.storage), watched(ledger.storage), watched(ledger.storage)];
			await ledger.commit({ put: [node(1)] });
			two.end();
			two.end();
			await ledger.commit({ put: [node(2)] });
			one.end();
			await ledger.commit({ put: [node(3)] });
			const told = [one, two, three].map(({ notices }) => notices.map(({ revision }) => revision));
			assertEqual(told, [[1, 2], [1], [1, 2, 3]], "who was told of what");
			await trial.within(ledger.storage.close(), "closing");
			three.end();
		},
	},
	"a read that begins after a notice shows the commit of the notice": {
		needs: ["watch"],
		run: async (trial) => {
			const ledger = await trial.ledger();
			const { storage } = ledger;
			await storage.read([]);
			const reads: Promise<void>[] = [];
			storage.watch!(({ revision }) => {
				const reading = storage.read([{ type: "changes", since: revision - 1, limit: 1 }]).then((snapshot) => {
					assert(snapshot.revision >= revision, `a read gave ${snapshot.revision} after a notice of ${revision}`);
					assert(snapshot.results[0].nodes.length > 0, `a notice of ${revision} came, and there are no changes`);
				});
				reads.push(handled(reading));
			});
			for (let number = 0; number < 10; number++) await ledger.commit({ put: [node(number)] });
			await trial.within(Promise.all(reads), "reading");
		},
	},
	"watch notifies of commits by other storages on the same outline, in order, and reads show them": {
		needs: ["watch", "multiProcess"],
		run: async (trial) => {
			const storages = [await trial.open(), await trial.open()];
			for (const storage of storages) await storage.read([]);
			const watches = storages.map(watched);
			await contend(storages, 10, trial);
			for (const [place, { notices }] of watches.entries()) {
				await trial.until(() => notices.at(-1)?.revision === 20, "the notice of the last commit");
				assertOrder(notices);
				await assertCounted(storages[place]!, 20);
			}
		},
	},
	"watch ends with closing, even if other storages continue": {
		needs: ["watch", "multiProcess"],
		run: async (trial) => {
			const ledger = await trial.ledger();
			const [leaving, staying] = [await trial.open(), await trial.open()];
			for (const storage of [ledger.storage, leaving, staying]) await storage.read([]);
			const [gone, there] = [watched(leaving), watched(staying)];
			await trial.within(leaving.close(), "closing");
			await ledger.commit({ put: [node(1)] });
			await trial.until(() => there.notices.length > 0, "a notice to the one that is open");
			await turn();
			assertEqual(gone.notices, [], "the notices to the one that was closed");
		},
	},
};
