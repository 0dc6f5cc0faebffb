import { assertEqual, assertRejects } from "./assertion.js";
import { texts } from "./exactness.js";
import type { Cases } from "./options.js";
import { batchOf, document, key, node } from "./records.js";

const find = (prefix: string, bounds: { after?: string; limit?: number } = {}) =>
	({ type: "documents", prefix, ...bounds }) as const;

const documents = (...keys: string[]) => keys.map((name) => document(name));

/** Keys in no order: with every character, some of them beginnings of others. */
const names = [
	"b/1",
	"b/10",
	"b/2",
	"a",
	"a/",
	"a/b",
	"a!",
	"a~",
	"B/1",
	...Array.from({ length: 0x7f - 0x21 }, (_, at) => String.fromCharCode(0x21 + at)).filter((name) => name !== "a"),
];

/** Tests of documents. */
export const documentCases: Cases = {
	"documents are found by the beginning of their keys, ordered by key": async (trial) => {
		const ledger = await trial.ledger();
		await ledger.commit({ put: [node(1)], point: [key("a", 1)], keep: documents(...names) });
		await ledger.check(
			...["", "a", "a/", "a/b", "b", "b/1", "B", "~", "nothing", "%", "_"].map((prefix) => find(prefix)),
		);
	},
	"documents begin after a key and end at a limit": async (trial) => {
		const ledger = await trial.ledger();
		await ledger.commit({ keep: documents(...names) });
		for (const after of ["!", "A", "a", "a/", "a/a", "b", "b/1", "b/11", "b/2", "zzz"]) {
			for (const prefix of ["", "a", "b/"]) {
				await ledger.check(
					...[undefined, 1, 2, 1000].map((limit) => find(prefix, limit === undefined ? { after } : { after, limit })),
				);
			}
		}
		await ledger.check(find("b/", { limit: 2 }), find("b/1", { limit: 1 }), find("a", { limit: 1 }));
	},
	"a commit puts and drops documents together with nodes and keys, or without any": async (trial) => {
		const ledger = await trial.ledger();
		await ledger.commit({ put: [node(1)], point: [key("a", 1)], keep: documents("a", "b", "c") });
		await ledger.checkAll();
		await ledger.commit({ put: [node(2)], remove: [1], drop: ["a"], discard: ["a"], keep: documents("d") });
		await ledger.checkAll();
		await ledger.commit({ discard: ["b", "d", "nothing"] });
		await ledger.checkAll();
		await ledger.commit({ keep: documents("e") });
		await ledger.checkAll();
		await ledger.check({ type: "changes", since: 2, limit: 1 });
	},
	"a put document replaces the one with its key, and a dropped key may get a new one": async (trial) => {
		const ledger = await trial.ledger();
		for (const value of ["first", "second", ""]) {
			await ledger.commit({ keep: [document("a", value), document("b", value)] });
			await ledger.checkAll();
		}
		for (const value of ["third", "fourth"]) {
			await ledger.commit({ discard: ["a"] });
			await ledger.checkAll();
			await ledger.commit({ keep: [document("a", value)] });
			await ledger.checkAll();
		}
	},
	"a refused commit puts no document and drops none, and of several with one key only one is kept": async (trial) => {
		const ledger = await trial.ledger();
		await ledger.commit({ put: [node(1)], keep: documents("a", "b") });
		const stale = ledger.records.copy();
		await ledger.commit({ put: [node(2)], keep: documents("c") });
		for (const draft of [
			{ put: [node(3)], keep: documents("d"), discard: ["a"] },
			{ keep: [document("a", "changed")] },
			{ discard: ["b"] },
		]) {
			await assertRejects(ledger.storage.commit(batchOf(draft, stale)), "conflict", "a commit on 1 at 2");
			await ledger.checkAll();
		}
		const rivals = Array.from({ length: 8 }, (_, place) => {
			return ledger.batch({ put: [node(10 + place)], keep: [document("same", `${place}`)] });
		});
		const outcomes = await trial.within(
			Promise.allSettled(rivals.map((batch) => ledger.storage.commit(batch))),
			"committing",
		);
		const successful = rivals.filter((_, place) => outcomes[place]?.status === "fulfilled");
		assertEqual(successful.length, 1, "the number of commits with the same key that succeeded");
		ledger.records.apply(successful[0]!);
		await ledger.checkAll();
	},
	"documents are kept exactly, whatever characters they have, and their keys are compared exactly": async (trial) => {
		const ledger = await trial.ledger();
		const keys = [
			"__proto__",
			"toString",
			"x".repeat(2000),
			"%00",
			"NULL",
			"Null",
			...texts.map((_, at) => `text/${at}`),
		];
		await ledger.commit({
			keep: keys.map((name, place) => document(name, texts[place % texts.length])),
		});
		await ledger.checkAll();
		await ledger.commit({ discard: ["NULL", "__proto__", "text/1"] });
		await ledger.checkAll();
	},
	"very long values are kept completely, and can be dropped": async (trial) => {
		const ledger = await trial.ledger();
		const { characters } = trial.sizes;
		const long = ['\\"\n', "\u20ac", "\u{1f600}\u00e9", '{"ids":['].map((text) =>
			text.repeat(characters / text.length),
		);
		await ledger.commit({ keep: long.map((value, place) => document(`long/${place}`, value)) });
		await ledger.checkAll();
		await ledger.commit({ put: [node(1)], discard: ["long/0", "long/2"] });
		await ledger.checkAll();
	},
	"documents are there after closing and opening, and dropped ones aren't": {
		needs: ["durable"],
		run: async (trial) => {
			const ledger = await trial.ledger();
			await ledger.commit({ put: [node(1)], keep: documents(...names) });
			for (const draft of [
				{ keep: [document("long", "\u20ac".repeat(trial.sizes.characters))] },
				{ put: [node(2)], discard: names.slice(0, 25) },
				{ put: [node(1, { name: "changed" })], keep: [document("a", "changed"), document("~", "changed")] },
				{ put: [node(3)], discard: ["long"] },
				{ remove: [1, 2, 3] },
				{ discard: names.slice(25) },
				{},
			]) {
				await trial.reopen(ledger);
				await ledger.checkAll();
				await ledger.commit(draft);
				await ledger.checkAll();
			}
			await trial.reopen(ledger);
			await trial.reopen(ledger);
			await ledger.checkAll();
		},
	},
	"documents that one storage puts or drops are seen by another storage on the same outline": {
		needs: ["multiProcess"],
		run: async (trial) => {
			const ledger = await trial.ledger();
			const storages = [ledger.storage, await trial.open(), await trial.open()];
			for (const storage of storages) await storage.read([]);
			for (let round = 0; round < 12; round++) {
				await ledger.continueWith(storages[round % storages.length]!);
				await ledger.checkAll();
				await ledger.commit({
					keep: documents(`a/${round}`, `b/${round}`, "same"),
					discard: round < 2 ? [] : [`a/${round - 2}`],
				});
			}
			await ledger.continueWith(await trial.open());
			await ledger.checkAll();
		},
	},
};
