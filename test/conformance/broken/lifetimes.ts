import { OutlineError } from "../../../src/errors.js";
import type { Batch, StoredNode } from "../../../src/storage.js";
import { NaiveRecords } from "../../model/naive-records.js";
import type { NaiveStorage } from "../../model/naive-storage.js";
import { everything } from "../ledger.js";
import { aWhile, type Faults } from "./fault.js";

/** Storages that scan, open or close wrongly. */
export const lifetimes: Faults = {
	"scans the state of each moment": {
		rejectedBy: ["snapshots: a scan yields", "snapshots: scans at the same time"],
		broken: (storage) => ({
			async *scan() {
				await storage.read([]);
				for (const id of [...storage.place.records.nodes.keys()]) {
					await aWhile(Math.random() < 0.1 ? 1 : 0);
					const node = storage.place.records.answer({ type: "node", at: { id } });
					if (node !== null) yield [node];
				}
			},
		}),
	},
	"scans the records of the beginning, with their present mirrors": {
		rejectedBy: ["snapshots: a scan yields"],
		broken: (storage) => ({
			async *scan() {
				await storage.read([]);
				for (const record of [...storage.place.records.nodes.values()]) yield [storage.place.records.stored(record)];
			},
		}),
	},
	"blocks commits during a scan": {
		rejectedBy: ["snapshots: a scan yields", "snapshots: a scan that is left"],
		broken: (storage) => {
			let scans = 0;
			return {
				async *scan() {
					scans += 1;
					yield* storage.scan();
					scans -= 1;
				},
				async commit(batch) {
					while (scans > 0 && !storage.closed) await aWhile();
					return storage.commit(batch);
				},
			};
		},
	},
	"waits with closing for an abandoned scan": {
		rejectedBy: ["snapshots: a scan that is left"],
		broken: (storage) => {
			let scans = 0;
			return {
				async *scan() {
					scans += 1;
					try {
						yield* storage.scan();
					} finally {
						scans -= 1;
					}
				},
				async close() {
					while (scans > 0) await aWhile();
					return storage.close();
				},
			};
		},
	},
	"ends a scan in the middle when it is closed, as if it were complete": {
		rejectedBy: ["snapshots: a scan fails"],
		broken: (storage) => ({
			async *scan(): AsyncIterable<readonly StoredNode[]> {
				try {
					yield* storage.scan();
				} catch (error) {
					if ((error as OutlineError).code !== "closed") throw error;
				}
			},
		}),
	},
	"leaves out the last chunk of a scan": {
		rejectedBy: ["snapshots: a scan yields", "shapes: a wide outline returns all"],
		broken: (storage) => ({
			async *scan() {
				await storage.read([]);
				yield everything(storage.place.records).slice(0, 100);
			},
		}),
	},
	"forgets all content on closing": {
		rejectedBy: [
			"lifetime: all content is",
			"outline: an outline opened",
			"random: after random commits, with closing",
		],
		broken: (storage) => ({
			async close() {
				if (!storage.closed) storage.place.records = new NaiveRecords();
				return storage.close();
			},
		}),
	},
	"forgets tombstones on closing": {
		rejectedBy: ["lifetime: all content is", "random: after random commits, with closing"],
		broken: (storage) => ({
			async close() {
				storage.place.records.deleted.clear();
				return storage.close();
			},
		}),
	},
	"takes the highest revision of a node as the current one when it is opened": {
		rejectedBy: ["lifetime: all content is", "random: after random commits, with closing"],
		broken: (storage) => {
			const { records } = storage.place;
			records.revision = Math.max(0, ...Array.from(records.nodes.values(), ({ revision }) => revision));
			return {};
		},
	},
	"acknowledges a commit before it is written, and closes without writing it": {
		rejectedBy: ["lifetime: all content is", "lifetime: commits acknowledged before"],
		broken: (storage) => {
			let written = storage.place.records.copy();
			return {
				async commit(batch) {
					const revision = await storage.commit(batch);
					void aWhile().then(() => {
						if (!storage.closed) written = storage.place.records.copy();
					});
					return revision;
				},
				async close() {
					if (!storage.closed) storage.place.records = written;
					return storage.close();
				},
			};
		},
	},
	"closes without waiting for the present commits": {
		rejectedBy: ["lifetime: closing waits"],
		broken: (storage) => ({
			async commit(batch) {
				if (storage.closed) return storage.commit(batch);
				await aWhile();
				return storage.commit(batch);
			},
		}),
	},
	"never finishes closing": {
		rejectedBy: ["lifetime: closing twice", "reading: related"],
		broken: () => ({ close: () => new Promise(() => {}) }),
	},
	"fails to close twice": {
		rejectedBy: ["lifetime: closing twice"],
		broken: (storage) => ({
			async close() {
				if (storage.closed) throw new OutlineError("closed", "It is closed already.");
				return storage.close();
			},
		}),
	},
	"still works after closing": {
		rejectedBy: ["lifetime: after closing", "lifetime: closing twice", "peeking: peek shows the"],
		broken: () => ({ close: async () => {} }),
	},
	"throws another error after closing": {
		rejectedBy: ["lifetime: after closing"],
		broken: (storage) => ({
			async read(queries) {
				if (storage.closed) throw new TypeError("Cannot read properties of null");
				return storage.read(queries);
			},
		}),
	},
	"opens only when it is read": {
		rejectedBy: ["factory: a storage opens on first use"],
		broken: (storage) => {
			let open = false;
			return {
				read(queries) {
					open = true;
					return storage.read(queries);
				},
				async commit(batch) {
					if (!open && !storage.closed) throw new OutlineError("storage_unavailable", "It isn't open.");
					return storage.commit(batch);
				},
			};
		},
	},
	"never answers earlier calls if it is closed while it opens": {
		rejectedBy: ["lifetime: closing while the storage opens"],
		broken: (storage) => ({
			async read(queries) {
				const { closed } = storage;
				await aWhile();
				return storage.closed && !closed ? new Promise(() => {}) : storage.read(queries);
			},
		}),
	},
	"allows only three storages to be open at a time": {
		rejectedBy: ["lifetime: many storages on different outlines", "lifetime: many storages may be open"],
		broken: (() => {
			const open = new Set<NaiveStorage>();
			return (storage: NaiveStorage) => ({
				async commit(batch: Batch) {
					for (const each of open) if (each.closed) open.delete(each);
					if (!open.has(storage) && open.size === 3) throw new OutlineError("storage_unavailable", "too many clients");
					open.add(storage);
					return storage.commit(batch);
				},
			});
		})(),
	},
	"opens once for each of the first uses": {
		rejectedBy: ["lifetime: many first uses", "lifetime: stored content can"],
		broken: (storage) => {
			let opening = 0;
			let open = false;
			return {
				async read(queries) {
					if (!open && opening++ > 0) throw new OutlineError("storage_unavailable", "It is locked.");
					await aWhile();
					open = true;
					return storage.read(queries);
				},
			};
		},
	},
};
