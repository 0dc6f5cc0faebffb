import type { Batch, NodeRecord } from "../../src/storage.js";

/** A record at the top level. */
export function recordAt(number: number, revision: number): NodeRecord {
	return {
		id: `00000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`,
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
	};
}

/** A batch that adds one record. */
export function adding(number: number, base: number): Batch {
	return { base, nodes: [{ before: null, after: recordAt(number, base + 1) }], keys: [] };
}
