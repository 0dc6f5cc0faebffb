import type { Batch, Query, StorageAdapter, StoredNode } from "../../src/storage.js";
import { NaiveRecords } from "../model/naive-records.js";
import { assertAnswer, assertSameNodes } from "./agreement.js";
import { assert, assertEqual, assertRejects } from "./assertion.js";
import { batchOf, type Draft, frozen } from "./records.js";

/** A storage, together with the records that it must have. */
export class Ledger {
	/** The storage that gets the commits. May be replaced by another storage on the same data. */
	storage: StorageAdapter;
	readonly records = new NaiveRecords();

	constructor(storage: StorageAdapter) {
		this.storage = storage;
	}

	/** Returns a batch based on the present state. */
	batch(draft: Draft): Batch {
		return batchOf(draft, this.records);
	}

	/** Commits to the storage, and to the records. */
	async commit(draft: Draft): Promise<Batch> {
		const batch = this.batch(draft);
		await this.commitBatch(batch);
		return batch;
	}

	/** Commits like {@link commit} a batch based on the present state. */
	async commitBatch(batch: Batch): Promise<void> {
		assertEqual(await this.storage.commit(batch), batch.base + 1, "the revision that commit resolves with");
		this.records.apply(batch);
	}

	/**
	 * Continues with another storage on the same outline. It may not know all commits yet, and then refuses one
	 * that is based on its state. From then on it must show the current state.
	 */
	async continueWith(storage: StorageAdapter): Promise<void> {
		this.storage = storage;
		const { revision: known } = await storage.read([]);
		const what = `the revision that a storage shows which others have taken to ${this.records.revision}`;
		assert(known <= this.records.revision, `${what}: ${known}`);
		if (known < this.records.revision) {
			const stale = storage.commit(frozen({ base: known, nodes: [], keys: [] }));
			await assertRejects(stale, "conflict", `a commit on ${known} at ${this.records.revision}`);
		}
		assertEqual((await storage.read([])).revision, this.records.revision, `${what}, after a conflict`);
	}

	/** Fails unless the storage answers queries, all in one read, like the records. */
	async check(...queries: readonly Query[]): Promise<void> {
		const { revision, results, ...rest } = await this.storage.read(queries);
		assertEqual(revision, this.records.revision, "the revision of a read");
		assertEqual(rest, {}, "what a read gives besides revision and results");
		assertEqual(results.length, queries.length, "the number of results");
		for (const [place, query] of queries.entries()) assertAnswer(query, results[place], this.records);
	}

	/** Fails unless the storage has exactly the records, as far as queries about all of them show. */
	async checkAll(): Promise<void> {
		const ids = [...this.records.nodes.keys()];
		const mirrors = Array.from(this.records.nodes.values()).filter(({ originId }) => originId !== null);
		const groups = new Set(Array.from(this.records.keys.values(), ({ group }) => group));
		await this.check(
			{ type: "related", ids },
			{ type: "children", of: null, scope: "own" },
			{ type: "taken", shortIds: [...ids, ...this.records.deleted.keys()].map((id) => id.slice(-12)) },
			{ type: "changes", since: 0, limit: 1_000_000 },
			...Array.from(groups, (group) => ({ type: "keys", group }) as const),
			...Array.from(this.records.keys.keys(), (key) => ({ type: "node", at: { key } }) as const),
			{ type: "documents", prefix: "" },
			...mirrors.map(({ id }) => ({ type: "children", of: { id }, scope: "visible" }) as const),
		);
		assertSameNodes(await scanned(this.storage), everything(this.records), "scan");
	}
}

/** Returns every node of the records. */
export function everything(records: NaiveRecords): StoredNode[] {
	const mirrors = new Map<string, string[]>();
	for (const { id, originId } of records.nodes.values()) {
		if (originId !== null) mirrors.set(originId, [...(mirrors.get(originId) ?? []), id]);
	}
	return Array.from(records.nodes.values(), (record) => ({
		record,
		origin: records.nodes.get(record.originId ?? "") ?? null,
		mirrorIds: (mirrors.get(record.id) ?? []).sort(),
	}));
}

/** Returns all nodes of a scan. */
export async function scanned(storage: StorageAdapter): Promise<StoredNode[]> {
	const found: StoredNode[] = [];
	for await (const chunk of storage.scan()) found.push(...chunk);
	return found;
}
