import { assertEqual, assertRejects } from "./assertion.js";
import { assertCounted, contend } from "./contention.js";
import type { Cases } from "./options.js";
import { batchOf, idOf, key, node, nodes } from "./records.js";

/** Tests of commits and their conflicts. */
export const committing: Cases = {
	"a commit creates, changes and deletes nodes and keys, and resolves with the next revision": async (trial) => {
		const ledger = await trial.ledger();
		await ledger.commit({
			put: [node(1), node(2), node(3, { parentId: idOf(1) })],
			point: [key("a", 1), key("b", 2)],
		});
		await ledger.checkAll();
		await ledger.commit({
			put: [node(3, { parentId: idOf(2), note: "moved" }), node(4)],
			remove: [1],
			point: [key("b", 4), key("c", 3, "system")],
			drop: ["a"],
		});
		await ledger.checkAll();
	},
	"a commit may have a child before its parent and a mirror before its origin": async (trial) => {
		const ledger = await trial.ledger();
		await ledger.commit({
			put: [node(3, { parentId: idOf(2) }), node(4, { originId: idOf(1) }), node(2, { parentId: idOf(1) }), node(1)],
		});
		await ledger.checkAll();
		await ledger.commit({ remove: [1, 2, 3, 4] });
		await ledger.checkAll();
	},
	"a commit may give the place or the key of one node to another": async (trial) => {
		const ledger = await trial.ledger();
		await ledger.commit({ put: [node(1), node(2), node(3)], point: [key("a", 1), key("b", 2)] });
		await ledger.commit({
			put: [node(1, { priority: 2 }), node(2, { priority: 3 }), node(3, { priority: 1 })],
			point: [key("a", 2), key("b", 1, "system")],
		});
		await ledger.checkAll();
		await ledger.commit({ put: [node(4, { priority: 2 })], remove: [1], point: [key("b", 4)] });
		await ledger.checkAll();
		await ledger.check({ type: "keys", group: "system" }, { type: "subtree", of: { id: idOf(4) } });
	},
	"a commit may have only keys, or no changes at all": async (trial) => {
		const ledger = await trial.ledger();
		await ledger.commit({ put: [node(1), node(2)] });
		await ledger.commit({ point: [key("a", 1)] });
		await ledger.checkAll();
		await ledger.commit({ point: [key("a", 2)] });
		await ledger.commit({});
		await ledger.checkAll();
		await ledger.commit({ drop: ["a"] });
		await ledger.checkAll();
		await ledger.check({ type: "changes", since: 1, limit: 1 }, { type: "changes", since: 5, limit: 1 });
	},
	"a mirror may get another origin, and may become a normal node": async (trial) => {
		const ledger = await trial.ledger();
		await ledger.commit({ put: [node(1), node(2), node(3, { originId: idOf(1) }), node(4, { originId: idOf(1) })] });
		await ledger.commit({ put: [node(1), node(2), node(3, { originId: idOf(2) })] });
		await ledger.checkAll();
		await ledger.commit({ put: [node(1), node(2), node(3), node(4, { originId: idOf(2) })] });
		await ledger.checkAll();
		await ledger.commit({ put: [node(2)], remove: [4] });
		await ledger.checkAll();
	},
	"a deleted id may be created again": async (trial) => {
		const ledger = await trial.ledger();
		await ledger.commit({ put: [node(1), node(2)], point: [key("a", 1)] });
		await ledger.commit({ remove: [1], drop: ["a"] });
		await ledger.checkAll();
		await ledger.commit({ put: [node(1, { name: "again" })], point: [key("a", 2)] });
		await ledger.checkAll();
		await ledger.commit({ remove: [1] });
		await ledger.checkAll();
	},
	"a commit may be very large": async (trial) => {
		const ledger = await trial.ledger();
		const { changes } = trial.sizes;
		const third = Math.floor(changes / 3);
		await ledger.commit({ put: nodes(changes, (number) => ({ parentId: number === 0 ? null : idOf(0) })) });
		await ledger.commit({
			put: nodes(changes, (number) => ({ parentId: number === 0 ? null : idOf(0), name: `changed ${number}` })).slice(
				0,
				changes - third,
			),
			remove: Array.from({ length: third }, (_, place) => changes - 1 - place),
		});
		const { revision, results } = await ledger.storage.read([
			{ type: "children", of: { id: idOf(0) }, scope: "own" },
			{ type: "changes", since: 1, limit: 1 },
		]);
		assertEqual(revision, 2, "the revision");
		assertEqual(
			results[0].map(({ record }) => record.name),
			Array.from({ length: changes - third - 1 }, (_, place) => `changed ${place + 1}`),
			"the names",
		);
		assertEqual(
			[results[1].nodes.length, results[1].deleted.length],
			[changes - third, third],
			"what the second commit wrote and deleted",
		);
	},
	"a commit on a revision that isn't current is refused with conflict and changes nothing": async (trial) => {
		const ledger = await trial.ledger();
		await assertRejects(ledger.storage.commit({ ...ledger.batch({}), base: 1 }), "conflict", "a commit on 1 at 0");
		await ledger.commit({ put: [node(1), node(2)], point: [key("a", 1)] });
		await ledger.commit({ put: [node(3)] });
		const draft = { put: [node(1, { name: "wrong" }), node(4)], remove: [2], point: [key("a", 3), key("b", 3)] };
		for (const base of [0, 1, 3, 4, 1_000_000]) {
			const records = ledger.records.copy();
			records.revision = base;
			await assertRejects(ledger.storage.commit(batchOf(draft, records)), "conflict", `a commit on ${base} at 2`);
			await ledger.checkAll();
		}
		await ledger.commit(draft);
		await ledger.checkAll();
	},
	"of several commits on one revision, made at once, exactly one succeeds, and the others leave no trace": async (
		trial,
	) => {
		const ledger = await trial.ledger();
		for (let round = 0; round < 5; round++) {
			const batches = Array.from({ length: 8 }, (_, place) => {
				const number = 10 * round + place;
				return ledger.batch({ put: [node(number), node(100, { name: `${number}` })], point: [key("last", number)] });
			});
			const outcomes = await trial.within(
				Promise.allSettled(batches.map((batch) => ledger.storage.commit(batch))),
				"committing",
			);
			const successful = batches.filter((_, place) => outcomes[place]?.status === "fulfilled");
			assertEqual(successful.length, 1, "the number of commits that succeeded");
			for (const outcome of outcomes) {
				if (outcome.status === "rejected") await assertRejects(Promise.reject(outcome.reason), "conflict", "a commit");
			}
			ledger.records.apply(successful[0]!);
			await ledger.checkAll();
		}
	},
	"commits that are retried after a conflict all succeed in the end, and none is lost": async (trial) => {
		const storage = await trial.open();
		await contend([storage, storage, storage, storage], 5, trial);
		await assertCounted(storage, 20);
	},
};
