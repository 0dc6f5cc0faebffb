import type { KeyRecord, NodeRecord, Query, StorageAdapter } from "../../../src/storage.js";
import { node } from "../../conformance/records.js";
import { paged } from "../../conformance/wrapped.js";

/** Nodes by number, with their fields. */
export function some(fields: Record<number, Partial<NodeRecord>>): NodeRecord[] {
	return Object.entries(fields).map(([number, each]) => node(Number(number), { revision: 1, ...each }));
}

/** A storage around another whose answers to one kind of query are changed. */
export function answering<T extends Query["type"]>(
	storage: StorageAdapter,
	type: T,
	change: (answer: never, query: Extract<Query, { type: T }>) => unknown,
): StorageAdapter {
	return {
		...paged(storage),
		async read(queries) {
			const { revision, results } = await storage.read(queries);
			const changed = (results as readonly unknown[]).map((answer, place) => {
				const query = queries[place] as Query;
				return query.type === type ? change(answer as never, query as never) : answer;
			});
			return { revision, results: changed as never };
		},
	};
}

/** Every record of an outline, by id. */
export async function recordsOf(storage: StorageAdapter): Promise<Map<string, NodeRecord>> {
	const records = new Map<string, NodeRecord>();
	for await (const chunk of storage.scan()) for (const { record } of chunk) records.set(record.id, record);
	return records;
}

/** Writes records and keys without any check of the outline. */
export async function write(
	storage: StorageAdapter,
	{ nodes = [], keys = [] }: { nodes?: readonly NodeRecord[]; keys?: readonly KeyRecord[] },
): Promise<void> {
	const { revision } = await storage.read([]);
	const there = await recordsOf(storage);
	await storage.commit({
		base: revision,
		nodes: nodes.map((after) => ({ before: there.get(after.id) ?? null, after })),
		keys: keys.map((after) => ({ before: null, after })),
	});
}
