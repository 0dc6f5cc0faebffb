import { expect, test } from "vitest";
import { createMemoryStorage } from "../../../../adapters/memory.js";
import { pausePoint } from "../../../../src/engine/protocol.js";
import { Uncommitted } from "../../../../src/engine/uncommitted.js";
import { type Query, shortcutGroup } from "../../../../src/storage.js";
import type { ConflictNote, Delta } from "../../../../src/sync/delta.js";
import { GivenParents } from "../../../../src/sync/settle/given-parents.js";
import { settle } from "../../../../src/sync/settle/settle.js";
import { recordAt } from "../../../support/batches.js";
import { numberedId } from "../../../support/ids.js";
import { creation, settleOptions } from "../../../support/sync-device.js";

/** Settles a delta on an empty outline. Returns the number of its pauses for other work. */
async function pauses(delta: Partial<Delta>): Promise<number> {
	const storage = createMemoryStorage();
	const uncommitted = new Uncommitted();
	const operation = uncommitted.run(settle(uncommitted.changes, { at: 1, nodes: [], ...delta }, settleOptions()));
	let count = 0;
	let step = operation.next([]);
	while (!step.done) {
		if (step.value === pausePoint) count += 1;
		step = operation.next((await storage.read(step.value as readonly Query[])).results);
	}
	return count;
}

test("settling pauses while it creates very many nodes", async () => {
	const nodes = Array.from({ length: 3200 }, (_, at) => {
		return { ...creation({ name: "a", priority: at }, numberedId(at)), above: at === 0 ? null : numberedId(at - 1) };
	});
	expect(await pauses({ nodes })).toBeGreaterThanOrEqual(3200 / 16);
});

test("settling pauses while it sets very many shortcuts", async () => {
	const nodes = [creation({ name: "a" }, numberedId(0))];
	const keys = Array.from({ length: 5000 }, (_, at) => {
		return { key: `k${at}`, group: shortcutGroup, before: null, after: numberedId(0) };
	});
	expect(await pauses({ nodes, keys })).toBeGreaterThanOrEqual(5);
});

test("settling pauses while it looks for a parent among very many ancestors", async () => {
	const nodes = [creation({ name: "a", parentId: numberedId(1) }, numberedId(0))];
	const known = Object.fromEntries(
		Array.from({ length: 5000 }, (_, at) => [numberedId(at + 1), { parentId: numberedId(at + 2) }]),
	);
	expect(await pauses({ nodes, known })).toBeGreaterThanOrEqual(5);
});

test("settling pauses while it looks at very many open conflicts", () => {
	const conflict = (at: number): ConflictNote => {
		return { kind: "parent", nodeId: numberedId(at), shown: null, other: numberedId(0) };
	};
	const conflicts = Array.from({ length: 5000 }, (_, at) => conflict(at + 1));
	const given = new GivenParents(function* () {
		yield pausePoint;
		return conflicts;
	});
	const operation = given.includes(recordAt(5000, 1, { id: numberedId(5000) }), numberedId(0));
	let pauses = 0;
	let step = operation.next();
	for (; !step.done; step = operation.next([])) pauses += 1;
	expect(pauses).toBeGreaterThanOrEqual(5);
	expect(step.value).toBe(true);
});
