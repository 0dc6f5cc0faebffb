import fc from "fast-check";
import { expect, test } from "vitest";
import { ReceiptIndex } from "../../../../adapters/resident/index/receipt-index.js";
import type { Receipt } from "../../../../src/storage.js";
import { receipt } from "../../../conformance/records.js";

/** The expected answer of an index, from a look at all receipts. */
function looked(receipts: ReadonlyMap<string, Receipt>, expiry: number): string[] {
	const order = (left: Receipt, right: Receipt) => left.createdAt - right.createdAt || (left.key < right.key ? -1 : 1);
	const expired = [...receipts.values()].filter(({ createdAt }) => createdAt < expiry);
	return expired
		.sort(order)
		.slice(0, 100)
		.map(({ key }) => key);
}

test("the index names the same oldest receipts as a look at all does, between changes and after they are undone", () => {
	const change = fc.record({
		added: fc.uniqueArray(fc.record({ key: fc.nat(12), createdAt: fc.integer({ min: -9, max: 9 }) }), {
			selector: ({ key }) => key,
			maxLength: 6,
		}),
		dropped: fc.array(fc.nat(12), { maxLength: 6 }),
		expiry: fc.option(fc.integer({ min: -10, max: 10 }), { nil: null }),
		back: fc.boolean(),
	});
	fc.assert(
		fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
			const index = new ReceiptIndex();
			let receipts = new Map<string, Receipt>();
			for (const { added, dropped, expiry, back } of changes) {
				const after = new Map(receipts);
				const gone = dropped.map((number) => `${number}`).filter((key) => after.delete(key));
				const come = added.flatMap(({ key, createdAt }) => {
					return after.has(`${key}`) || gone.includes(`${key}`) ? [] : [receipt(`${key}`, { createdAt })];
				});
				for (const each of come) after.set(each.key, each);
				const batch = { added: come, dropped: [...new Set(gone)] };
				const undo = index.undo(batch);
				index.change(batch);
				if (back) index.change(undo);
				else receipts = after;
				if (expiry === null) continue;
				for (const key of ["3", "12", "none"]) {
					const found = { receipt: receipts.get(key) ?? null, expired: looked(receipts, expiry) };
					expect(index.found(key, expiry)).toEqual(found);
				}
				expect(new Map(index.all().map((each) => [each.key, each]))).toEqual(receipts);
			}
		}),
		{ numRuns: 300 },
	);
});

test("a hundred thousand receipts come and go quickly, although each commit deletes the oldest", () => {
	const index = new ReceiptIndex();
	const count = 100_000;
	// From the end to the beginning, as if each clock were behind the one before.
	index.change({ added: Array.from({ length: count }, (_, at) => receipt(`${at}`, { createdAt: -at })), dropped: [] });
	expect(index.found("5", 1).expired).toHaveLength(100);
	let dropped = 0;
	for (let commit = 0; commit < count; commit++) {
		const { expired } = index.found("none", 1);
		const createdAt = commit % 2 === 0 ? commit + 1 : -count - commit;
		index.change({ added: [receipt(`new ${commit}`, { createdAt })], dropped: expired });
		dropped += expired.length;
	}
	expect(dropped).toBe(count + count / 2 - 1);
	expect(index.all()).toHaveLength(count / 2 + 1);
});
