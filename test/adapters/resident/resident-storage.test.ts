import { describe, expect, test } from "vitest";
import { ResidentStorage } from "../../../adapters/resident/resident-storage.js";
import { OutlineError } from "../../../src/errors.js";
import type { StoredNode } from "../../../src/storage.js";
import { adding, addingAll, recordAt } from "../../support/batches.js";
import { codeOf, exported, newOutline } from "../../support/outline.js";
import { HeldJournal, opened, turns } from "./held-journal.js";
import { idOf } from "./random-batches.js";

describe("group commit", () => {
	test("commits of one turn share a write", async () => {
		const { journal, storage } = await opened();
		const committing = [0, 1, 2].map((base) => storage.commit(adding(base, base)));
		await journal.settle();
		expect(journal.groups).toEqual([[1, 2, 3]]);
		expect(await Promise.all(committing)).toEqual([1, 2, 3]);
	});

	test("commits made during a write share the next one, and each is acknowledged with its own", async () => {
		const { journal, storage } = await opened();
		const acknowledged: number[] = [];
		for (let base = 0; base < 5; base++) {
			void storage.commit(adding(base, base)).then((revision) => acknowledged.push(revision));
			if (base === 0) await turns();
		}
		await turns();
		expect(journal.groups).toEqual([[1]]);
		expect(acknowledged).toEqual([]);
		await journal.settle();
		expect(acknowledged).toEqual([1]);
		expect(journal.groups).toEqual([[1], [2, 3, 4, 5]]);
		await journal.settle();
		expect(acknowledged).toEqual([1, 2, 3, 4, 5]);
	});

	test("peek shows commits that aren't durable yet, and says so; read waits for them", async () => {
		const { journal, storage } = await opened();
		const committing = storage.commit(adding(1, 0));
		expect(storage.peek([])).toMatchObject({ revision: 1, durable: false });
		let seen: unknown;
		void storage.read([{ type: "node", at: { id: idOf(1) } }]).then((snapshot) => {
			seen = snapshot;
		});
		await turns();
		expect(seen).toBeUndefined();
		await journal.settle();
		expect(await committing).toBe(1);
		expect(seen).toMatchObject({ revision: 1, results: [{ record: { name: "1" } }] });
		expect(storage.peek([])).toMatchObject({ revision: 1, durable: true });
	});

	test("a failed write withdraws all commits based on it, and readers never saw any of them", async () => {
		const { journal, storage } = await opened();
		const codes = [codeOf(storage.commit(adding(0, 0)))];
		await turns();
		for (const base of [1, 2]) codes.push(codeOf(storage.commit(adding(base, base))));
		const reading = storage.read([{ type: "children", of: null, scope: "own" }]);
		await journal.settle(new OutlineError("quota_exceeded", "full"));
		expect(await Promise.all(codes)).toEqual(["quota_exceeded", "conflict", "conflict"]);
		expect(await reading).toEqual({ revision: 0, results: [[]] });
		expect(storage.peek([])).toMatchObject({ revision: 0, durable: true });
		const again = storage.commit(adding(7, 0));
		await journal.settle();
		expect(await again).toBe(1);
	});

	test("an outline retries withdrawn commits in their order, and returns nothing that is based on a withdrawn one", async () => {
		const { journal, storage } = await opened();
		const outline = newOutline({ storage });
		const settled: string[] = [];
		const follow = (name: string, promise: Promise<unknown>) =>
			promise.then(
				() => settled.push(`${name} ok`),
				(error) => settled.push(`${name} ${error.code}`),
			);
		const creating = outline.create({ name: "a" });
		void follow("a", creating);
		await turns();
		void follow("b", outline.create({ name: "b", position: "bottom" }));
		void follow("c", outline.create({ name: "c", position: "bottom" }));
		const ghost = idGhost(storage);
		void follow("get a", outline.get(ghost));
		void follow("complete a", outline.complete(ghost));
		await journal.settle(new OutlineError("storage_unavailable", "a failing write"));
		await journal.settleUntil(() => settled.length >= 5);
		expect(settled.sort()).toEqual([
			"a storage_unavailable",
			"b ok",
			"c ok",
			"complete a not_found",
			"get a not_found",
		]);
		expect((await exported(outline)).sort((x, y) => x.priority - y.priority).map(({ name }) => name)).toEqual([
			"b",
			"c",
		]);
	});

	test("an outline returns nothing that is based on a commit which may still be withdrawn", async () => {
		const { journal, storage } = await opened();
		const outline = newOutline({ storage });
		const creating = outline.create({ name: "a" });
		await journal.settle();
		const { id } = await creating;
		const deleting = codeOf(outline.delete(id));
		await turns();
		const updating = outline.update(id, { name: "b" });
		const completing = outline.complete(id);
		let settled = 0;
		for (const each of [updating, completing]) void each.finally(() => (settled += 1)).catch(() => {});
		await turns();
		expect(settled).toBe(0);
		await journal.settle(new OutlineError("quota_exceeded", "full"));
		await journal.settleUntil(() => settled >= 2);
		expect(await deleting).toBe("quota_exceeded");
		expect((await updating).name).toBe("b");
		expect((await completing).completed).toBe(true);
	});

	test("an outline whose call changes nothing waits until the state it found is durable", async () => {
		const { journal, storage } = await opened();
		const outline = newOutline({ storage });
		const creating = outline.create({ name: "a" });
		await journal.settle();
		const { id } = await creating;
		const first = codeOf(outline.complete(id));
		const second = outline.complete(id);
		await journal.settle(new OutlineError("quota_exceeded", "full"));
		let isSettled = false;
		void second.then(() => (isSettled = true));
		await journal.settleUntil(() => isSettled);
		expect(await first).toBe("quota_exceeded");
		expect((await second).completed).toBe(true);
		expect((await outline.get(id)).completed).toBe(true);
	});

	/** The id of the only node in the index, durable or not. */
	function idGhost(storage: ResidentStorage): string {
		return storage.peek([{ type: "children", of: null, scope: "own", limit: 1 }])!.results[0][0]!.record.id;
	}
});

