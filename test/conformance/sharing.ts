import { assertEqual, assertRejects } from "./assertion.js";
import { assertCounted, contend } from "./contention.js";
import type { Cases } from "./options.js";
import { batchOf, idOf, key, node } from "./records.js";

/** Two storages on one outline, as in two processes or tabs. */
export const sharing: Cases = {
	"commits of one storage are there for another that opens then": {
		needs: ["multiProcess"],
		run: async (trial) => {
			const ledger = await trial.ledger();
			const first = ledger.storage;
			await ledger.commit({ put: [node(1), node(2, { originId: idOf(1) })], point: [key("a", 2)] });
			await ledger.commit({ put: [node(3)], remove: [2], drop: ["a"] });
			ledger.storage = await trial.open();
			await ledger.checkAll();
			await ledger.commit({ put: [node(4)] });
			await ledger.continueWith(first);
			await ledger.checkAll();
		},
	},
	"a commit on a revision that another storage has passed is refused, and then the current state can be read": {
		needs: ["multiProcess"],
		run: async (trial) => {
			const ledger = await trial.ledger();
			const storages = [ledger.storage, await trial.open()] as const;
			for (const storage of storages) await storage.read([]);
			for (let round = 0; round < 10; round++) {
				const [winner, loser] = round % 2 === 0 ? storages : [storages[1], storages[0]];
				await ledger.continueWith(loser);
				const stale = ledger.records.copy();
				await ledger.continueWith(winner);
				await ledger.commit({ put: [node(1, { name: `${round}` }), node(10 + round)], point: [key("a", 1)] });
				const late = batchOf({ put: [node(1, { name: "late" }), node(50)], point: [key("b", 1)] }, stale);
				await assertRejects(loser.commit(late), "conflict", `a commit on ${round} at ${round + 1}`);
				ledger.storage = loser;
				await ledger.checkAll();
			}
		},
	},
	"of two storages that commit on one revision at once, exactly one succeeds": {
		needs: ["multiProcess"],
		run: async (trial) => {
			const ledger = await trial.ledger();
			const storages = [ledger.storage, await trial.open(), await trial.open()];
			for (let round = 0; round < 10; round++) {
				for (const storage of storages) await ledger.continueWith(storage);
				const batches = storages.map((_, place) =>
					ledger.batch({ put: [node(1, { name: `${round} ${place}` }), node(10 * round + place + 2)] }),
				);
				const outcomes = await trial.within(
					Promise.allSettled(storages.map((storage, place) => storage.commit(batches[place]!))),
					"committing",
				);
				const winners = batches.filter((_, place) => outcomes[place]?.status === "fulfilled");
				assertEqual(winners.length, 1, "the number of commits that succeeded");
				for (const outcome of outcomes) {
					if (outcome.status === "rejected")
						await assertRejects(Promise.reject(outcome.reason), "conflict", "a commit");
				}
				ledger.records.apply(winners[0]!);
			}
			for (const storage of storages) {
				await ledger.continueWith(storage);
				await ledger.checkAll();
			}
		},
	},
	"storages that commit in competition and retry lose nothing": {
		needs: ["multiProcess"],
		run: async (trial) => {
			const storages = [await trial.open(), await trial.open(), await trial.open(), await trial.open()];
			await contend(storages, 8, trial);
			await assertCounted(await trial.open(), 32);
		},
	},
};
