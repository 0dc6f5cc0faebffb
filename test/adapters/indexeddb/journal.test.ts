import { describe, expect, test, vi } from "vitest";
import { createIndexedDbStorage, type IndexedDbStorageOptions } from "../../../adapters/indexeddb.js";
import { Outline } from "../../../src/outline.js";
import type { Batch, StorageAdapter } from "../../../src/storage.js";
import { type Call, FaultyIndexedDb } from "../../faults/faulty-indexeddb.js";
import { adding, recordAt } from "../../support/batches.js";
import { codeOf, exported } from "../../support/outline.js";
import { rawChange, rawContent } from "./raw.js";
import { commit, factory, settled, sleepingTab, tab, useTabs } from "./tabs.js";

useTabs();

const summary = ({ type, stores, mode }: Call) => [type, ...stores, ...(mode === undefined ? [] : [mode])].join(" ");

describe("a commit", () => {
	test("is one transaction: it reads the end of the journal and adds a record under its revision", async () => {
		const { storage, calls } = await tab();
		await storage.commit(adding(1, 0));
		expect(calls.map(summary)).toEqual(["transaction journal readwrite", "getAllKeys journal", "add journal"]);
		const { journal, blocks } = await rawContent(factory, "outline");
		expect(journal).toEqual([
			[1, { revision: 1, nodes: [{ id: recordAt(1, 1).id, name: "1", priority: 1 }], by: expect.any(String) }],
		]);
		expect(blocks).toEqual([]);
		calls.length = 0;
		await storage.commit(adding(2, 1));
		expect(calls.map(summary)).toEqual(["transaction journal readwrite", "getAllKeys journal", "add journal"]);
	});

	test("shares its transaction with commits that came during the one before, each with a record of its own", async () => {
		const { storage, calls } = await tab();
		const commit = (base: number) => storage.commit(adding(base + 1, base));
		const first = commit(0);
		// Until its transaction has begun.
		for (let turn = 0; turn < 10; turn++) await null;
		expect(calls.filter(({ type }) => type === "transaction").length).toBe(1);
		await Promise.all([first, ...Array.from({ length: 19 }, (_, number) => commit(number + 1))]);
		expect(calls.filter(({ type }) => type === "transaction").length).toBe(2);
		expect(calls.filter(({ type }) => type === "add").length).toBe(20);
		expect((await rawContent(factory, "outline")).journal!.map(([key]) => key)).toEqual(
			Array.from({ length: 20 }, (_, base) => base + 1),
		);
	});

	test("is strictly durable unless the option says relaxed", async () => {
		const durabilities = async (options: IndexedDbStorageOptions) => {
			const { storage, calls } = await tab({ ...options, compactAfter: 1 });
			const { revision } = await storage.read([]);
			await storage.commit(adding(revision + 1, revision));
			await storage.close();
			const written = calls.filter(({ mode }) => mode === "readwrite");
			expect(written.length).toBe(2);
			return new Set(written.map(({ durability }) => durability));
		};
		expect(await durabilities({})).toEqual(new Set(["strict"]));
		expect(await durabilities({ durability: "relaxed" })).toEqual(new Set(["relaxed"]));
	});

	test("isn't acknowledged when its requests have succeeded, but when the transaction is complete", async () => {
		const { storage, database } = await tab();
		database.faultAt = ({ type }) => (type === "add" ? { kind: "abort", error: "QuotaExceededError" } : undefined);
		expect(await codeOf(storage.commit(adding(1, 0)))).toBe("quota_exceeded");
		expect(storage.peek!([])).toMatchObject({ revision: 0, durable: true });
		expect((await rawContent(factory, "outline")).journal).toEqual([]);
		database.faultAt = () => undefined;
		expect(await storage.commit(adding(1, 0))).toBe(1);
	});

	test("is refused if another tab was first, also if that tab is far ahead", async () => {
		const awake = await tab({ compactAfter: 1 });
		const asleep = await sleepingTab();
		await commit(awake.storage, 1, 1);
		expect(await codeOf(asleep.storage.commit(adding(100, 0)))).toBe("conflict");
		expect(asleep.storage.peek!([])).toMatchObject({ revision: 1 });
		await commit(awake.storage, 2, 9);
		// The key under which it would add its record is free again.
		const { journal } = await rawContent(factory, "outline");
		expect(journal![0]![0]).toBeGreaterThan(2);
		expect(await codeOf(asleep.storage.commit(adding(100, 1)))).toBe("conflict");
		expect((await rawContent(factory, "outline")).journal).toEqual(journal);
		expect(asleep.storage.peek!([])).toMatchObject({ revision: 9 });
		expect(await asleep.storage.commit(adding(10, 9))).toBe(10);
	});

	test("that shares a refused write is never stored, also if the factory completes a transaction after a failure", async () => {
		vi.stubGlobal("BroadcastChannel", undefined);
		const [storage, asleep] = [1, 2].map(() => createIndexedDbStorage("outline", { indexedDB: factory }));
		await asleep!.commit(adding(1, 0));
		await storage!.commit(adding(2, 1));
		const deleting = vi.spyOn(IDBObjectStore.prototype, "delete");
		const outcomes = [asleep!.commit(adding(3, 1)), asleep!.commit(adding(4, 2))].map(codeOf);
		expect(await Promise.all(outcomes)).toEqual(["conflict", "conflict"]);
		expect(deleting).not.toHaveBeenCalled();
		deleting.mockRestore();
		expect((await rawContent(factory, "outline")).journal!.map(([key]) => key)).toEqual([1, 2]);
		for (const each of [storage, asleep]) await each!.close();
	});

	test("that fails because of another one leaves no unhandled rejection", async () => {
		const [one, two] = [await sleepingTab(), await sleepingTab()];
		const group = (storage: StorageAdapter) =>
			[1, 2, 3].map((number) => codeOf(storage.commit(adding(number, number - 1))));
		const codes = await Promise.all([...group(one!.storage), ...group(two!.storage)]);
		expect(codes.filter((code) => code === undefined).length).toBe(3);
		expect(codes.filter((code) => code === "conflict").length).toBe(3);
	});
});