describe("scan", () => {
	test("keeps the origin and mirrors of nodes that it reaches later", async () => {
		const storage = new ResidentStorage(null);
		const nodes = Array.from({ length: 1200 }, (_, number) =>
			recordAt(number, 1, number === 1100 ? { originId: idOf(1101) } : {}),
		);
		await storage.commit(addingAll(nodes));
		const seen: StoredNode[] = [];
		for await (const chunk of storage.scan()) {
			if (seen.length === 0) {
				const after = { ...nodes[1101]!, name: "new", revision: 2 };
				await storage.commit({ base: 1, nodes: [{ before: nodes[1101]!, after }], keys: [] });
				await storage.commit({ base: 2, nodes: [{ before: nodes[1100]!, after: null }], keys: [] });
			}
			seen.push(...chunk);
		}
		expect(seen[1100]).toEqual({ record: nodes[1100], origin: nodes[1101], mirrorIds: [] });
		expect(seen[1101]).toEqual({ record: nodes[1101], origin: null, mirrorIds: [idOf(1100)] });
	});

	test("waits until the state it shows is durable", async () => {
		const { journal, storage } = await opened();
		const first = storage.scan()[Symbol.asyncIterator]();
		const failing = codeOf(storage.commit(adding(1, 0)));
		const chunk = first.next();
		await journal.settle(new OutlineError("quota_exceeded", "full"));
		expect(await failing).toBe("quota_exceeded");
		expect((await chunk).done).toBe(true);
	});
});

test("a journal that limits the commits of one write only fails the commits of the failed write, and later ones conflict", async () => {
	const { journal, storage } = await opened();
	journal.limit = 1;
	const codes = [1, 2, 3].map((number) => codeOf(storage.commit(adding(number, number - 1))));
	await journal.settle();
	await journal.settle(new OutlineError("too_large", "failed"));
	expect(await Promise.all(codes)).toEqual([undefined, "too_large", "conflict"]);
	expect(journal.groups).toEqual([[1], [2]]);
	expect((await storage.read([])).revision).toBe(1);
});

