import type { Document, DocumentChanges } from "../../../src/storage.js";
import type { NaiveRecords } from "../../model/naive-records.js";
import { aWhile, corrupting, distorting, type Fault, type Faults, misanswering, misunderstanding } from "./fault.js";

/** A storage that changes what commits do with documents. */
const changing = (change: (documents: DocumentChanges) => DocumentChanges | undefined): Fault["broken"] => {
	return (storage) => ({
		commit: ({ documents, ...batch }) => {
			const changed = documents && change(documents);
			return storage.commit(changed === undefined ? batch : { ...batch, documents: changed });
		},
	});
};

/** A storage whose documents are replaced when it is closed. */
const forgetting = (change: (documents: Map<string, string>, before: NaiveRecords) => void): Fault["broken"] => {
	return (storage) => {
		const before = storage.place.records.copy();
		return {
			async close() {
				if (!storage.closed) change(storage.place.records.documents, before);
				return storage.close();
			},
		};
	};
};

const byKey = (left: Document, right: Document) => (left.key < right.key ? -1 : 1);

/** Storages that lose or mix up documents, or properties. */
export const documents: Faults = {
	"finds only documents with the whole key": {
		rejectedBy: ["documents: documents are found", "random: after random commits all"],
		broken: misanswering("documents", (found, { prefix }) => found.filter(({ key }) => key === prefix)),
	},
	"finds keys in any letter case": {
		rejectedBy: ["documents: documents are found"],
		broken: misanswering("documents", (_, { prefix, after = "", limit }, records) =>
			Array.from(records.documents, ([key, value]) => ({ key, value }))
				.filter(({ key }) => key.toLowerCase().startsWith(prefix.toLowerCase()) && key > after)
				.sort(byKey)
				.slice(0, limit),
		),
	},
	"takes a part of a prefix for a wildcard": {
		rejectedBy: ["documents: documents are found"],
		broken: misunderstanding("documents", (query) => (query.prefix === "%" ? { ...query, prefix: "" } : query)),
	},
	"returns documents in the order in which they were put": {
		rejectedBy: ["documents: documents are found", "documents: documents begin after"],
		broken: misanswering("documents", (found, _, records) => {
			const order = [...records.documents.keys()];
			return found.toSorted((left, right) => order.indexOf(left.key) - order.indexOf(right.key));
		}),
	},
	"orders keys as people do": {
		rejectedBy: ["documents: documents are found"],
		broken: misanswering("documents", (found) =>
			found.toSorted((left, right) => left.key.localeCompare(right.key, "en")),
		),
	},
	"includes the document with the key to begin after": {
		rejectedBy: ["documents: documents begin after"],
		broken: misanswering("documents", (found, { prefix, after, limit }, records) => {
			const value = after === undefined ? undefined : records.documents.get(after);
			if (value === undefined || !after!.startsWith(prefix)) return found;
			return [{ key: after!, value }, ...found].slice(0, limit);
		}),
	},
	"ignores the limit of documents": {
		rejectedBy: ["documents: documents begin after", "random: after random commits all"],
		broken: misunderstanding("documents", ({ limit: _, ...query }) => query),
	},
	"ignores the key to begin after": {
		rejectedBy: ["documents: documents begin after"],
		broken: misunderstanding("documents", ({ after: _, ...query }) => query),
	},
	"skips the documents whose keys begin with the key to begin after": {
		rejectedBy: ["documents: documents begin after"],
		broken: misanswering("documents", (found, { after }) =>
			after === undefined ? found : found.filter(({ key }) => !key.startsWith(after)),
		),
	},
	"keeps documents only of commits that change nodes": {
		rejectedBy: ["documents: a commit puts and drops"],
		broken: (storage) => ({
			commit: ({ documents, ...batch }) =>
				storage.commit(batch.nodes.length === 0 || documents === undefined ? batch : { ...batch, documents }),
		}),
	},
	"drops no document": {
		rejectedBy: ["documents: a commit puts and drops", "snapshots: reads only see whole commits, and"],
		broken: changing(({ put }) => ({ put, dropped: [] })),
	},
	"refuses to drop a document that doesn't exist": {
		rejectedBy: ["documents: a commit puts and drops"],
		broken: (storage) => ({
			async commit(batch) {
				const { documents } = storage.place.records;
				if (batch.documents?.dropped.some((key) => !documents.has(key))) throw new Error("no such document");
				return storage.commit(batch);
			},
		}),
	},
	"drops documents a while after the commit": {
		rejectedBy: ["documents: a commit puts and drops", "peeking: peek shows a commit"],
		broken: (storage) => ({
			async commit(batch) {
				const { documents: changes, ...rest } = batch;
				if (changes === undefined) return storage.commit(batch);
				const revision = await storage.commit({ ...rest, documents: { put: changes.put, dropped: [] } });
				void aWhile().then(() => {
					for (const key of changes.dropped) storage.place.records.documents.delete(key);
				});
				return revision;
			},
		}),
	},
	"doesn't replace a document": {
		rejectedBy: ["documents: a put document replaces", "random: after random commits all"],
		broken: corrupting((records, { documents: changes }, before) => {
			for (const { key } of changes?.put ?? []) {
				const value = before.documents.get(key);
				if (value !== undefined) records.documents.set(key, value);
			}
		}),
	},
	"has no documents with an empty value": {
		rejectedBy: ["documents: a put document replaces"],
		broken: misanswering("documents", (found) => found.filter(({ value }) => value !== "")),
	},
	"puts the documents of a refused commit": {
		rejectedBy: ["documents: a refused commit"],
		broken: (storage) => ({
			async commit(batch) {
				for (const { key, value } of batch.documents?.put ?? []) storage.place.records.documents.set(key, value);
				return storage.commit(batch);
			},
		}),
	},
	"drops the documents of a refused commit": {
		rejectedBy: ["documents: a refused commit"],
		broken: (storage) => ({
			async commit(batch) {
				for (const key of batch.documents?.dropped ?? []) storage.place.records.documents.delete(key);
				return storage.commit(batch);
			},
		}),
	},
	"writes the values of documents as JSON": {
		rejectedBy: ["documents: documents are kept exactly"],
		broken: misanswering("documents", (found) =>
			found.map(({ key, value }) => ({ key, value: value.startsWith("[") ? `${value} ` : value })),
		),
	},
	"cuts long keys of documents": {
		rejectedBy: ["documents: documents are kept exactly"],
		broken: changing(({ put, dropped }) => ({
			put: put.map(({ key, value }) => ({ key: key.slice(0, 255), value })),
			dropped,
		})),
	},
	"cuts long values of documents": {
		rejectedBy: ["documents: very long values", "documents: documents are there after"],
		broken: changing(({ put, dropped }) => ({
			put: put.map(({ key, value }) => ({ key, value: value.slice(0, 65_535) })),
			dropped,
		})),
	},
	"forgets documents when it is closed": {
		rejectedBy: ["documents: documents are there after", "lifetime: all content is there"],
		broken: forgetting((kept) => kept.clear()),
	},
	"brings dropped documents back when it is opened again": {
		rejectedBy: ["documents: documents are there after"],
		broken: forgetting((kept, before) => {
			for (const [key, value] of before.documents) if (!kept.has(key)) kept.set(key, value);
		}),
	},
	"shows documents to the storage that has put them alone": {
		rejectedBy: ["documents: documents that one storage puts"],
		broken: (storage) => {
			const own = new Set<string>();
			const { read, peek } = misanswering("documents", (found) => found.filter(({ key }) => own.has(key)))(storage);
			return {
				read: read!,
				peek: peek!,
				commit: (batch) => {
					for (const { key } of batch.documents?.put ?? []) own.add(key);
					return storage.commit(batch);
				},
			};
		},
	},
	"tells the feed of documents": {
		rejectedBy: ["documents: a commit puts and drops"],
		broken: misanswering("changes", (changes, _, records) => ({
			...changes,
			documents: [...records.documents.keys()],
		})),
	},
	"stores no properties": {
		rejectedBy: ["exactness: properties are kept", "random: after random commits all"],
		broken: distorting(() => ({ properties: null })),
	},
	"parses properties, and writes them in another form": {
		rejectedBy: ["exactness: properties are kept"],
		broken: distorting(({ properties }) => {
			try {
				return { properties: properties === null ? null : JSON.stringify(JSON.parse(properties)) };
			} catch {
				return { properties: null };
			}
		}),
	},
	"keeps the properties of a node that loses them": {
		rejectedBy: ["exactness: properties are kept"],
		broken: (storage) => ({
			commit: ({ nodes, ...batch }) =>
				storage.commit({
					...batch,
					nodes: nodes.map(({ before, after }) => ({
						before,
						after: after && { ...after, properties: after.properties ?? before?.properties ?? null },
					})),
				}),
		}),
	},
	"cuts long properties": {
		rejectedBy: ["exactness: properties are kept"],
		broken: distorting(({ properties }) => ({ properties: properties?.slice(0, 65_535) ?? null })),
	},
};