describe("a commit whose connection is lost", () => {
	test("has a token, so the tab doesn't repeat it or mistake it for another tab's", async () => {
		const { storage, database, calls } = await tab();
		database.faultAt = ({ type, index }) => (type === "add" && index < 5 ? { kind: "mute", error: "" } : undefined);
		expect(await storage.commit(adding(1, 0))).toBe(1);
		expect(calls.filter(({ type }) => type === "add").length).toBe(1);
		expect((await rawContent(factory, "outline")).journal!.length).toBe(1);
	});

	test("is a conflict if another tab has committed first meanwhile", async () => {
		const { storage, database } = await sleepingTab();
		const other = await tab();
		database.faultAt = ({ type, index }) => (type === "add" && index < 5 ? { kind: "close", error: "" } : undefined);
		database.beforeOpening = () => commitUntil(other.storage, 1);
		expect(await codeOf(storage.commit(adding(1, 0)))).toBe("conflict");
		expect(await storage.commit(adding(2, 1))).toBe(2);
	});

	test("isn't taken for an earlier one with the same revision whose outcome was unknown", async () => {
		const { storage, database, calls } = await tab();
		database.faultAt = ({ type }) => {
			if (type === "add") return { kind: "mute", error: "" };
			return type === "open" ? { kind: "fail", error: "UnknownError" } : undefined;
		};
		await expect(storage.commit(adding(1, 0))).rejects.toMatchObject({
			code: "storage_unavailable",
			message: expect.stringContaining("may have been stored"),
		});
		await settled();
		const { length } = calls;
		database.faultAt = ({ index }) => (index === length + 4 ? { kind: "fail", error: "UnknownError" } : undefined);
		expect(await codeOf(storage.commit(adding(2, 0)))).toBe("conflict");
		expect(calls.slice(length, length + 5).map(summary)).toEqual([
			"open",
			"transaction meta readonly",
			"get meta",
			"transaction journal readwrite",
			"getAllKeys journal",
		]);
		const { results } = await storage.read([{ type: "children", of: null, scope: "own" }]);
		expect(results[0].map(({ record }) => record.name)).toEqual(["1"]);
	});

	test("before it was sent is a conflict, however far other tabs have gone meanwhile", async () => {
		const { storage, database } = await sleepingTab();
		const other = await tab({ compactAfter: 1 });
		database.faultAt = ({ index }) => (index === 0 ? { kind: "throw", error: "InvalidStateError" } : undefined);
		database.beforeOpening = () => commitUntil(other.storage, 9);
		expect(await codeOf(storage.commit(adding(1, 0)))).toBe("conflict");
		expect(storage.peek!([])).toMatchObject({ revision: 9 });
	});

	test("has an unknown outcome if other tabs have gone so far that its record would have been deleted", async () => {
		const { storage, database } = await sleepingTab();
		const other = await tab({ compactAfter: 1 });
		database.faultAt = ({ type, index }) => (type === "add" && index < 5 ? { kind: "mute", error: "" } : undefined);
		database.beforeOpening = () => commitUntil(other.storage, 9);
		await expect(storage.commit(adding(1, 0))).rejects.toMatchObject({
			code: "storage_unavailable",
			message: expect.stringContaining("may have been stored"),
		});
		expect((await rawContent(factory, "outline")).journal![0]![0]).toBeGreaterThan(1);
	});
});

