import { OutlineError } from "../../../src/errors.js";
import type { Batch, Query } from "../../../src/storage.js";
import { NaiveRecords } from "../../model/naive-records.js";
import { NaiveStorage } from "../../model/naive-storage.js";
import { aWhile, corrupting, type Faults } from "./fault.js";

const half = (batch: Batch, which: 0 | 1): Batch => {
	const middle = batch.nodes.length >> 1;
	const nodes = which === 0 ? batch.nodes.slice(0, middle) : batch.nodes.slice(middle);
	return { base: batch.base, nodes, keys: which === 0 ? [] : batch.keys };
};

/** Storages that commit wrongly. */
export const commits: Faults = {
	"shows half a commit while the other half is being written": {
		rejectedBy: ["snapshots: reads only see whole commits, and", "snapshots: reads only see whole commits while"],
		broken: (storage) => ({
			async commit(batch) {
				const { records } = storage.place;
				if (storage.closed || batch.base !== records.revision) return storage.commit(batch);
				const before = records.copy();
				records.apply(half(batch, 0));
				await aWhile();
				storage.place.records = before;
				return storage.commit(batch);
			},
		}),
	},
	"keeps half of a commit that it refuses": {
		rejectedBy: ["committing: a commit on"],
		broken: (storage) => ({
			async commit(batch) {
				const { records } = storage.place;
				if (batch.base >= records.revision) return storage.commit(batch);
				const { revision } = records;
				records.apply(half(batch, 1));
				records.revision = revision;
				return storage.commit(batch);
			},
		}),
	},
	"accepts a commit on an old revision": {
		rejectedBy: ["committing: a commit on", "committing: of several commits", "sharing: a commit on a"],
		broken: (storage) => ({
			commit: (batch) => storage.commit({ ...batch, base: Math.max(batch.base, storage.place.records.revision) }),
		}),
	},
	"accepts a commit on a future revision": {
		rejectedBy: ["committing: a commit on", "lifetime: a conflict is"],
		broken: (storage) => ({
			async commit(batch) {
				if (!storage.closed && batch.base > storage.place.records.revision) storage.place.records.revision = batch.base;
				return storage.commit(batch);
			},
		}),
	},
	"checks whether the base is current, and writes a while later": {
		rejectedBy: [
			"committing: of several commits",
			"committing: commits that are",
			"sharing: storages that commit",
			"outline: outlines that share a storage",
			"outline: outlines on separate storages create",
			"sharing: of two storages",
		],
		broken: (storage) => ({
			async commit(batch) {
				if (storage.closed || batch.base !== storage.place.records.revision) return storage.commit(batch);
				await aWhile();
				const { records } = storage.place;
				records.revision = batch.base;
				return storage.commit(batch);
			},
		}),
	},
	"refuses a conflict with another code": {
		rejectedBy: ["committing: a commit on", "committing: of several commits"],
		broken: (storage) => ({
			commit: (batch) =>
				storage.commit(batch).catch((error) => {
					throw error.code === "conflict" ? new OutlineError("storage_unavailable", "not now") : error;
				}),
		}),
	},
	"still shows its old state after a conflict": {
		rejectedBy: ["sharing: a commit on a", "lifetime: many storages may be open"],
		broken: (storage) => {
			let records: NaiveRecords | null = null;
			return {
				async read(queries) {
					await storage.read([]);
					records ??= storage.place.records.copy();
					const results = queries.map((query) => records!.answer<Query>(query));
					return { revision: records.revision, results: results as never };
				},
				async commit(batch) {
					const revision = await storage.commit(batch);
					records = null;
					return revision;
				},
			};
		},
	},
	"answers each query of a read at a different revision": {
		rejectedBy: ["snapshots: reads only see whole commits, and"],
		broken: (storage) => ({
			async read(queries) {
				const { revision } = await storage.read([]);
				const results: unknown[] = [];
				for (const query of queries) {
					results.push(storage.place.records.answer<Query>(query));
					await aWhile(1);
				}
				return { revision, results: results as never };
			},
		}),
	},
	"writes two swapped nodes one after the other, and refuses if both would have one place": {
		rejectedBy: ["committing: a commit may give"],
		broken: (storage) => ({
			async commit(batch) {
				const places = new Map(
					Array.from(storage.place.records.nodes.values(), (each) => [each.id, `${each.parentId} ${each.priority}`]),
				);
				for (const { before, after } of batch.nodes) {
					places.delete((before ?? after)!.id);
					const place = after && `${after.parentId} ${after.priority}`;
					if (place !== null && [...places.values()].includes(place)) throw new Error("UNIQUE constraint failed");
					if (place !== null) places.set(after!.id, place);
				}
				return storage.commit(batch);
			},
		}),
	},
	"requires parents to exist before their children": {
		rejectedBy: ["committing: a commit may have a"],
		broken: (storage) => ({
			async commit(batch) {
				const there = new Set(storage.place.records.nodes.keys());
				for (const { after } of batch.nodes) {
					if (after?.parentId && !there.has(after.parentId)) throw new Error("FOREIGN KEY constraint failed");
					if (after !== null) there.add(after.id);
				}
				return storage.commit(batch);
			},
		}),
	},
	"writes no keys if there are no nodes": {
		rejectedBy: ["committing: a commit may have only", "outline: an outline on it does all its operations"],
		broken: (storage) => ({
			commit: (batch) => storage.commit(batch.nodes.length === 0 ? { ...batch, keys: [] } : batch),
		}),
	},
	"changes the batch that it gets": {
		rejectedBy: ["committing: a commit creates"],
		broken: (storage) => ({
			async commit(batch) {
				(batch.nodes as unknown[]).reverse();
				return storage.commit(batch);
			},
		}),
	},
	"still lists a deleted mirror": {
		rejectedBy: ["committing: a mirror may get another origin", "shapes: a node with many mirrors"],
		broken: (storage) => {
			const gone = new Map<string, string[]>();
			return {
				async commit(batch) {
					const revision = await storage.commit(batch);
					for (const { before, after } of batch.nodes) {
						if (after === null && before?.originId) {
							gone.set(before.originId, [...(gone.get(before.originId) ?? []), before.id]);
						}
					}
					return revision;
				},
				async read(queries) {
					const { revision, results } = await storage.read(queries);
					const stale = JSON.parse(JSON.stringify(results), (_, value) =>
						value?.mirrorIds && gone.has(value.record.id)
							? { ...value, mirrorIds: [...value.mirrorIds, ...gone.get(value.record.id)!].sort() }
							: value,
					);
					return { revision, results: stale };
				},
			};
		},
	},
	"leaves no tombstones": {
		rejectedBy: ["changes: changes are the", "changes: a tombstone disappears", "random: after random commits all"],
		broken: corrupting((records) => records.deleted.clear()),
	},
	"keeps the tombstone of an id that is created again": {
		rejectedBy: ["changes: a tombstone disappears", "committing: a deleted id"],
		broken: corrupting((records, batch, before) => {
			for (const { after } of batch.nodes) {
				const revision = after === null ? undefined : before.deleted.get(after.id);
				if (revision !== undefined) records.deleted.set(after!.id, revision);
			}
		}),
	},
	"loses the changes of a batch beyond the hundredth": {
		rejectedBy: ["committing: a commit may be very large", "shapes: a wide outline returns its"],
		broken: (storage) => ({ commit: (batch) => storage.commit({ ...batch, nodes: batch.nodes.slice(0, 100) }) }),
	},
	"deletes no more than 500 nodes at once": {
		rejectedBy: ["shapes: a wide outline can be deleted"],
		broken: (storage) => ({
			async commit(batch) {
				let deletions = 0;
				return storage.commit({
					...batch,
					nodes: batch.nodes.filter(({ after }) => after !== null || ++deletions <= 500),
				});
			},
		}),
	},
	"shows its commits to other storages only after closing": {
		rejectedBy: ["sharing: commits of one", "random: after random commits through several"],
		broken: (storage) => {
			const { place } = storage;
			const own = new NaiveStorage({ records: place.records.copy(), watchers: new Set() });
			return {
				read: (queries) => own.read(queries),
				peek: (queries) => own.peek(queries),
				commit: (batch) => own.commit(batch),
				scan: () => own.scan(),
				async close() {
					if (!own.closed) place.records = own.place.records;
					return own.close();
				},
			};
		},
	},
	"resolves with the previous revision": {
		rejectedBy: ["committing: a commit creates"],
		broken: (storage) => ({ commit: async (batch) => (await storage.commit(batch)) - 1 }),
	},
	"keeps all outlines in one": {
		rejectedBy: ["factory: create returns independent"],
		broken: (() => {
			const shared = new NaiveRecords();
			return (storage) => {
				storage.place.records = shared;
				return {};
			};
		})(),
	},
};
