import { createMemoryStorage } from "../../adapters/memory.js";
import type { Outline } from "../../src/outline.js";
import { gap } from "../../src/place/priority.js";
import type { NodeRecord } from "../../src/storage.js";
import { idOf } from "../conformance/records.js";
import { addingAll, recordAt } from "./batches.js";
import { exported, newOutline } from "./outline.js";

/** Four siblings at the top and four below the first, by number. */
export const fours = [
	...[0, 1, 2, 3].map((number) => recordAt(number, 1)),
	...[4, 5, 6, 7].map((number) => recordAt(number, 1, { parentId: idOf(0) })),
];

/** Siblings without a gap, so that a new one moves some aside. Two outlines write, and a function by hand. */
export async function dense(records: readonly NodeRecord[] = fours) {
	const storage = createMemoryStorage();
	await storage.commit(addingAll(records));
	return {
		mine: newOutline({ storage }),
		another: newOutline({ storage }),
		/** Writes a record, without the rules of an outline. */
		write: async (number: number, change: Partial<NodeRecord>) => {
			const { revision, results } = await storage.read([{ type: "node", at: { id: idOf(number) } }]);
			const [node] = results;
			const before = node?.record ?? null;
			const after = { ...(before ?? recordAt(number, 0)), ...change, revision: revision + 1 };
			await storage.commit({ base: revision, nodes: [{ before, after }], keys: [] });
		},
	};
}

/** Returns the parent and the priority of each node. */
export async function places(outline: Outline): Promise<Record<string, readonly [string | null, number]>> {
	const nodes = await exported(outline);
	return Object.fromEntries(nodes.map(({ id, parentId, priority }) => [id, [parentId, priority] as const]));
}

/**
 * A batch that moves the node 3 aside, from below the top level to the priority 4 * gap, and then below the node 0, where
 * the end has the same priority.
 */
export const asideAndElsewhere = {
	records: [...fours.slice(0, 4), recordAt(4, 1, { parentId: idOf(0), priority: 3 * gap })],
	operations: [
		{ type: "create", name: "x", position: { after: idOf(1) } },
		{ type: "move", ref: idOf(3), parent: idOf(0), position: "bottom" },
	],
	place: [idOf(0), 4 * gap],
} as const;
