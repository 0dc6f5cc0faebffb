import fc from "fast-check";
import type { Batch, KeyChange, Locator, NodeChange, NodeRecord, Query } from "../../src/storage.js";
import type { NaiveRecords } from "./naive-records.js";

/** One random change, to be made to fit the records that are there. */
export type Step =
	| { type: "put"; node: number; parent: number; priority: number; origin: number | null }
	| { type: "remove"; node: number }
	| { type: "key"; key: number; node: number | null };

const number = fc.nat(40);

/** Random commits, each of some changes. */
export const commits: fc.Arbitrary<Step[][]> = fc.array(
	fc.array(
		fc.oneof(
			{
				weight: 6,
				arbitrary: fc.record({
					type: fc.constant("put" as const),
					node: number,
					parent: number,
					priority: fc.integer({ min: -20, max: 20 }),
					origin: fc.option(number, { nil: null, freq: 3 }),
				}),
			},
			{ weight: 2, arbitrary: fc.record({ type: fc.constant("remove" as const), node: number }) },
			{
				weight: 1,
				arbitrary: fc.record({
					type: fc.constant("key" as const),
					key: fc.nat(6),
					node: fc.option(number, { nil: null }),
				}),
			},
		),
		{ minLength: 1, maxLength: 8 },
	),
	{ minLength: 1, maxLength: 40 },
);

/** The id of the node with a number. */
export function idOf(number: number): string {
	return `00000000-0000-4000-8000-${((number * 7919) % 4096).toString(16).padStart(12, "0")}`;
}

/** The steps as a batch on top of what is there: parents have smaller numbers, so that there is no cycle. */
export function batchOf(steps: readonly Step[], { revision, nodes, keys }: NaiveRecords): Batch {
	const changes = new Map<string, NodeChange>();
	const keyChanges = new Map<string, KeyChange>();
	for (const step of steps) {
		if (step.type === "key") {
			const key = `key ${step.key}`;
			const before = keys.find((each) => each.key === key) ?? null;
			const after = step.node === null ? null : { key, group: `group ${step.key % 2}`, nodeId: idOf(step.node) };
			if (before !== null || after !== null) keyChanges.set(key, { before, after });
			continue;
		}
		const id = idOf(step.node);
		const before = nodes.find((each) => each.id === id) ?? null;
		if (step.type === "remove") {
			if (before !== null) changes.set(id, { before, after: null });
			continue;
		}
		const after: NodeRecord = {
			id,
			parentId: step.parent < step.node ? idOf(step.parent) : null,
			priority: step.priority,
			name: `name ${revision}`,
			note: step.priority % 3 === 0 ? "note" : null,
			layoutMode: step.priority % 2 === 0 ? "bullets" : "todo",
			createdAt: step.node,
			modifiedAt: revision,
			completedAt: step.priority > 10 ? revision : null,
			originId: step.origin === null || step.origin === step.node ? null : idOf(step.origin),
			revision: revision + 1,
		};
		changes.set(id, { before, after });
	}
	return { base: revision, nodes: [...changes.values()], keys: [...keyChanges.values()] };
}

/** Queries of every kind about some nodes. */
export function queriesAbout(numbers: readonly number[], revision: number): Query[] {
	return numbers.flatMap((number): Query[] => {
		const id = idOf(number);
		const ways: Locator[] = [{ id }, { shortId: id.slice(-12) }, { key: `key ${number % 7}` }];
		const at = ways[number % 3]!;
		return [
			{ type: "node", at },
			{ type: "children", of: at, scope: "own" },
			{ type: "children", of: at, scope: "visible", limit: 2 },
			{ type: "children", of: at, scope: "visible", limit: 3, fromLast: true },
			{ type: "children", of: null, scope: "own", after: number - 25, before: number - 5 },
			{ type: "children", of: at, scope: "visible", after: number - 25, limit: 1 },
			{ type: "ancestors", of: at },
			{ type: "subtree", of: at },
			{ type: "related", ids: [id, idOf(number + 1)] },
			{ type: "keys", group: `group ${number % 2}` },
			{ type: "changes", since: Math.max(0, revision - number), limit: (number % 5) + 1 },
			{ type: "changes", since: 0, limit: 1000 },
		];
	});
}