describe("a snapshot", () => {
	test("replaces the journal up to the snapshot before it, in one transaction", async () => {
		const { storage, calls } = await tab({ compactAfter: 5 });
		await commit(storage, 1, 5);
		await storage.close();
		const first = await rawContent(factory, "outline");
		expect(first.meta).toEqual([[0, expect.objectContaining({ revision: 5, blocks: 1 })]]);
		expect(first.blocks!.length).toBe(1);
		expect(first.journal!.map(([key]) => key)).toEqual([1, 2, 3, 4, 5]);
		expect(calls.filter(({ stores, mode }) => stores.includes("blocks") && mode === "readwrite").length).toBe(1);
		const again = await tab({ compactAfter: 5 });
		await commit(again.storage, 6, 10);
		await again.storage.close();
		const second = await rawContent(factory, "outline");
		expect(second.meta).toEqual([[0, { ...(first.meta![0]![1] as object), revision: 10, cut: 5 }]]);
		expect(second.journal!.map(([key]) => key)).toEqual([6, 7, 8, 9, 10]);
	});

	test("lets a tab that is a little behind read only the journal, and one that is far behind read everything again", async () => {
		const awake = await tab({ compactAfter: 4 });
		const asleep = await sleepingTab();
		const catchUp = async (revision: number) => {
			asleep.calls.length = 0;
			expect(await codeOf(asleep.storage.commit(adding(100, -1 + revision)))).toBe("conflict");
		};
		await commit(awake.storage, 1, 6);
		await catchUp(1);
		expect(asleep.storage.peek!([])).toMatchObject({ revision: 6 });
		expect(asleep.calls.some(({ stores }) => stores.includes("blocks"))).toBe(false);
		await commit(awake.storage, 7, 16);
		await catchUp(7);
		expect(asleep.storage.peek!([])).toMatchObject({ revision: 16 });
		expect(asleep.calls.some(({ stores }) => stores.includes("blocks"))).toBe(true);
		expect(await asleep.storage.commit(adding(17, 16))).toBe(17);
	});

	test("that several tabs write at once is written by one of them", async () => {
		const tabs = await Promise.all(Array.from({ length: 4 }, () => tab({ compactAfter: 2 })));
		const outlines = tabs.map(({ storage }) => new Outline({ storage }));
		for (let round = 0; round < 5; round++) {
			await Promise.all(outlines.map((outline, which) => outline.create({ name: `${which} ${round}` })));
		}
		for (const outline of outlines) await outline.close();
		const reopened = await tab();
		expect((await exported(new Outline({ storage: reopened.storage }))).length).toBe(20);
	});

	test("that fails changes nothing, and isn't retried at each commit", async () => {
		const { storage, database, calls } = await tab({ compactAfter: 2 });
		database.faultAt = ({ type }) => (type === "clear" ? { kind: "fail", error: "QuotaExceededError" } : undefined);
		await commit(storage, 1, 40);
		await storage.close();
		const tries = calls.filter(({ type }) => type === "clear").length;
		expect(tries).toBeGreaterThan(2);
		expect(tries).toBeLessThan(8);
		const { journal, blocks, meta } = await rawContent(factory, "outline");
		expect([journal!.length, blocks!.length]).toEqual([40, 0]);
		expect(meta).toEqual([[0, expect.objectContaining({ revision: 0 })]]);
		const reopened = await tab();
		expect(reopened.storage.peek!([])).toMatchObject({ revision: 40 });
	});

	test("is written and read in batches of blocks", async () => {
		const { storage, calls } = await tab({ compactAfter: 1 });
		const nodes = Array.from({ length: 12_000 }, (_, number) => ({ before: null, after: recordAt(number, 1) }));
		await storage.commit({ base: 0, nodes, keys: [] });
		await storage.close();
		const blocks = calls.filter(({ type, stores }) => type === "add" && stores.includes("blocks")).length;
		expect(blocks).toBeGreaterThan(20);
		const database = new FaultyIndexedDb(factory);
		const reopened = createIndexedDbStorage("outline", database.options);
		const { results } = await reopened.read([{ type: "children", of: null, scope: "own" }]);
		expect(results[0].map(({ record }) => record)).toEqual(nodes.map(({ after }) => after));
		const reads = database.calls.map(summary).filter((each) => each === "getAll blocks");
		expect(reads.length).toBe(Math.ceil(blocks / 16));
		await reopened.close();
	});
});

test("a long journal is read in pieces, and followed as a whole", async () => {
	const asleep = await sleepingTab();
	const { storage } = await tab({ compactAfter: 10_000 });
	await Promise.all(Array.from({ length: 2_500 }, (_, base) => storage.commit(adding(base + 1, base))));
	const reopened = await tab();
	expect(reopened.storage.peek!([{ type: "children", of: null, scope: "own" }])!.results[0].length).toBe(2_500);
	expect(await codeOf(asleep.storage.commit(adding(1, 0)))).toBe("conflict");
	expect(asleep.storage.peek!([])).toMatchObject({ revision: 2_500 });
});

