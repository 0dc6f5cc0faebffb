import { assert, assertEqual, assertError, assertRejects } from "./assertion.js";
import { Ledger, scanned } from "./ledger.js";
import type { Cases } from "./options.js";
import { type Draft, document, idOf, key, node, nodes } from "./records.js";
import { handled, turn } from "./trial.js";

/** Tests of opening, closing, and opening again. */
export const lifetime: Cases = {
	"many first uses at once open the storage once": async (trial) => {
		const ledger = await trial.ledger();
		const reads = Array.from({ length: trial.sizes.opens }, () => ledger.storage.read([]));
		for (const { revision } of await trial.within(Promise.all(reads), "reading")) assertEqual(revision, 0, "revision");
		await ledger.commit({ put: [node(1)] });
		await ledger.checkAll();
	},
	"many storages on different outlines can be opened at once": async (trial) => {
		const ledgers = await Promise.all(Array.from({ length: trial.sizes.opens }, () => trial.another().ledger()));
		const use = async (ledger: Ledger, place: number) => {
			await ledger.commit({ put: [node(place)] });
			await ledger.commit({ put: [node(place + 1)], point: [key("a", place)] });
			await ledger.checkAll();
		};
		await trial.within(Promise.all(ledgers.map(use)), "using them");
	},
	"closing twice succeeds, also at once, and also before the first use": async (trial) => {
		const ledger = await trial.ledger();
		await ledger.commit({ put: [node(1)] });
		await trial.within(Promise.all([ledger.storage.close(), ledger.storage.close()]), "closing twice at once");
		await trial.within(ledger.storage.close(), "closing again");
		const unused = await trial.another().open();
		await trial.within(unused.close(), "closing what wasn't used");
		await trial.within(unused.close(), "closing it again");
		await assertRejects(unused.read([]), "closed", "read after closing what wasn't used");
		// `await using` does this on engines that have it.
		const disposed = await trial.another().open();
		if (disposed[Symbol.asyncDispose] === undefined) return;
		await trial.within(disposed[Symbol.asyncDispose]!(), "disposing of what wasn't used");
		await assertRejects(disposed.read([]), "closed", "read after disposing");
	},
	"after closing, every call is refused with closed": async (trial) => {
		const ledger = await trial.ledger();
		await ledger.commit({ put: [node(1)] });
		const closing = ledger.storage.close();
		await trial.within(closing, "closing");
		const { storage } = ledger;
		await assertRejects(storage.read([]), "closed", "read");
		await assertRejects(storage.read([{ type: "node", at: { id: idOf(1) } }]), "closed", "read");
		await assertRejects(storage.commit(ledger.batch({ put: [node(2)] })), "closed", "commit");
		await assertRejects(storage.commit({ ...ledger.batch({}), base: 99 }), "closed", "commit on a wrong revision");
		await assertRejects(scanned(storage), "closed", "scan");
	},
	"closing waits for the present commits": async (trial) => {
		const ledger = await trial.ledger();
		await ledger.storage.read([]);
		let committed = false;
		const committing = handled(
			ledger.storage.commit(ledger.batch({ put: nodes(50) })).then(() => {
				committed = true;
			}),
		);
		await trial.within(ledger.storage.close(), "closing");
		// The promise that resolves first may be seen last, by a few turns of the queue of promises.
		await turn();
		assert(committed, "closing came to its end before a commit that was under way");
		await committing;
	},
	"closing while the storage opens succeeds, and earlier calls are answered or refused with closed": async (trial) => {
		const storage = await trial.open();
		const reading = storage.read([]).then(
			({ revision }) => assertEqual(revision, 0, "the revision"),
			(error: unknown) => assertError(error, "closed", "a read during closing"),
		);
		await trial.within(Promise.all([storage.close(), reading]), "closing while it opens");
	},
	"all content is there after closing and opening: nodes, keys, tombstones, documents and the revision": {
		needs: ["durable"],
		run: async (trial) => {
			const ledger = await trial.ledger();
			await ledger.commit({
				put: [node(1), node(2, { parentId: idOf(1) }), node(3, { originId: idOf(1) }), node(4)],
				point: [key("a", 1), key("b", 4, "system")],
				keep: [document("a"), document("b")],
			});
			await ledger.commit({ put: [node(5)], remove: [4], drop: ["b"], discard: ["a"] });
			const drafts: Draft[] = [
				{ put: [node(6)], point: [key("a", 6)] },
				{ point: [key("b", 1)] },
				{ remove: [5] },
				{ drop: ["b"], discard: ["b"] },
				{ put: [node(4, { name: "again" })] },
				{},
			];
			for (const draft of drafts) {
				await trial.reopen(ledger);
				await ledger.checkAll();
				await ledger.check({ type: "children", of: { id: idOf(3) }, scope: "visible" });
				await ledger.commit(draft);
			}
			await trial.reopen(ledger);
			await trial.reopen(ledger);
			await ledger.checkAll();
		},
	},
	"commits acknowledged before closing, or while closing, are there after opening": {
		needs: ["durable"],
		run: async (trial) => {
			const ledger = await trial.ledger();
			for (let round = 0; round < 5; round++) {
				const batch = ledger.batch({ put: nodes(20, (number) => ({ name: `${round} ${number}` })) });
				const committing = ledger.storage.commit(batch).then(
					() => true,
					(error: unknown) => {
						assertError(error, "closed", "a commit during closing");
						return false;
					},
				);
				const closing = ledger.storage.close();
				const [acknowledged] = await trial.within(Promise.all([committing, closing]), "committing and closing");
				if (acknowledged) ledger.records.apply(batch);
				await trial.reopen(ledger);
				await ledger.checkAll();
			}
		},
	},
	"stored content can be opened by many first uses at once": {
		needs: ["durable"],
		run: async (trial) => {
			const ledger = await trial.ledger();
			await ledger.commit({ put: nodes(100), point: [key("a", 7)] });
			await trial.reopen(ledger);
			await trial.within(Promise.all(Array.from({ length: trial.sizes.opens }, () => ledger.checkAll())), "reading");
		},
	},
	"a conflict is refused after opening too": {
		needs: ["durable"],
		run: async (trial) => {
			const ledger = await trial.ledger();
			await ledger.commit({ put: [node(1)] });
			await ledger.commit({ put: [node(2)] });
			for (const base of [0, 1, 3]) {
				await trial.reopen(ledger);
				const batch = { ...ledger.batch({ put: [node(3, { revision: base + 1 })] }), base };
				await assertRejects(ledger.storage.commit(batch), "conflict", `a commit on ${base} at 2, as the first use`);
				await ledger.checkAll();
			}
		},
	},
	"many storages may be open on the same outline at once, and each commits": {
		needs: ["multiProcess"],
		run: async (trial) => {
			const storages = await Promise.all(Array.from({ length: trial.sizes.opens }, () => trial.open()));
			const opened = await trial.within(Promise.all(storages.map((storage) => storage.read([]))), "opening at once");
			assert(
				opened.every(({ revision }) => revision === 0),
				"a new outline isn't at revision 0",
			);
			const ledger = new Ledger(storages[0]!);
			for (const [place, storage] of storages.entries()) {
				await ledger.continueWith(storage);
				await ledger.commit({ put: [node(place)], point: [key("last", place)] });
			}
			await ledger.checkAll();
			for (const storage of storages.slice(0, -1)) await trial.within(storage.close(), "closing");
			await ledger.commit({ put: [node(50)] });
			await ledger.checkAll();
		},
	},
};
