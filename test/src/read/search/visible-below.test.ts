import fc from "fast-check";
import { expect, test } from "vitest";
import { finished } from "../../../../src/pace.js";
import { type GraphNode, SearchGraph } from "../../../../src/read/search/search-graph.js";
import { SlotSets } from "../../../../src/read/search/slot-set.js";
import { VisibleBelow } from "../../../../src/read/search/visible-below.js";
import type { NodeRecord } from "../../../../src/storage.js";
import { numberedId } from "../../../support/ids.js";
import { recordOf } from "./records.js";

/** A graph whose nodes have their numbers as slots. */
function graphOf(records: Iterable<NodeRecord>) {
	const graph = new SearchGraph();
	const nodes: GraphNode[] = [];
	for (const record of records) {
		const node = graph.put(record);
		node.slot = record.priority;
		nodes[node.slot] = node;
	}
	const sets = new SlotSets();
	const below = (root: number) =>
		new VisibleBelow(graph, (slot) => nodes[slot]!, nodes[root]!, sets.take(nodes.length));
	const setOf = (numbers: readonly number[]) => {
		const set = sets.take(nodes.length);
		for (const number of numbers) set.add(number);
		return set;
	};
	return { nodes, below, setOf };
}

/** Returns the numbers of a root and of the nodes visible below it. */
function expectedBelow(root: number, records: ReadonlyMap<number, NodeRecord>): number[] {
	const found = new Set([numberedId(root)]);
	const ids = new Set(Array.from(records.values(), ({ id }) => id));
	for (const id of found) {
		for (const record of records.values()) {
			if (record.id === id && record.originId !== null && ids.has(record.originId)) found.add(record.originId);
			if (record.parentId === id) found.add(record.id);
		}
	}
	return [...records.keys()].filter((number) => found.has(numberedId(number))).sort();
}

const numbers = fc.nat(8);
const place = fc.record({
	number: numbers,
	parent: fc.option(numbers),
	origin: fc.option(fc.integer({ min: 0, max: 9 }), { freq: 2 }),
});

test("finds the same visible nodes by descending and by ascending, even with circles of mirrors and parents", () => {
	fc.assert(
		fc.property(fc.array(place, { maxLength: 12 }), fc.array(numbers), (places, asked) => {
			const records = new Map<number, NodeRecord>();
			for (const { number, parent, origin } of places) {
				const parentId = parent === null ? null : numberedId(parent);
				records.set(number, recordOf(number, { parentId, originId: origin === null ? null : numberedId(origin) }));
			}
			const { nodes, below, setOf } = graphOf(records.values());
			for (const root of records.keys()) {
				const expected = expectedBelow(root, records);
				const whole = below(root);
				expect(finished(whole.isWithin(Number.POSITIVE_INFINITY))).toBe(true);
				expect([...whole.marked.slots.values.slice(0, whole.marked.length)].sort()).toEqual(expected);
				const some = asked.filter((number) => records.has(number));
				const isVisible = finished(below(root).among(setOf(some).slots));
				expect(some.filter((number) => isVisible(nodes[number]!))).toEqual(
					some.filter((number) => expected.includes(number)),
				);
			}
		}),
		{ numRuns: 500 },
	);
});

test("takes at most twice as long as the shorter way", () => {
	const many = 50_000;
	const records = Array.from({ length: many }, (_, number) =>
		recordOf(number, {
			parentId: number === 0 ? null : numberedId(number === many - 1 ? many - 2 : number % 2 === 0 ? 0 : 1),
		}),
	);
	const { nodes, below, setOf } = graphOf(records);
	const few = setOf([many - 1, 5]);
	const all = setOf([...nodes.keys()]);
	const stepsOf = (steps: Iterable<undefined>) => [...steps].length;
	expect(stepsOf(below(0).among(few.slots))).toBeLessThan(3);
	expect(stepsOf(below(many - 2).among(all.slots))).toBeLessThan(3);
	expect(stepsOf(below(0).among(all.slots))).toBeGreaterThan(100);
	expect(finished(below(0).isWithin(1000))).toBe(false);
	expect(stepsOf(below(0).isWithin(1000))).toBeLessThan(10);
});