describe("stored content", () => {
	type Change = readonly [store: string, change: (store: IDBObjectStore) => unknown];
	const meta = (value: unknown): Change => ["meta", (store) => store.put(value, 0)];
	const block = (value: unknown): Change => ["blocks", (store) => store.put(value, 0)];
	const record = (value: object | null): Change => [
		"journal",
		(store) => store.put(value && { revision: 6, by: "", ...value }, 6),
	];
	const changes: Record<string, Change> = {
		"no meta record": ["meta", (store) => store.clear()],
		"a meta record of something else": meta({ format: "else", version: 1 }),
		"a meta record without a number": meta({ format: "outlinekit", version: 1, id: "x" }),
		"a missing block": ["blocks", (store) => store.delete(0)],
		"a block that is none": block("block"),
		"a block without revisions": block({ id: ["a"], name: ["a"] }),
		"a block with a number for a name": block({ id: ["a"], name: [1], revisions: [1] }),
		"a block with a key that is none": block({ keys: [{ key: "a" }] }),
		"a block with a document that is none": block({ documents: [{ key: "a" }] }),
		"a block with a tombstone of a key that is none": block({ droppedKeys: [{ key: "a" }] }),
		"a journal that doesn't go on from the snapshot": ["journal", (store) => store.delete(4)],
		"a gap in the journal": ["journal", (store) => store.delete(6)],
		"a record of the journal under the wrong revision": record({ revision: 2, nodes: [] }),
		"a record of the journal that is none": record(null),
		"a record of the journal with a list of numbers": record({ nodes: [1] }),
		"a record of the journal with a node that isn't right": record({ nodes: [{ id: "a", parentId: 5 }] }),
		"a record of the journal with a document that isn't right": record({ documents: [{ key: "a", value: 1 }] }),
		"a record of the journal that drops documents without keys": record({ droppedDocuments: [null] }),
		"a record of the journal with receipts that are none": record({ receipts: 1 }),
		"a record of the journal that drops receipts without keys": record({ droppedReceipts: [1] }),
		"a record of the journal with a horizon that is none": record({ horizon: -1 }),
		"a record of the journal that deletes what isn't there": record({ deleted: ["a"] }),
	};

	for (const [name, [store, change]] of Object.entries(changes)) {
		test(`with ${name} is storage_corrupt, and left as it is`, async () => {
			const { storage } = await tab({ compactAfter: 4 });
			await commit(storage, 1, 7);
			await storage.close();
			await rawChange(factory, "outline", store, change);
			const before = await rawContent(factory, "outline");
			const damaged = createIndexedDbStorage("outline", new FaultyIndexedDb(factory).options);
			const codes = [codeOf(damaged.read([])), codeOf(damaged.commit(adding(8, 7)))];
			expect(await Promise.all(codes)).toEqual(["storage_corrupt", "storage_corrupt"]);
			await damaged.close();
			expect(await rawContent(factory, "outline")).toEqual(before);
		});
	}

	test("by a newer release is storage_unavailable, and left as it is", async () => {
		const { storage } = await tab();
		await commit(storage, 1, 2);
		await storage.close();
		await rawChange(factory, "outline", "meta", (store) => store.put({ format: "outlinekit", version: 3 }, 0));
		const before = await rawContent(factory, "outline");
		const newer = createIndexedDbStorage("outline", new FaultyIndexedDb(factory).options);
		await expect(newer.read([])).rejects.toMatchObject({
			code: "storage_unavailable",
			message: expect.stringContaining("newer"),
		});
		await newer.close();
		expect(await rawContent(factory, "outline")).toEqual(before);
	});

	test("by another tab that is invalid is storage_corrupt for the tab that follows", async () => {
		const { storage } = await sleepingTab();
		await commit(storage, 1, 2);
		for (const value of [
			{ revision: 3, by: "", nodes: "all" },
			{ revision: 4, by: "" },
			{ revision: 3, by: "", deleted: ["a"] },
		]) {
			await rawChange(factory, "outline", "journal", (store) => store.put(value, 3));
			expect(await codeOf(storage.commit(adding(3, 2)))).toBe("storage_corrupt");
		}
		await rawChange(factory, "outline", "journal", (store) => store.delete(3));
		expect(await storage.commit(adding(3, 2))).toBe(3);
	});
});

/** Commits until a storage is at a revision, whatever revision it begins with. */
async function commitUntil(storage: StorageAdapter, revision: number): Promise<void> {
	for (;;) {
		const { revision: base } = await storage.read([]);
		if (base >= revision) return;
		const batch: Batch = adding(1000 + base, base);
		await storage.commit(batch).catch(() => undefined);
	}
}
