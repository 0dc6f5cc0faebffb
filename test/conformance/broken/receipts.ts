import type { Batch, FoundReceipt, Receipt } from "../../../src/storage.js";
import type { NaiveRecords } from "../../model/naive-records.js";
import { aWhile, corrupting, type Fault, misanswering, misunderstanding } from "./fault.js";

const distortingReceipts = (change: (receipt: Receipt) => Partial<Receipt>): Fault["broken"] => {
	const distorted = ({ receipts, ...batch }: Batch): Batch => {
		if (receipts === undefined) return batch;
		return { ...batch, receipts: { ...receipts, added: receipts.added.map((each) => ({ ...each, ...change(each) })) } };
	};
	return (storage) => ({ commit: (batch) => storage.commit(distorted(batch)) });
};

/** A storage whose receipts are replaced when it is closed. */
const forgetting = (change: (before: NaiveRecords, records: NaiveRecords) => void): Fault["broken"] => {
	return (storage) => {
		const before = storage.place.records.copy();
		return {
			async close() {
				if (!storage.closed) change(before, storage.place.records);
				return storage.close();
			},
		};
	};
};

/** Storages that lose or mix up receipts. */
export const receipts: readonly Fault[] = [
	{
		name: "returns the receipt that was added last, whatever the key",
		rejectedBy: ["receipts: a receipt is found", "random: after random commits all"],
		broken: misanswering(
			"receipt",
			(found, _, records): FoundReceipt => ({
				...found,
				receipt: [...records.receipts.values()].at(-1) ?? null,
			}),
		),
	},
	{
		name: "finds no receipt that has expired",
		rejectedBy: ["receipts: a receipt is found"],
		broken: misanswering("receipt", ({ receipt, expired }, { expiry }) => ({
			receipt: receipt !== null && receipt.createdAt < expiry ? null : receipt,
			expired,
		})),
	},
	{
		name: "uses the key of a node as that of a receipt",
		rejectedBy: ["receipts: a receipt is found"],
		broken: misanswering("receipt", (found, { key }, records) => {
			const { nodeId } = records.keys.get(key) ?? {};
			if (found.receipt !== null || nodeId === undefined) return found;
			return { ...found, receipt: { key, request: "", createdAt: 0, result: nodeId } };
		}),
	},
	{
		name: "finds receipts in any letter case",
		rejectedBy: ["receipts: receipts are kept", "receipts: a receipt is found"],
		broken: misanswering("receipt", (found, { key }, records) => {
			const same = [...records.receipts.values()].find((each) => each.key.toLowerCase() === key.toLowerCase());
			return { ...found, receipt: found.receipt ?? same ?? null };
		}),
	},
	{
		name: "lists expired receipts in the order in which they were added",
		rejectedBy: ["receipts: expired receipts are listed by", "receipts: expired receipts are listed a"],
		broken: misanswering("receipt", ({ receipt }, { expiry }, records) => {
			const expired = [...records.receipts.values()].filter(({ createdAt }) => createdAt < expiry);
			return { receipt, expired: expired.slice(0, 100).map(({ key }) => key) };
		}),
	},
	{
		name: "treats receipts made at the moment of expiry as expired",
		rejectedBy: ["receipts: expired receipts are listed by", "random: after random commits all"],
		broken: misunderstanding("receipt", (query) => ({ ...query, expiry: query.expiry + 1 })),
	},
	{
		name: "compares moments in 32 bits",
		rejectedBy: ["receipts: expired receipts are listed by"],
		broken: misanswering("receipt", ({ receipt, expired }, _, records) => ({
			receipt,
			expired: expired.filter((key) => Math.abs(records.receipts.get(key)!.createdAt) < 2 ** 31),
		})),
	},
	{
		name: "lists all expired receipts at once",
		rejectedBy: ["receipts: expired receipts are listed a"],
		broken: misanswering("receipt", ({ receipt }, { expiry }, records) => {
			const expired = [...records.receipts.values()].filter(({ createdAt }) => createdAt < expiry);
			expired.sort((left, right) => left.createdAt - right.createdAt);
			return { receipt, expired: expired.map(({ key }) => key) };
		}),
	},
	{
		name: "lists one expired receipt a hundred times",
		rejectedBy: ["receipts: expired receipts are listed a", "receipts: expired receipts are listed by"],
		broken: misanswering("receipt", ({ receipt, expired }, _, records) => {
			const momentOf = (key: string) => records.receipts.get(key)!.createdAt;
			return { receipt, expired: expired.map((key) => expired.find((each) => momentOf(each) === momentOf(key))!) };
		}),
	},
	{
		name: "keeps receipts only of commits that change nodes",
		rejectedBy: ["receipts: a commit adds and drops"],
		broken: (storage) => ({
			commit: ({ receipts: changes, ...batch }) =>
				storage.commit(batch.nodes.length === 0 || changes === undefined ? batch : { ...batch, receipts: changes }),
		}),
	},
	{
		name: "drops no receipt",
		rejectedBy: ["receipts: a commit adds and drops", "snapshots: reads only see whole commits, and"],
		broken: corrupting((records, { receipts: changes }, before) => {
			for (const key of changes?.dropped ?? []) records.receipts.set(key, before.receipts.get(key)!);
		}),
	},
	{
		name: "drops receipts a while after the commit",
		rejectedBy: ["receipts: a commit adds and drops", "peeking: peek shows a commit"],
		broken: (storage) => ({
			async commit(batch) {
				const { base, nodes, keys, receipts: changes } = batch;
				if (changes === undefined) return storage.commit(batch);
				const revision = await storage.commit({ base, nodes, keys, receipts: { ...changes, dropped: [] } });
				void aWhile().then(() => {
					for (const key of changes.dropped) storage.place.records.receipts.delete(key);
				});
				return revision;
			},
		}),
	},
	{
		name: "still lists dropped receipts",
		rejectedBy: ["receipts: a key whose receipt was dropped", "receipts: a commit adds and drops"],
		broken: (storage) => {
			const gone = new Map<string, number>();
			const { commit } = corrupting((_, { receipts: changes }, before) => {
				for (const key of changes?.dropped ?? []) gone.set(key, before.receipts.get(key)!.createdAt);
			})(storage);
			const { read } = misanswering("receipt", ({ receipt, expired }, { expiry }) => {
				const more = [...gone].flatMap(([key, createdAt]) => (createdAt < expiry ? [key] : []));
				return { receipt, expired: [...expired, ...more] };
			})(storage);
			return { ...(commit && { commit }), ...(read && { read }) };
		},
	},
	{
		name: "keeps the first receipt that a key ever had",
		rejectedBy: ["receipts: a key whose receipt was dropped"],
		broken: (storage) => {
			const first = new Map<string, Receipt>();
			return corrupting((records, { receipts: changes }) => {
				for (const receipt of changes?.added ?? []) {
					records.receipts.set(receipt.key, first.get(receipt.key) ?? receipt);
					first.set(receipt.key, records.receipts.get(receipt.key)!);
				}
			})(storage);
		},
	},
	{
		name: "keeps the receipts of commits that it refuses",
		rejectedBy: ["receipts: a refused commit"],
		broken: (storage) => ({
			async commit(batch) {
				const { records } = storage.place;
				if (batch.base !== records.revision) {
					for (const receipt of batch.receipts?.added ?? []) records.receipts.set(receipt.key, receipt);
				}
				return storage.commit(batch);
			},
		}),
	},
	{
		name: "drops the receipts that refused commits would have dropped",
		rejectedBy: ["receipts: a refused commit"],
		broken: (storage) => ({
			async commit(batch) {
				const { records } = storage.place;
				if (batch.base !== records.revision) {
					for (const key of batch.receipts?.dropped ?? []) records.receipts.delete(key);
				}
				return storage.commit(batch);
			},
		}),
	},
	{
		name: "stores results in another form",
		rejectedBy: ["receipts: receipts are kept"],
		broken: distortingReceipts(({ result }) => ({ result: JSON.stringify(JSON.parse(result)) })),
	},
	{
		name: "stores the moments of receipts only after 1970",
		rejectedBy: ["receipts: receipts are kept", "receipts: expired receipts are listed by"],
		broken: distortingReceipts(({ createdAt }) => ({ createdAt: Math.max(0, createdAt) })),
	},
	{
		name: "cuts results at 65,535 characters",
		rejectedBy: ["receipts: very long results"],
		broken: distortingReceipts(({ result }) => ({ result: result.slice(0, 65_535) })),
	},
	{
		name: "loses the fingerprints of requests",
		rejectedBy: ["receipts: a commit adds and drops", "random: after random commits all"],
		broken: distortingReceipts(() => ({ request: "" })),
	},
	{
		name: "forgets receipts on closing",
		rejectedBy: ["receipts: receipts are there", "lifetime: all content is"],
		broken: forgetting((_, records) => records.receipts.clear()),
	},
	{
		name: "restores dropped receipts on closing",
		rejectedBy: ["receipts: receipts are there", "lifetime: all content is"],
		broken: forgetting((before, records) => {
			for (const [key, receipt] of before.receipts) records.receipts.set(key, receipt);
		}),
	},
	{
		name: "shows its receipts to no other storage",
		rejectedBy: ["receipts: receipts that one", "random: after random commits through several"],
		broken: (storage) => {
			const own = new Map(storage.place.records.receipts);
			const { commit } = corrupting((_, { receipts: changes }) => {
				for (const key of changes?.dropped ?? []) own.delete(key);
				for (const receipt of changes?.added ?? []) own.set(receipt.key, receipt);
			})(storage);
			const { read } = misanswering("receipt", (found, { key }) => ({ ...found, receipt: own.get(key) ?? null }))(
				storage,
			);
			return { ...(commit && { commit }), ...(read && { read }) };
		},
	},
];
