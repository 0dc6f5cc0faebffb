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
