import fc from "fast-check";
import { expect, test } from "vitest";
import { type GraphNode, SearchGraph, shownBy, showsOrigin } from "../../../../src/read/search/search-graph.js";
import type { NodeRecord } from "../../../../src/storage.js";
import { numberedId } from "../../../support/ids.js";
import { recordOf } from "./records.js";

const numbers = fc.nat(7);
const step = fc.record({
	number: numbers,
	parent: fc.option(numbers),
	origin: fc.option(numbers, { freq: 2 }),
	present: fc.boolean(),
	todo: fc.boolean(),
	completedAt: fc.option(fc.constant(1)),
	note: fc.option(fc.constant("note")),
});

test("after any changes, has each node with its parent, children and mirrors, and in the lists of its state", () => {
	fc.assert(
		fc.property(fc.array(step, { maxLength: 60, size: "max" }), (steps) => {
			const graph = new SearchGraph();
			const records = new Map<string, NodeRecord>();
			const nodes = new Map<string, GraphNode>();
			for (const { number, parent, origin, present, todo, completedAt, note } of steps) {
				const id = numberedId(number);
				if (present) {
					const originId = origin === null ? null : numberedId(origin);
					const parentId = parent === null ? null : numberedId(parent);
					const layoutMode = todo ? "todo" : "bullets";
					const record = recordOf(number, { parentId, originId, layoutMode, completedAt, note });
					records.set(id, record);
					nodes.set(id, graph.put(record));
				} else if (records.delete(id)) graph.remove(nodes.get(id)!);
			}
			for (let number = 0; number < 8; number++) {
				const id = numberedId(number);
				const node = graph.find(id);
				expect(node?.id).toBe(records.has(id) ? id : undefined);
				if (node === undefined) continue;
				const { originId } = records.get(id)!;
				const shows = originId !== null && records.has(originId);
				expect(showsOrigin(node)).toBe(shows);
				expect(shownBy(node).id).toBe(shows ? originId : id);
				const mirrors = [...records.values()].filter((record) => record.originId === id).map((record) => record.id);
				expect(Array.from(graph.mirrorsOf(node), (mirror) => mirror.id).sort()).toEqual(mirrors.sort());
				const children: string[] = [];
				for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child.id);
				const expected = [...records.values()].filter(({ parentId }) => parentId === id);
				expect(children.sort()).toEqual(expected.map((record) => record.id).sort());
				expect(node.parent?.id ?? null).toBe(records.get(id)!.parentId);
			}
			const idsOf = (nodes: Iterable<GraphNode>) => Array.from(nodes, (node) => node.id).sort();
			const which = (is: (record: NodeRecord) => boolean) =>
				[...records.values()]
					.filter(is)
					.map((record) => record.id)
					.sort();
			const mirrors = which(({ originId }) => originId !== null);
			expect(idsOf(graph.mirrors())).toEqual(mirrors);
			expect(graph.mirrorCount).toBe(mirrors.length);
			expect(idsOf(graph.listed.todo)).toEqual(which(({ layoutMode }) => layoutMode === "todo"));
			expect(idsOf(graph.listed.completed)).toEqual(which(({ completedAt }) => completedAt !== null));
			expect(idsOf(graph.listed.note)).toEqual(which(({ note }) => note !== null));
			for (const list of Object.values(graph.listed)) expect(list.length).toBe(idsOf(list).length);
			const origins = new Set(mirrors.map((id) => records.get(id)!.originId!));
			expect(idsOf(graph.mirrored())).toEqual(which(({ id }) => origins.has(id)));
		}),
		{ numRuns: 500 },
	);
});

test("a list drops the nodes that have left its state before they are the most, and has them when they come back", () => {
	const { listed } = new SearchGraph();
	let reads = 0;
	const nodes = Array.from({ length: 5000 }, () => {
		let states = 0;
		return {
			get states() {
				reads += 1;
				return states;
			},
			set states(changed) {
				states = changed;
			},
		} as GraphNode;
	});
	for (const isIn of [true, false, true]) {
		for (const node of nodes) listed.todo.set(node, isIn);
		reads = 0;
		expect([...listed.todo].length).toBe(isIn ? nodes.length : 0);
		expect(reads).toBeLessThanOrEqual(isIn ? nodes.length : 1000);
	}
});
