import type { Receipt } from "../../src/storage.js";
import { assertEqual, assertRejects } from "./assertion.js";
import { texts } from "./exactness.js";
import type { Case } from "./options.js";
import { batchOf, key, node, receipt } from "./records.js";

/** Returns receipts with these keys, each made a second after the one before. */
function receipts(keys: readonly string[], from = 0): Receipt[] {
	return keys.map((name, place) => receipt(name, { createdAt: from + place }));
}

const named = (count: number) => Array.from({ length: count }, (_, number) => `request ${(number * 7919) % 1000}`);

const find = (name: string, expiry = 0) => ({ type: "receipt", key: name, expiry }) as const;

/** Tests of receipts. */
export const receiptCases: readonly Case[] = [
	{
		name: "a receipt is found by its key, however old it is",
		run: async (trial) => {
			const ledger = await trial.ledger();
			await ledger.commit({ put: [node(1)], point: [key("c", 1)], keep: receipts(["a", "b"], 100) });
			for (const expiry of [0, 100, 101, 102, 1000]) {
				await ledger.check(...["a", "b", "c", "A", "a ", "nothing"].map((name) => find(name, expiry)));
			}
		},
	},
	{
		name: "expired receipts are listed by their keys, the oldest first, without those made at the moment of expiry",
		run: async (trial) => {
			const ledger = await trial.ledger();
			const moments = [5, -3, 2 ** 40, 0, 5, 7, -(2 ** 40), 5, 1, 10, 9];
			await ledger.commit({ keep: moments.map((createdAt, place) => receipt(`request ${place}`, { createdAt })) });
			for (const expiry of [-(2 ** 41), -3, -2, 0, 1, 5, 6, 10, 11, 2 ** 40, 2 ** 40 + 1, Number.MAX_SAFE_INTEGER]) {
				await ledger.check(find("request 0", expiry));
			}
		},
	},
	{
		name: "expired receipts are listed a hundred at a time, until all of them have been dropped",
		run: async (trial) => {
			const ledger = await trial.ledger();
			const keys = named(330);
			for (const start of [0, 200, 100, 300]) {
				const some = keys.slice(start, start + 100);
				await ledger.commit({ keep: some.map((name, place) => receipt(name, { createdAt: (start + place) >> 2 })) });
			}
			const left: number[] = [];
			for (let round = 0; round < 5; round++) {
				const query = find("new 0", 1000);
				await ledger.check(query);
				const { expired } = (await ledger.storage.read([query])).results[0];
				await ledger.commit({ discard: expired, keep: [receipt(`new ${round}`, { createdAt: 2000 + round })] });
				left.push(ledger.records.receipts.size);
			}
			assertEqual(left, [231, 132, 33, 4, 5], "how many are left after each commit");
			await ledger.checkAll();
		},
	},
	{
		name: "a commit adds and drops receipts together with nodes and keys, or without any",
		run: async (trial) => {
			const ledger = await trial.ledger();
			await ledger.commit({ put: [node(1)], point: [key("a", 1)], keep: receipts(["a", "b", "c"]) });
			await ledger.checkAll();
			await ledger.commit({ put: [node(2)], remove: [1], drop: ["a"], discard: ["a"], keep: receipts(["d"]) });
			await ledger.checkAll();
			await ledger.commit({ discard: ["b", "d"] });
			await ledger.checkAll();
			await ledger.commit({ keep: receipts(["e"], -5) });
			await ledger.checkAll();
			await ledger.check({ type: "changes", since: 2, limit: 1 });
		},
	},
	{
		name: "a key whose receipt was dropped may get a new one, and only that is found then",
		run: async (trial) => {
			const ledger = await trial.ledger();
			const old = receipt("a", { createdAt: 5, request: "old", result: '"old"' });
			for (const createdAt of [5, 9, 1]) {
				await ledger.commit({ keep: [old, receipt("b", { createdAt: 6 })] });
				await ledger.checkAll();
				await ledger.commit({ discard: ["a"] });
				await ledger.checkAll();
				await ledger.commit({ keep: [receipt("a", { createdAt })] });
				await ledger.checkAll();
				await ledger.check(find("a", 2), find("a", 6), find("a", 10));
				await ledger.commit({ discard: ["a", "b"] });
				await ledger.checkAll();
			}
		},
	},
	{
		name: "a refused commit adds no receipt and drops none, and of several with one key only one is kept",
		run: async (trial) => {
			const ledger = await trial.ledger();
			await ledger.commit({ put: [node(1)], keep: receipts(["a", "b"]) });
			const stale = ledger.records.copy();
			await ledger.commit({ put: [node(2)], keep: receipts(["c"]) });
			for (const draft of [
				{ put: [node(3)], keep: receipts(["d"]), discard: ["a"] },
				{ keep: receipts(["e"]) },
				{ discard: ["b"] },
			]) {
				await assertRejects(ledger.storage.commit(batchOf(draft, stale)), "conflict", "a commit on 1 at 2");
				await ledger.check(...["a", "b", "c", "d", "e"].map((name) => find(name, 100)));
			}
			const rivals = Array.from({ length: 8 }, (_, place) => {
				return ledger.batch({ put: [node(10 + place)], keep: [receipt("same", { result: `${place}` })] });
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
	},
	{
		name: "receipts are kept exactly, whatever characters they have, and their keys are compared exactly",
		run: async (trial) => {
			const ledger = await trial.ledger();
			const names = [...texts.filter((text) => text !== ""), "a ", " a", "x".repeat(255), "\u{1f600}".repeat(127)];
			const times = [-62_135_337_600, -1, 0, 1, 2 ** 31, 2 ** 32, 253_401_264_000];
			await ledger.commit({
				keep: names.map((name, place) => ({
					key: name,
					request: names.at(-place - 1)!,
					createdAt: times[place % times.length]!,
					result: `{ "b": 1.0,\n${JSON.stringify(name)}:${JSON.stringify([name, "\ud800", "\0", { "": name }])} }`,
				})),
			});
			await ledger.checkAll();
			await ledger.check(...["e", "toString ", "valueOf", "NuLL"].map((name) => find(name)));
			await ledger.commit({ discard: ["a", "\u00e9", "__proto__"] });
			await ledger.checkAll();
			await ledger.check(...["a", "\u00e9", "__proto__"].map((name) => find(name)));
		},
	},
	{
		name: "very long results are kept completely, and can be dropped",
		run: async (trial) => {
			const ledger = await trial.ledger();
			const { characters } = trial.sizes;
			const long = ['\\"\n', "\u20ac", "\u{1f600}\u00e9", '{"ids":['].map((text) =>
				JSON.stringify(text.repeat(characters / text.length)),
			);
			await ledger.commit({ keep: long.map((result, place) => receipt(`long ${place}`, { result })) });
			await ledger.checkAll();
			await ledger.commit({ put: [node(1)], discard: ["long 0", "long 2"] });
			await ledger.checkAll();
		},
	},
	{
		name: "receipts are there after closing and opening, and dropped ones aren't",
		needs: ["durable"],
		run: async (trial) => {
			const ledger = await trial.ledger();
			await ledger.commit({ put: [node(1)], keep: receipts(named(30)) });
			const drafts = [
				{ keep: [receipt("long", { result: JSON.stringify("\u20ac".repeat(trial.sizes.characters)) })] },
				{ put: [node(2)], discard: named(30).slice(0, 25) },
				{ put: [node(1, { name: "changed" })], keep: receipts(named(2), 50) },
				{ put: [node(3)], discard: ["long"] },
				{ remove: [1, 2, 3] },
				{ discard: named(30).slice(25) },
				{},
			];
			for (const draft of drafts) {
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
	{
		name: "receipts that one storage adds or drops are seen by another storage on the same outline",
		needs: ["multiProcess"],
		run: async (trial) => {
			const ledger = await trial.ledger();
			const storages = [ledger.storage, await trial.open(), await trial.open()];
			for (const storage of storages) await storage.read([]);
			for (let round = 0; round < 12; round++) {
				await ledger.continueWith(storages[round % storages.length]!);
				await ledger.checkAll();
				await ledger.commit({
					keep: receipts([`a ${round}`, `b ${round}`], round),
					discard: round < 2 ? [] : [`a ${round - 2}`],
				});
			}
			await ledger.continueWith(await trial.open());
			await ledger.checkAll();
		},
	},
];
