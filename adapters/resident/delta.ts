import type { Batch, Document, Key, NodeRecord } from "../../src/storage.js";
import { documentChanges, type ReceiptLists } from "./earlier-version.js";
import type { RecordIndex } from "./index/record-index.js";

/** The fields of a record that a delta may leave out, with their values then. */
export const blank = {
	parentId: null,
	priority: 0,
	name: "",
	note: null,
	layoutMode: "bullets",
	properties: null,
	createdAt: 0,
	modifiedAt: 0,
	completedAt: null,
	originId: null,
} as const satisfies Omit<NodeRecord, "id" | "revision">;

/** The name of such a field. */
export type Field = keyof typeof blank;

/** A record without its id and revision. */
export type Fields = Pick<NodeRecord, Field>;

/** The names of all fields. */
export const fields = Object.keys(blank) as Field[];

/**
 * The changes of one commit as a journal keeps them. A changed node has only the fields that differ, a new
 * node only those that aren't blank.
 */
export interface Delta {
	/** The revision that the commit made. */
	readonly revision: number;
	readonly nodes?: readonly ({ readonly id: string } & Partial<Fields>)[];
	/** The ids of the deleted nodes. */
	readonly deleted?: readonly string[];
	/** The keys that were set. Their revision is that of the commit. */
	readonly keys?: readonly Key[];
	/** The keys that were deleted. */
	readonly droppedKeys?: readonly string[];
	/** The documents that were written. */
	readonly documents?: readonly Document[];
	/** The keys of the documents that were deleted. */
	readonly droppedDocuments?: readonly string[];
	/** The new horizon. */
	readonly horizon?: number;
}

/** Returns a batch as a journal keeps it. */
export function deltaOf({ base, nodes, keys, documents, horizon }: Batch): Delta {
	const delta: { -readonly [K in keyof Delta]: Delta[K] } = { revision: base + 1 };
	const written: ({ readonly id: string } & Partial<Fields>)[] = [];
	const deleted: string[] = [];
	const set: Key[] = [];
	const dropped: string[] = [];
	for (const { before, after } of nodes) {
		if (after === null) deleted.push(before!.id);
		else written.push(difference(before ?? blank, after));
	}
	for (const { before, after } of keys) {
		if (after === null) dropped.push(before!.key);
		else set.push(withoutRevision(after));
	}
	if (written.length > 0) delta.nodes = written;
	if (deleted.length > 0) delta.deleted = deleted;
	if (set.length > 0) delta.keys = set;
	if (dropped.length > 0) delta.droppedKeys = dropped;
	if (documents !== undefined && documents.put.length > 0) delta.documents = documents.put;
	if (documents !== undefined && documents.dropped.length > 0) delta.droppedDocuments = documents.dropped;
	if (horizon !== undefined) delta.horizon = horizon;
	return delta;
}

/**
 * A {@link Delta} whose lists are made while they are read, once. A list that would be empty is undefined.
 */
export type LazyDelta = {
	readonly [F in keyof Delta]: Delta[F] extends readonly (infer Element)[] | undefined
		? Iterable<Element> | undefined
		: Delta[F] | undefined;
};

/** Returns a batch like {@link deltaOf}, but lazily, for a batch that is too large for one step. */
export function lazyDeltaOf({ base, nodes, keys, documents, horizon }: Batch): LazyDelta {
	const isSet = ({ after }: { after: unknown }) => after !== null;
	const isDropped = ({ after }: { after: unknown }) => after === null;
	return {
		revision: base + 1,
		nodes: nodes.some(isSet)
			? mapped(nodes, ({ before, after }) => (after === null ? undefined : difference(before ?? blank, after)))
			: undefined,
		deleted: nodes.some(isDropped)
			? mapped(nodes, ({ before, after }) => (after === null ? before!.id : undefined))
			: undefined,
		keys: keys.some(isSet)
			? mapped(keys, ({ after }) => (after === null ? undefined : withoutRevision(after)))
			: undefined,
		droppedKeys: keys.some(isDropped)
			? mapped(keys, ({ before, after }) => (after === null ? before!.key : undefined))
			: undefined,
		documents: documents !== undefined && documents.put.length > 0 ? documents.put : undefined,
		droppedDocuments: documents !== undefined && documents.dropped.length > 0 ? documents.dropped : undefined,
		horizon,
	};
}

/** Returns the batch that a delta of any version means for an index; null if it doesn't fit the index. */
export function batchOf(delta: Delta & ReceiptLists, index: RecordIndex): Batch | null {
	const { revision, nodes = [], deleted = [], keys = [], droppedKeys = [], horizon } = delta;
	if (revision !== index.revision + 1) return null;
	const record = (id: string) => index.record(id) ?? null;
	const key = (name: string) => index.key(name) ?? null;
	const nodeChanges = [
		...nodes.map((change) => {
			const before = record(change.id);
			return { before, after: { ...blankOf(change.id), ...before, ...change, revision } };
		}),
		...deleted.map((id) => ({ before: record(id), after: null })),
	];
	const keyChanges = [
		...keys.map((after) => ({ before: key(after.key), after: { ...after, revision } })),
		...droppedKeys.map((name) => ({ before: key(name), after: null })),
	];
	const missing = (change: { before: unknown; after: unknown }) => change.before === null && change.after === null;
	if (nodeChanges.some(missing) || keyChanges.some(missing)) return null;
	const { documents: put, droppedDocuments: dropped } = delta;
	const documents = put || dropped ? { put: put ?? [], dropped: dropped ?? [] } : documentChanges(delta, index);
	return {
		base: revision - 1,
		nodes: nodeChanges,
		keys: keyChanges,
		...(documents && { documents }),
		...(horizon !== undefined && { horizon }),
	};
}

function withoutRevision({ key, group, nodeId }: Key): Key {
	return { key, group, nodeId };
}

/** Returns a blank record, with its fields in the order that all records have. */
function blankOf(id: string): NodeRecord {
	return { id, ...blank, revision: 0 };
}

/** Yields the result for each entry, without the undefined results. */
function* mapped<T, U>(entries: readonly T[], map: (entry: T) => U | undefined): Generator<U, void, undefined> {
	for (const entry of entries) {
		const value = map(entry);
		if (value !== undefined) yield value;
	}
}

function difference(before: Fields, after: NodeRecord): { id: string } & Partial<Fields> {
	const changed: { id: string } & Partial<Record<Field, unknown>> = { id: after.id };
	for (const field of fields) {
		if (before[field] !== after[field]) changed[field] = after[field];
	}
	return changed as { id: string } & Partial<Fields>;
}
