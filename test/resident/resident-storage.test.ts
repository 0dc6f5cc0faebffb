import { describe, expect, test } from "vitest";
import { batchOf, type Delta, deltaOf } from "../../adapters/resident/delta.js";
import type { Journal } from "../../adapters/resident/journal.js";
import { type IndexImage, RecordIndex } from "../../adapters/resident/record-index.js";
import { ResidentStorage } from "../../adapters/resident/resident-storage.js";
import { OutlineError } from "../../src/errors.js";
import type { Batch, CommitNotice, NodeRecord, StoredNode } from "../../src/storage.js";
import { adding, recordAt } from "../batches.js";
import { codeOf, exported, newOutline } from "../plant.js";
import { idOf } from "./random-batches.js";

/** A journal whose writes wait until they are let go. */
class HeldJournal implements Journal {
	readonly groups: number[][] = [];
	readonly images: IndexImage[] = [];
	snapshotDue = false;
	closed = 0;
	opened = 0;
	openFailure: unknown;
	#settle: ((error?: unknown) => void) | null = null;

	async open(): Promise<void> {
		this.opened += 1;
		if (this.openFailure !== undefined) throw this.openFailure;
	}

	append(batches: readonly Batch[]): Promise<void> {
		this.groups.push(batches.map(({ base }) => base + 1));
		return new Promise((resolve, reject) => {
			this.#settle = (error) => (error === undefined ? resolve() : reject(error));
		});
	}

	async snapshot(image: IndexImage): Promise<void> {
		this.images.push(image);
	}

	async close(): Promise<void> {
		this.closed += 1;
	}

	/** Ends the write under way, well or with an error, and lets what follows happen. */
	async settle(error?: unknown): Promise<void> {
		await turns();
		this.#settle?.(error);
		await turns();
	}
}

async function turns(): Promise<void> {
	await new Promise((resolve) => setTimeout(resolve, 2));
}

async function opened(): Promise<{ journal: HeldJournal; storage: ResidentStorage }> {
	const journal = new HeldJournal();
	const storage = new ResidentStorage(journal);
	await storage.read([]);
	return { journal, storage };
}

