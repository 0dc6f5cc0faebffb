import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../../../../adapters/memory.js";
import { Uncommitted } from "../../../../src/engine/uncommitted.js";
import type { Query, StorageAdapter } from "../../../../src/storage.js";
import type { Delta, NodeDelta } from "../../../../src/sync/delta.js";
import { settle } from "../../../../src/sync/settle/settle.js";
import { addingAll, recordAt } from "../../../support/batches.js";
import { numberedId } from "../../../support/ids.js";
import { creation, settleOptions } from "../../../support/sync-device.js";

/** Settles new nodes at the top level. Returns their names in their new order. */
async function settled(nodes: NodeDelta[], storage: StorageAdapter = createMemoryStorage()): Promise<string[]> {
	const uncommitted = new Uncommitted();
	const delta: Delta = { at: 1, nodes };
	const operation = uncommitted.run(settle(uncommitted.changes, delta, settleOptions()));
	let step = operation.next([]);
	while (!step.done) step = operation.next((await storage.read(step.value as readonly Query[])).results);
	const records = uncommitted.changes.nodes.map(({ after }) => after!);
	return records.sort((left, right) => left.priority - right.priority).map(({ name }) => name);
}

/** The deltas of a number of new siblings, named by their places. */
function row(count: number): NodeDelta[] {
	return Array.from({ length: count }, (_, at) => ({
		...creation({ name: `${at}`, priority: at * 1024 }, numberedId(at)),
		above: at === 0 ? null : numberedId(at - 1),
		below: at === count - 1 ? null : numberedId(at + 1),
	}));
}

const names = (count: number) => Array.from({ length: count }, (_, at) => `${at}`);

describe("the order among siblings", () => {
	test.each([
		["first to last", [0, 1, 2, 3, 4]],
		["last to first", [4, 3, 2, 1, 0]],
		["the last, the first, then between", [4, 0, 3, 1, 2]],
		["the middle first", [2, 0, 4, 1, 3]],
	])("new siblings keep their order, settled %s", async (_, order) => {
		const nodes = row(5);
		expect(await settled(order.map((at) => nodes[at]!))).toEqual(names(5));
		// Without free priorities, only the neighbours give the order.
		for (const { after } of nodes) Object.assign(after!, { priority: 0 });
		expect(await settled(order.map((at) => nodes[at]!))).toEqual(names(5));
	});

	test("new siblings keep their order below a stored one, whichever comes first", async () => {
		const nodes = row(5);
		const storage = createMemoryStorage();
		await storage.commit(addingAll([recordAt(0, 1, { id: numberedId(0), priority: 0 })]));
		expect(
			await settled(
				[4, 1, 3, 2].map((at) => nodes[at]!),
				storage,
			),
		).toEqual(names(5).slice(1));
	});

	test.each(["first to last", "last to first", "from both ends"])(
		"reads each neighbour a few times, %s",
		async (order) => {
			const count = 200;
			let reads = 0;
			const nodes = row(count).map((node): NodeDelta => {
				const { above = null, below = null, ...rest } = node;
				return {
					...rest,
					get above() {
						reads += 1;
						return above;
					},
					get below() {
						reads += 1;
						return below;
					},
				};
			});
			const mixed = nodes.map((_, at) => (at % 2 === 0 ? at / 2 : count - (at + 1) / 2));
			const line =
				order === "first to last"
					? nodes
					: order === "last to first"
						? nodes.toReversed()
						: mixed.map((at) => nodes[at]!);
			expect(await settled(line)).toEqual(names(count));
			expect(reads).toBeLessThan(count * 20);
		},
	);

	test("neighbours that name each other in a circle end nowhere", async () => {
		const nodes = row(4).map((node, at) => ({
			...node,
			above: numberedId((at + 3) % 4),
			below: numberedId((at + 1) % 4),
		}));
		expect(await settled(nodes)).toHaveLength(4);
	});
});
