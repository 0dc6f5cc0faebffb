import { describe, expect, test } from "vitest";
import { batchOf, type Delta, deltaOf } from "../../../adapters/resident/delta.js";
import { type IndexImage, RecordIndex } from "../../../adapters/resident/index/record-index.js";
import type { Journal } from "../../../adapters/resident/journal.js";
import { ResidentStorage } from "../../../adapters/resident/resident-storage.js";
import { OutlineError } from "../../../src/errors.js";
import type { Batch, StoredNode } from "../../../src/storage.js";
import { adding, addingAll, recordAt } from "../../support/batches.js";
import { codeOf, newOutline } from "../../support/outline.js";
import { turns } from "./held-journal.js";

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
			const { image } = this.shared;
			index.load({ ...image, nodes: [...image.nodes.records()], documents: [...image.documents] });
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
		if (batches[0]!.base !== current) throw new OutlineError("conflict", "another storage was first");
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

describe("a journal with several writers", () => {
	function pair() {
		const journals = [new SharedJournal()];
		journals.push(new SharedJournal(journals[0]!.shared));
		return { journals, storages: journals.map((journal) => new ResidentStorage(journal)) };
	}

	test("is loaded again by a storage that is behind a snapshot, and its listeners miss nothing", async () => {
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

	test("lets a scan that began before continue with the former state", async () => {
		const { journals, storages } = pair();
		const nodes = Array.from({ length: 1200 }, (_, number) => recordAt(number, 1));
		await storages[0]!.commit(addingAll(nodes));
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

	test("that can't be read leaves waiting commits to be appended", async () => {
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

	test("whose content was deleted is neither read nor written any more", async () => {
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

	test("is read when a commit is based on a revision that the storage doesn't know", async () => {
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
});