describe("snapshots", () => {
	test("are begun with exactly the commits that have been appended", async () => {
		const { journal, storage } = await opened();
		void storage.commit(adding(1, 0));
		await turns();
		void storage.commit(adding(2, 1));
		journal.snapshotDue = true;
		await journal.settle();
		expect(journal.images).toEqual([]);
		await journal.settle();
		expect(journal.images.map(({ revision, nodes }) => [revision, nodes.length])).toEqual([[2, 2]]);
	});

	test("wait until all commits they show are durable, if the journal limits the commits of one write", async () => {
		const { journal, storage } = await opened();
		void storage.commit(adding(1, 0));
		await turns();
		for (const number of [2, 3, 4]) void storage.commit(adding(number, number - 1));
		journal.snapshotDue = true;
		journal.limit = 2;
		await journal.settle();
		await journal.settle();
		expect(journal.images).toEqual([]);
		await journal.settle();
		expect(journal.groups).toEqual([[1], [2, 3], [4]]);
		expect(journal.images.map(({ revision }) => revision)).toEqual([4]);
	});

	test("are begun again if the commits they show have been written together with more", async () => {
		const { journal, storage } = await opened();
		void storage.commit(adding(1, 0));
		await turns();
		for (const number of [2, 3, 4]) void storage.commit(adding(number, number - 1));
		journal.snapshotDue = true;
		journal.limit = 2;
		await journal.settle();
		void storage.commit(adding(5, 4));
		await journal.settle();
		await journal.settle();
		expect(journal.groups).toEqual([[1], [2, 3], [4, 5]]);
		expect(journal.images.map(({ revision }) => revision)).toEqual([5]);
	});

	test.each([
		["too_large", true, [1]],
		["storage_unavailable", false, []],
	] as const)("after a failed commit (%s) are begun if they are due without it: %s", async (code, isDue, revisions) => {
		const { journal, storage } = await opened();
		void storage.commit(adding(1, 0));
		await turns();
		const failing = codeOf(storage.commit(adding(2, 1)));
		journal.snapshotDue = true;
		await journal.settle();
		journal.snapshotDue = isDue;
		await journal.settle(new OutlineError(code, "failed"));
		expect(await failing).toBe(code);
		expect(journal.images.map(({ revision }) => revision)).toEqual(revisions);
	});
});

describe("opening and closing", () => {
	test("opens once for many first uses, and again after a failure", async () => {
		const journal = new HeldJournal();
		const storage = new ResidentStorage(journal);
		expect(journal.opened).toBe(0);
		expect(storage.peek([])).toBeUndefined();
		journal.openFailure = new OutlineError("storage_unavailable", "locked");
		expect(await Promise.all(Array.from({ length: 20 }, () => codeOf(storage.read([]))))).toEqual(
			Array.from({ length: 20 }, () => "storage_unavailable"),
		);
		journal.openFailure = undefined;
		await Promise.all(Array.from({ length: 20 }, () => storage.read([])));
		expect(journal.opened).toBe(2);
	});

	test("close waits for the present write; afterwards every call throws closed", async () => {
		const { journal, storage } = await opened();
		const committing = storage.commit(adding(1, 0));
		const closing = storage.close();
		await turns();
		expect(journal.closed).toBe(0);
		await journal.settle();
		expect(await committing).toBe(1);
		await closing;
		await storage.close();
		expect(journal.closed).toBe(1);
		expect(await codeOf(storage.read([]))).toBe("closed");
		expect(await codeOf(storage.commit(adding(2, 1)))).toBe("closed");
		expect(await codeOf(storage.scan()[Symbol.asyncIterator]().next())).toBe("closed");
		expect(storage.peek([])).toBeUndefined();
	});

	test("closing a storage that was never opened opens nothing", async () => {
		const journal = new HeldJournal();
		await new ResidentStorage(journal).close();
		expect(journal.opened).toBe(0);
	});
});
