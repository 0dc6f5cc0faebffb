import { expect, test } from "vitest";
import { createMemoryStorage } from "../../../../adapters/memory.js";
import { pausePoint } from "../../../../src/engine/protocol.js";
import { Uncommitted } from "../../../../src/engine/uncommitted.js";
import { Outline } from "../../../../src/outline.js";
import type { Query } from "../../../../src/storage.js";
import type { DeltaFields, NodeDelta } from "../../../../src/sync/delta.js";
import { settle } from "../../../../src/sync/settle/settle.js";
import { numberedId } from "../../../support/ids.js";
import { creation, SyncDevice, settleOptions } from "../../../support/sync-device.js";

/** The nodes of an outline, and the changes of a delta. */
interface Scene {
	readonly given: readonly NodeDelta[];
	readonly nodes: readonly NodeDelta[];
}

const [copies, mirrors, origins] = [10_000_000, 20_000_000, 30_000_000];

function made(number: number, fields: Partial<DeltaFields> = {}): NodeDelta {
	return creation({ name: "a", priority: number, ...fields }, numberedId(number));
}

function many(count: number, each: (at: number) => NodeDelta): NodeDelta[] {
	return Array.from({ length: count }, (_, at) => each(at));
}

function deleted(nodes: readonly NodeDelta[]): NodeDelta[] {
	return nodes.map(({ id, after }) => ({ id, before: after, after: null }));
}

function inLine(first: number, count: number): NodeDelta[] {
	return many(count, (at) => made(first + at, { parentId: at === 0 ? null : numberedId(first + at - 1) }));
}

const scenes: Record<string, (count: number) => Scene> = {
	"copies below each other": (count) => ({
		given: [],
		nodes: inLine(copies, count).map((node) => ({ ...node, copyOf: numberedId(1) })),
	}),
	"deletions of every second node of a deep line": (count) => {
		const line = inLine(1, count);
		return { given: line, nodes: deleted(line.filter((_, at) => at % 2 === 0)) };
	},
	"mirrors that aren't detached because of each other": (count) => {
		const nodes = many(count, (at) => made(origins + at));
		const shown = many(count, (at) => made(mirrors + at, { originId: numberedId(origins + at) }));
		return {
			given: [...nodes.slice(0, -1), { ...nodes.at(-1)!, after: { ...nodes.at(-1)!.after, name: "edited" } }, ...shown],
			nodes: [
				...deleted(nodes),
				...shown.map(({ id, after }) => ({ id, before: { originId: after!.originId! }, after: { originId: null } })),
				...many(count - 1, (at) => ({
					...made(copies + at, { parentId: numberedId(mirrors + at + 1) }),
					copyOf: numberedId(origins + at),
				})),
			],
		};
	},
	"promotions out of a deep tree": (count) => {
		const line = inLine(1, count);
		const parentId = numberedId(count);
		const nodes = many(count, (at) => made(origins + at, { parentId }));
		const shown = many(count, (at) => made(mirrors + at, { originId: numberedId(origins + at) }));
		return {
			given: [...line, ...nodes, ...shown],
			nodes: [
				...deleted(line),
				...nodes.map(({ id }) => ({ id, before: { parentId }, after: { parentId: null } })),
				...deleted(shown),
			],
		};
	},
};

/** Settles the delta of a scene. Returns the milliseconds that it takes. */
async function timeOf({ given, nodes }: Scene): Promise<number> {
	const storage = createMemoryStorage();
	const device = new SyncDevice();
	for (let at = 0; at < given.length; at += 1000) device.add({ nodes: given.slice(at, at + 1000) });
	await device.sync(new Outline({ storage }));
	expect(device.refused).toEqual([]);
	const uncommitted = new Uncommitted();
	const begun = performance.now();
	const operation = uncommitted.run(settle(uncommitted.changes, { at: 1, nodes }, settleOptions()));
	for (let step = operation.next([]); !step.done; ) {
		step = operation.next(
			step.value === pausePoint ? [] : (await storage.read(step.value as readonly Query[])).results,
		);
	}
	return performance.now() - begun;
}

test.each(Object.entries(scenes))("a delta takes time in proportion to its nodes: %s", async (_, sceneOf) => {
	let growth = Number.POSITIVE_INFINITY;
	for (let attempt = 0; attempt < 5 && growth > 24; attempt++) {
		const short = await timeOf(sceneOf(500));
		growth = Math.min(growth, (await timeOf(sceneOf(4000))) / short);
	}
	expect(growth).toBeLessThan(24);
});
