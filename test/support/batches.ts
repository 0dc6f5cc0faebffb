import type { Batch, NodeRecord } from "../../src/storage.js";
import { idOf } from "../conformance/records.js";

/** A record at the top level, but for what is given. */
export function recordAt(number: number, revision: number, change: Partial<NodeRecord> = {}): NodeRecord {
	return {
		id: idOf(number),
		parentId: null,
		priority: number,
		name: `${number}`,
		note: null,
		layoutMode: "bullets",
		createdAt: 0,
		modifiedAt: 0,
		completedAt: null,
		originId: null,
		revision,
		...change,
	};
}

/** A batch that adds one record. */
export function adding(number: number, base: number): Batch {
	return { base, nodes: [{ before: null, after: recordAt(number, base + 1) }], keys: [] };
}
