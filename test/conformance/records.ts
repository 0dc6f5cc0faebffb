import type { Batch, Document, Key, NodeRecord } from "../../src/storage.js";
import type { NaiveRecords } from "../model/naive-records.js";

/**
 * Returns the id of the node with a number below 2^20. Neither ids nor short ids are in the order of the
 * numbers.
 */
export function idOf(number: number): string {
	const hex = (factor: number, digits: number) => ((number * factor) % 16 ** digits).toString(16).padStart(digits, "0");
	return `${hex(2_246_822_519, 8)}-0000-4000-8000-${hex(40_503, 4)}${hex(2_654_435_761, 8)}`;
}

/** Returns the short id of the node with a number. */
export function shortIdOf(number: number): string {
	return idOf(number).slice(-12);
}

/** Returns a node with a number: by default at the top level, in the order of the numbers. */
export function node(number: number, fields: Partial<NodeRecord> = {}): NodeRecord {
	return {
		id: idOf(number),
		parentId: null,
		priority: number,
		name: `node ${number}`,
		note: null,
		layoutMode: "bullets",
		properties: null,
		createdAt: 1_795_219_200 + number,
		modifiedAt: 1_795_219_200,
		completedAt: null,
		originId: null,
		revision: 0,
		...fields,
	};
}

/** Returns this many nodes in a row, made from their numbers. */
export function nodes(count: number, fields: (number: number) => Partial<NodeRecord> = () => ({})): NodeRecord[] {
	return Array.from({ length: count }, (_, number) => node(number, fields(number)));
}

/** Returns a key that points at the node with a number. */
export function key(name: string, number: number, group = "shortcut"): Key {
	return { key: name, group, nodeId: idOf(number) };
}

/** Returns the document with a key. */
export function document(key: string, value = `value of ${key}`): Document {
	return { key, value };
}

/** The changes of a commit. */
export interface Draft {
	/** Nodes to create, or to put in place of the ones with their ids. Their revision is filled in. */
	readonly put?: readonly NodeRecord[];
	/** The numbers of nodes to delete. */
	readonly remove?: readonly number[];
	/** Keys to set. */
	readonly point?: readonly Key[];
	/** Keys to drop. */
	readonly drop?: readonly string[];
	/** Documents to write. */
	readonly keep?: readonly Document[];
	/** The keys of documents to drop. */
	readonly discard?: readonly string[];
	/** The new horizon, if there are no other changes. */
	readonly horizon?: number;
}

/** Returns a draft as a batch based on the present state. It is frozen, because no storage may change it. */
export function batchOf(
	{ put = [], remove = [], point = [], drop = [], keep, discard, horizon }: Draft,
	{ revision: base, nodes, keys }: NaiveRecords,
): Batch {
	return frozen({
		base,
		nodes: [
			...put.map((record) => ({ before: nodes.get(record.id) ?? null, after: { ...record, revision: base + 1 } })),
			...remove.map((number) => ({ before: nodes.get(idOf(number))!, after: null })),
		],
		keys: [
			...point.map((record) => ({
				before: keys.get(record.key) ?? null,
				after: { ...record, revision: base + 1 },
			})),
			...drop.map((name) => ({ before: keys.get(name)!, after: null })),
		],
		...((keep || discard) && { documents: { put: keep ?? [], dropped: discard ?? [] } }),
		...(horizon !== undefined && { horizon }),
	});
}

/** Returns the value, deeply frozen. */
export function frozen<T>(value: T): T {
	if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
	for (const each of Object.values(Object.freeze(value))) frozen(each);
	return value;
}
