import type { Batch, NodeRecord } from "../../src/storage.js";
import { idOf } from "../conformance/records.js";

/** Returns a record with these fields, by default at the top level. */
export function recordAt(number: number, revision: number, change: Partial<NodeRecord> = {}): NodeRecord {
	return {
		id: idOf(number),
		parentId: null,
		priority: number,
		name: `${number}`,
		note: null,
		layoutMode: "bullets",
		properties: null,
		createdAt: 0,
		modifiedAt: 0,
		completedAt: null,
		originId: null,
		revision,
		...change,
	};
}

/** Returns a batch that adds one record. */
export function adding(number: number, base: number): Batch {
	return addingAll([recordAt(number, base + 1)], base);
}

/** Returns a batch that adds records. */
export function addingAll(records: readonly NodeRecord[], base = 0): Batch {
	return { base, nodes: records.map((after) => ({ before: null, after })), keys: [] };
}
