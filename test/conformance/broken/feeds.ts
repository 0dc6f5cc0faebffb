import { corrupting, type Faults, misanswering } from "./fault.js";

/** Storages whose feed is wrong about keys, tombstones or the horizon. */
export const feeds: Faults = {
	"tells of no keys": {
		rejectedBy: ["changes: changes include the keys", "random: after random commits all"],
		broken: misanswering("changes", (changes) => ({ ...changes, keys: [] })),
	},
	"tells of no dropped keys": {
		rejectedBy: ["changes: changes include the keys", "random: after random commits all"],
		broken: misanswering("changes", (changes) => ({ ...changes, droppedKeys: [] })),
	},
	"tells of shortcuts alone": {
		rejectedBy: ["changes: changes include the keys"],
		broken: misanswering("changes", (changes) => ({
			...changes,
			keys: changes.keys.filter(({ group }) => group === "shortcut"),
		})),
	},
	"counts keys for no limit": {
		rejectedBy: ["changes: changes end only"],
		broken: misanswering("changes", (changes, { since, limit }, records) => {
			const { nodes, deleted } = records.changedAfter(since);
			const revisions = [...nodes, ...deleted].map(({ revision }) => revision).sort((left, right) => left - right);
			const last = revisions[limit - 1] ?? records.revision;
			const until = revisions.some((revision) => revision > last) ? last : records.revision;
			const all = records.changedAfter(since);
			const within = ({ revision }: { revision: number }) => revision <= until;
			return {
				nodes: all.nodes.filter(within),
				deleted: all.deleted.filter(within),
				keys: all.keys.filter(within),
				droppedKeys: all.droppedKeys.filter(within),
				horizon: changes.horizon,
				revision: until,
			};
		}),
	},
	"returns keys in the order of their names": {
		rejectedBy: ["changes: changes are the"],
		broken: misanswering("changes", (changes) => ({
			...changes,
			keys: changes.keys.toSorted((left, right) => (left.key < right.key ? 1 : -1)),
		})),
	},
	"keeps the tombstone of a key that is set again": {
		rejectedBy: ["changes: a horizon drops", "random: after random commits all"],
		broken: corrupting((records, { base, keys }) => {
			for (const { before, after } of keys) if (before === null) records.droppedKeys.set(after!.key, base + 1);
		}),
	},
	"keeps a key at the revision at which it was first set": {
		rejectedBy: ["changes: changes are the", "random: after random commits all"],
		broken: corrupting((records, { keys }, before) => {
			for (const { after } of keys) {
				const earlier = after && before.keys.get(after.key);
				if (earlier) records.keys.set(after.key, { ...after, revision: earlier.revision });
			}
		}),
	},
	"ignores a horizon": {
		rejectedBy: ["changes: a horizon drops", "changes: a horizon stays"],
		broken: (storage) => ({ commit: ({ horizon: _, ...batch }) => storage.commit(batch) }),
	},
	"drops the tombstones of nodes alone": {
		rejectedBy: ["changes: a horizon drops"],
		broken: corrupting((records, { horizon }, before) => {
			if (horizon === undefined) return;
			for (const [key, revision] of before.droppedKeys) records.droppedKeys.set(key, revision);
		}),
	},
	"drops all tombstones at a horizon": {
		rejectedBy: ["changes: a horizon drops"],
		broken: corrupting((records, { horizon }) => {
			if (horizon !== undefined) records.deleted.clear();
		}),
	},
	"keeps the tombstones of the horizon's own commit": {
		rejectedBy: ["changes: a horizon drops"],
		broken: corrupting((records, { horizon }, before) => {
			for (const [id, revision] of before.deleted) if (revision === horizon) records.deleted.set(id, revision);
		}),
	},
	"moves a horizon back": {
		rejectedBy: ["changes: a horizon drops"],
		broken: corrupting((records, { horizon }) => {
			if (horizon !== undefined) records.horizon = horizon;
		}),
	},
	"forgets the horizon when it is closed": {
		rejectedBy: ["changes: a horizon stays"],
		broken: (storage) => ({
			async close() {
				if (!storage.closed) storage.place.records.horizon = 0;
				return storage.close();
			},
		}),
	},
};
