import type { KeyRecord, NodeRecord, StorageAdapter } from "../../../src/storage.js";

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
