import fc from "fast-check";
import { expect, test } from "vitest";
import { type GraphNode, NodeGraph, shownBy, showsOrigin } from "../../src/search/node-graph.js";
import type { NodeRecord } from "../../src/storage.js";
import { idOf, recordOf } from "./records.js";

const numbers = fc.nat(7);
const step = fc.record({
	number: numbers,
	parent: fc.option(numbers),
	origin: fc.option(numbers, { freq: 2 }),
	present: fc.boolean(),
});

function visibleBelow(root: string, records: ReadonlyMap<string, NodeRecord>): Set<string> {
	const below = new Set([root]);
	for (const id of below) {
		const origin = records.get(id)?.originId ?? null;
		if (origin !== null && records.has(origin)) below.add(origin);
		for (const record of records.values()) if (record.parentId === id) below.add(record.id);
	}
	return below;
}

test("after any changes, each node stands where its record says, with its mirrors and what is visible below it", () => {
	fc.assert(
		fc.property(fc.array(step, { maxLength: 60, size: "max" }), (steps) => {
			const graph = new NodeGraph();
			const records = new Map<string, NodeRecord>();
			const nodes = new Map<string, GraphNode>();
			for (const { number, parent, origin, present } of steps) {
				const id = idOf(number);
				if (present) {
					const originId = origin === null ? null : idOf(origin);
					const record = recordOf(number, { parentId: parent === null ? null : idOf(parent), originId });
					records.set(id, record);
					const node = graph.put(record);
					node.slot = number;
					nodes.set(id, node);
				} else if (records.delete(id)) graph.remove(nodes.get(id)!);
			}
			for (let number = 0; number < 8; number++) {
				const id = idOf(number);
				const node = graph.find(id);
				expect(node?.id).toBe(records.has(id) ? id : undefined);
				if (node === undefined) continue;
				const { originId } = records.get(id)!;
				const shows = originId !== null && records.has(originId);
				expect(showsOrigin(node)).toBe(shows);
				expect(shownBy(node).id).toBe(shows ? originId : id);
				const mirrors = [...records.values()].filter((record) => record.originId === id).map((record) => record.id);
				expect(Array.from(graph.mirrorsOf(node), (mirror) => mirror.id).sort()).toEqual(mirrors.sort());
				const marks = new Int32Array(8);
				graph.markVisible(node, marks);
				const marked = [...marks.keys()].filter((slot) => marks[slot] === 1).map(idOf);
				expect(marked).toEqual([...visibleBelow(id, records)].sort());
			}
			const live = [...records.values()].filter(({ originId }) => originId !== null && records.has(originId));
			expect(Array.from(graph.mirrors(), (mirror) => mirror.id).sort()).toEqual(live.map(({ id }) => id).sort());
		}),
		{ numRuns: 500 },
	);
});