describe("group commit", () => {
	test("commits made in one go share a write", async () => {
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

	test("peek shows what isn't durable yet and says so; read waits for it", async () => {
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

	test("a write that fails takes back all that stood on it, and readers never saw any", async () => {
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

	test("an outline tries the taken back ones again, in their order, and answers nothing on what was taken back", async () => {
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
		for (let times = 0; times < 30 && settled.length < 5; times++) {
			await new Promise((resolve) => setTimeout(resolve, 5));
			await journal.settle();
		}
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

	test("an outline answers nothing that rests on a commit which may still be taken back", async () => {
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
		for (let times = 0; times < 30 && settled < 2; times++) {
			await new Promise((resolve) => setTimeout(resolve, 5));
			await journal.settle();
		}
		expect(await deleting).toBe("quota_exceeded");
		expect((await updating).name).toBe("b");
		expect((await completing).completed).toBe(true);
	});

	test("an outline that changes nothing waits for what it found to be so", async () => {
		const { journal, storage } = await opened();
		const outline = newOutline({ storage });
		const creating = outline.create({ name: "a" });
		await journal.settle();
		const { id } = await creating;
		const first = codeOf(outline.complete(id));
		const second = outline.complete(id);
		await journal.settle(new OutlineError("quota_exceeded", "full"));
		for (let times = 0; times < 10; times++) {
			await new Promise((resolve) => setTimeout(resolve, 5));
			await journal.settle();
		}
		expect(await first).toBe("quota_exceeded");
		expect((await second).completed).toBe(true);
		expect((await outline.get(id)).completed).toBe(true);
	});

	/** The id of the one node that is in the index, durable or not. */
	function idGhost(storage: ResidentStorage): string {
		return storage.peek([{ type: "children", of: null, scope: "own", limit: 1 }])!.results[0][0]!.record.id;
	}
});

describe("conflict", () => {
	test("a commit on another revision than the current one is refused and changes nothing", async () => {
		const storage = new ResidentStorage(null);
		await storage.commit(adding(1, 0));
		for (const base of [0, 2, -1]) expect(await codeOf(storage.commit(adding(2, base)))).toBe("conflict");
		expect((await storage.read([{ type: "node", at: { id: idOf(2) } }])).results).toEqual([null]);
	});
});

describe("scan", () => {
	test("gives every node as it was when it began, whatever is committed meanwhile", async () => {
		const storage = new ResidentStorage(null);
		const nodes = Array.from({ length: 1500 }, (_, number) =>
			recordAt(number, 1, number === 3 ? { originId: idOf(2) } : {}),
		);
		await storage.commit({ base: 0, nodes: nodes.map((after) => ({ before: null, after })), keys: [] });
		const seen: StoredNode[] = [];
		let base = 1;
		const change = (before: NodeRecord, after: NodeRecord | null) =>
			storage.commit({ base: base++, nodes: [{ before, after }], keys: [] });
		for await (const chunk of storage.scan()) {
			if (seen.length === 0) {
				await change(nodes[1400]!, { ...nodes[1400]!, name: "changed", revision: 2 });
				await change(nodes[1401]!, null);
				await change(nodes[2]!, { ...nodes[2]!, name: "origin changed", revision: 4 });
				await change(nodes[3]!, null);
				await change(nodes[1402]!, { ...nodes[1402]!, parentId: idOf(5), revision: 6 });
				await storage.commit({ base: base++, nodes: [{ before: null, after: recordAt(2000, base) }], keys: [] });
			}
			seen.push(...chunk);
		}
		expect(seen.map((node) => node.record)).toEqual(nodes);
		expect(seen[3]!.origin).toBe(nodes[2]);
		expect(seen[2]!.mirrorIds).toEqual([idOf(3)]);
	});

	test("keeps the origin and mirrors of nodes that it comes to later", async () => {
		const storage = new ResidentStorage(null);
		const nodes = Array.from({ length: 1200 }, (_, number) =>
			recordAt(number, 1, number === 1100 ? { originId: idOf(1101) } : {}),
		);
		await storage.commit({ base: 0, nodes: nodes.map((after) => ({ before: null, after })), keys: [] });
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

	test("waits until what it shows is durable", async () => {
		const { journal, storage } = await opened();
		const first = storage.scan()[Symbol.asyncIterator]();
		const failing = codeOf(storage.commit(adding(1, 0)));
		const chunk = first.next();
		await journal.settle(new OutlineError("quota_exceeded", "full"));
		expect(await failing).toBe("quota_exceeded");
		expect((await chunk).done).toBe(true);
	});
});

describe("watch", () => {
	test("hears of each durable commit in order, with what it changed, until it ends", async () => {
		const storage = new ResidentStorage(null);
		const notices: CommitNotice[] = [];
		const end = storage.watch((notice) => notices.push(notice));
		const batches = [adding(1, 0), adding(2, 1)];
		for (const batch of batches) await storage.commit(batch);
		end();
		await storage.commit(adding(3, 2));
		expect(notices).toEqual(batches.map((batch) => ({ revision: batch.base + 1, detail: { batch, related: [] } })));
	});
});

describe("snapshots", () => {
	test("are begun with exactly what has been appended", async () => {
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

	test("are not begun with commits that failed", async () => {
		const { journal, storage } = await opened();
		void storage.commit(adding(1, 0));
		await turns();
		const failing = codeOf(storage.commit(adding(2, 1)));
		journal.snapshotDue = true;
		await journal.settle();
		journal.snapshotDue = false;
		await journal.settle(new OutlineError("storage_unavailable", "failed"));
		expect(await failing).toBe("storage_unavailable");
		expect(journal.images).toEqual([]);
	});
});

/** A journal in an array that several storages write to. A snapshot empties the array. */
class SharedJournal implements Journal {
	readonly shared: { deltas: Delta[]; listeners: (() => void)[]; image: IndexImage };
	snapshotDue = false;
	heard = true;

	constructor(shared = { deltas: [] as Delta[], listeners: [] as (() => void)[], image: new RecordIndex().image() }) {
		this.shared = shared;
	}

	readonly others = {
		since: async (revision: number) => {
			await turns();
			if (this.shared.image.revision > revision) return null;
			return this.shared.deltas.filter((delta) => delta.revision > revision);
		},
		load: async (index: RecordIndex) => {
			index.revision = this.shared.image.revision;
			index.load({ ...this.shared.image, nodes: [...this.shared.image.nodes.records()] });
			for (const delta of this.shared.deltas) index.apply(batchOf(delta, index)!);
		},
		listen: (listener: () => void) => {
			this.shared.listeners.push(() => this.heard && listener());
		},
	};

	open(index: RecordIndex): Promise<void> {
		return this.others.load(index);
	}

	async append(batches: readonly Batch[]): Promise<void> {
		await turns();
		const { deltas, image, listeners } = this.shared;
		const current = deltas.at(-1)?.revision ?? image.revision;
		if (batches[0]!.base !== current) throw new OutlineError("conflict", "somebody was first");
		deltas.push(...batches.map(deltaOf));
		for (const listener of listeners) listener();
	}

	async snapshot(image: IndexImage): Promise<void> {
		this.snapshotDue = false;
		this.shared.image = image;
		this.shared.deltas = this.shared.deltas.filter(({ revision }) => revision > image.revision);
	}

	async close(): Promise<void> {}
}

describe("a journal that others write to", () => {
	function pair() {
		const journals = [new SharedJournal()];
		journals.push(new SharedJournal(journals[0]!.shared));
		return { journals, storages: journals.map((journal) => new ResidentStorage(journal)) };
	}

	test("is followed: each storage shows what the other has committed, and says what changed", async () => {
		const { storages } = pair();
		const [one, two] = storages.map((storage) => newOutline({ storage }));
		const { id } = await one!.create({ name: "a" });
		await two!.list();
		const events: unknown[] = [];
		two!.subscribe((event) => events.push(event));
		await one!.update(id, { name: "b" });
		await turns();
		await turns();
		expect(events).toMatchObject([
			{ revision: 2, source: "remote", changes: [{ id, before: { name: "a" }, after: { name: "b" } }] },
		]);
		expect((await two!.get(id)).name).toBe("b");
	});

	test("refuses who comes second, and all that waits behind; they are tried again and nothing is lost", async () => {
		const { journals, storages } = pair();
		const outlines = storages.map((storage) => newOutline({ storage }));
		for (const storage of storages) await storage.read([]);
		// Neither hears of the other before it is refused.
		for (const journal of journals) journal.heard = false;
		await Promise.all(
			outlines.flatMap((outline, which) =>
				Array.from({ length: 20 }, (_, index) => outline.create({ name: `${which} ${index}`, parent: "today" })),
			),
		);
		for (const storage of storages) storage.peek([]);
		for (const journal of journals) journal.heard = true;
		await outlines[0]!.create({ name: "last" });
		await turns();
		await turns();
		const [left, right] = await Promise.all(outlines.map((outline) => exported(outline)));
		expect(left!.length).toBe(45);
		expect(new Set(left!.map(({ id }) => id)).size).toBe(45);
		const sorted = (nodes: typeof left) => [...nodes!].sort((x, y) => (x.id < y.id ? -1 : 1));
		expect(sorted(right)).toEqual(sorted(left));
	});

	test("is read anew by a storage that a snapshot has left behind, and its listeners miss nothing", async () => {
		const { journals, storages } = pair();
		const [one, two] = storages.map((storage) => newOutline({ storage }));
		await one!.create({ name: "a" });
		await two!.list();
		const seen: string[] = [];
		two!.subscribe(({ changes }) => seen.push(...changes.map(({ after }) => after!.name)));
		journals[1]!.heard = false;
		const scan = storages[1]!.scan()[Symbol.asyncIterator]();
		journals[0]!.snapshotDue = true;
		await one!.create({ name: "b" });
		await one!.create({ name: "c" });
		journals[1]!.heard = true;
		await one!.create({ name: "d" });
		await turns();
		await turns();
		expect((await two!.list()).nodes.map(({ name }) => name)).toEqual(["d", "c", "b", "a"]);
		expect(seen.sort()).toEqual(["b", "c", "d"]);
		await scan.return?.();
	});

	test("lets a scan that began before go on with what was", async () => {
		const { journals, storages } = pair();
		const nodes = Array.from({ length: 1200 }, (_, number) => recordAt(number, 1));
		await storages[0]!.commit({ base: 0, nodes: nodes.map((after) => ({ before: null, after })), keys: [] });
		await storages[1]!.read([]);
		const seen: StoredNode[] = [];
		for await (const chunk of storages[1]!.scan()) {
			if (seen.length === 0) {
				journals[0]!.snapshotDue = true;
				for (const [place, number] of [1100, 1150].entries()) {
					const after = { ...nodes[number]!, name: "changed", revision: place + 2 };
					await storages[0]!.commit({ base: place + 1, nodes: [{ before: nodes[number]!, after }], keys: [] });
				}
				await turns();
				await turns();
			}
			seen.push(...chunk);
		}
		expect(seen.map((node) => node.record)).toEqual(nodes);
	});

	test("that can't be looked through leaves those that wait to be appended", async () => {
		const { journals, storages } = pair();
		await storages[0]!.read([]);
		await turns();
		await turns();
		journals[0]!.others.since = async () => {
			await turns();
			throw new OutlineError("storage_unavailable", "not now");
		};
		for (const listener of journals[0]!.shared.listeners) listener();
		expect(await storages[0]!.commit(adding(1, 0))).toBe(1);
	});

	test("that is gone is neither read nor written any more", async () => {
		const { journals, storages } = pair();
		const storage = storages[0]!;
		await storage.commit(adding(1, 0));
		const gone = new OutlineError("storage_unavailable", "deleted underneath");
		Object.assign(journals[0]!.others, { gone });
		expect(storage.peek([])).toBeUndefined();
		await expect(storage.read([])).rejects.toBe(gone);
		await expect(storage.commit(adding(2, 1))).rejects.toBe(gone);
		await expect(storage.scan()[Symbol.asyncIterator]().next()).rejects.toBe(gone);
		await storage.close();
		expect(await codeOf(storage.read([]))).toBe("closed");
	});

	test("is looked at when somebody commits on a revision that the storage hasn't heard of", async () => {
		const { journals, storages } = pair();
		for (const storage of storages) await storage.read([]);
		await turns();
		journals[1]!.heard = false;
		await storages[0]!.commit(adding(1, 0));
		expect(storages[1]!.peek([])?.revision).toBe(0);
		expect(await codeOf(storages[1]!.commit(adding(2, 1)))).toBe("conflict");
		expect(storages[1]!.peek([])?.revision).toBe(1);
		expect(await storages[1]!.commit(adding(2, 1))).toBe(2);
	});

	test("is not believed when it doesn't fit", async () => {
		const { journals, storages } = pair();
		await storages[0]!.read([]);
		journals[0]!.heard = false;
		journals[0]!.shared.deltas.push({ revision: 1, deleted: [idOf(1)] });
		expect(await codeOf(storages[0]!.commit(adding(1, 0)))).toBe("storage_corrupt");
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

	test("close waits for the write under way; afterwards everything is closed", async () => {
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

	test("closing what was never opened opens nothing", async () => {
		const journal = new HeldJournal();
		await new ResidentStorage(journal).close();
		expect(journal.opened).toBe(0);
	});
});
