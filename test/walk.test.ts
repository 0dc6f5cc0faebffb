import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../adapters/memory.js";
import type { OutlineNode } from "../src/node.js";
import type { Outline } from "../src/outline.js";
import type { StorageAdapter } from "../src/storage.js";
import type { Occurrence, WalkOptions } from "../src/walk.js";
import { codeOf, exported, newOutline, plant } from "./plant.js";
import { soak } from "./soak.js";

async function walked(outline: Outline, ref?: string | null, options?: WalkOptions): Promise<Occurrence[]> {
	const occurrences: Occurrence[] = [];
	for await (const occurrence of outline.walk(ref, options)) occurrences.push(occurrence);
	return occurrences;
}

/** The names, each indented by its depth. */
function picture(occurrences: readonly Occurrence[]): string {
	return occurrences.map(({ node, path }) => "  ".repeat(path.length - 1) + node.name).join("\n");
}

/** What a walk gives, worked out from an export without any cleverness. */
async function naiveWalk(outline: Outline, start: string | null, options: WalkOptions): Promise<Occurrence[]> {
	const { depth = Number.POSITIVE_INFINITY, completed = true, mirrors = "follow" } = options;
	const nodes = new Map((await exported(outline)).map((node) => [node.id, node]));
	const found: Occurrence[] = [];
	const origin = (node: OutlineNode) =>
		node.mirror !== undefined && "originId" in node.mirror ? node.mirror.originId : null;
	const below = (parent: OutlineNode | null, path: string[], origins: string[], level: number) => {
		if (level > depth) return;
		const originId = parent && origin(parent);
		const shown = originId ?? parent?.id ?? null;
		const again = shown !== null && origins.includes(shown);
		const parents = new Set<string | null>();
		if (parent === null || originId !== null || !again) parents.add(parent?.id ?? null);
		if (originId !== null && !again && mirrors === "follow") parents.add(originId);
		const children = [...nodes.values()]
			.filter(({ parentId }) => parents.has(parentId))
			.sort((left, right) => left.priority - right.priority || (left.id < right.id ? -1 : 1));
		for (const child of children) {
			if (!completed && child.completed) continue;
			const way = [...path, child.id];
			found.push({ node: { ...child, parentId: parent?.id ?? null }, path: way });
			below(child, way, shown === null ? origins : [...origins, shown], level + 1);
		}
	};
	const node = start === null ? null : nodes.get(start)!;
	if (node !== null) found.push({ node, path: [node.id] });
	below(node, node === null ? [] : [node.id], [], 1);
	return found;
}

const scene = `
trip #trip
  boat #boat
    sail
  tent
plans #plans
  (mirror trip) #mirror
  tasks`;
type Mark = "trip" | "boat" | "plans" | "mirror";

describe("a walk", () => {
	test("gives the visible tree, each node before those below it, mirrors with what they show", async () => {
		const outline = newOutline();
		const { plans, mirror, boat } = await plant<Mark>(outline, scene);
		expect(picture(await walked(outline))).toBe(
			"trip\n  boat\n    sail\n  tent\nplans\n  trip\n    boat\n      sail\n    tent\n  tasks",
		);
		const below = await walked(outline, plans);
		expect(picture(below)).toBe("plans\n  trip\n    boat\n      sail\n    tent\n  tasks");
		expect(below[2]).toEqual({
			node: { ...(await outline.get(boat)), parentId: mirror },
			path: [plans, mirror, boat],
		});
		expect(picture(await walked(outline, mirror.slice(-12)))).toBe("trip\n  boat\n    sail\n  tent");
		expect(picture(await walked(outline, plans, { mirrors: "stop" }))).toBe("plans\n  trip\n  tasks");
		expect(picture(await walked(outline, plans, { depth: 2 }))).toBe("plans\n  trip\n    boat\n    tent\n  tasks");
		expect(picture(await walked(outline, plans, { depth: 0 }))).toBe("plans");
		expect(picture(await walked(outline, null, { depth: 1 }))).toBe("trip\nplans");
		expect(await walked(outline, null, { depth: 0 })).toEqual([]);
		await outline.complete(boat);
		expect(picture(await walked(outline, plans, { completed: false }))).toBe("plans\n  trip\n    tent\n  tasks");
	});

	test("meets an origin that is on its path once more, and doesn't enter it again", async () => {
		const outline = newOutline();
		const { trip, boat } = await plant<Mark>(outline, scene);
		const inside = await outline.mirror(trip, { parent: boat, position: "bottom" });
		const own = await outline.create({ name: "own" });
		await outline.move(own.id, { parent: inside.id });
		expect(picture(await walked(outline, trip))).toBe("trip\n  boat\n    sail\n    trip\n      own\n  tent");
	});

	test("ends at its budget, with a cursor to go on from, however many occurrences there are", async () => {
		const outline = newOutline();
		// Each layer holds two mirrors of the one below it: 2 to the power of 20 ways to the bottom.
		let layer = await outline.create({ name: "layer 0" });
		for (let number = 1; number <= 20; number++) {
			const above = await outline.create({ name: `layer ${number}` });
			await outline.mirror(layer.id, { parent: above.id });
			await outline.mirror(layer.id, { parent: above.id });
			layer = above;
		}
		const whole = await walked(outline, layer.id, { budget: 2000 });
		const parts: Occurrence[] = [];
		let cursor: string | undefined;
		while (parts.length < 2000) {
			const walk = outline.walk(layer.id, { budget: 250, ...(cursor !== undefined && { cursor }) });
			for await (const occurrence of walk) parts.push(occurrence);
			cursor = walk.cursor!;
			expect(cursor).not.toBeNull();
		}
		expect(parts).toEqual(whole);
		const walk = outline.walk(layer.id);
		let count = 0;
		for await (const _ of walk) count += 1;
		expect(count).toBe(10_000);
		expect(walk.cursor).not.toBeNull();
	});

	test("has no cursor when nothing is left, and none is needed to know", async () => {
		const outline = newOutline();
		const { plans } = await plant<Mark>(outline, scene);
		for (const [budget, ends] of [
			[6, true],
			[5, false],
			[1, false],
			[7, true],
		] as const) {
			const walk = outline.walk(plans, { budget });
			const seen: string[] = [];
			for await (const { node } of walk) seen.push(node.name);
			expect(seen).toHaveLength(Math.min(budget, 6));
			expect(walk.cursor === null).toBe(ends);
		}
		const all = outline.walk(plans, { budget: 1, depth: 0 });
		for await (const _ of all);
		expect(all.cursor).toBeNull();
	});

	test("goes on where it was when the outline has changed: what has gone is left out, what is behind comes", async () => {
		const outline = newOutline();
		const { trip, boat } = await plant<Mark>(outline, scene);
		const walk = outline.walk(trip, { budget: 3 });
		for await (const _ of walk);
		const cursor = walk.cursor!;
		await outline.create({ parent: trip, name: "before", position: "top" });
		await outline.create({ parent: trip, name: "behind", position: "bottom" });
		await outline.create({ parent: boat, name: "rudder", position: "bottom" });
		expect(picture(await walked(outline, trip, { cursor }))).toBe("    rudder\n  tent\n  behind");
		await outline.move(boat, { parent: null });
		expect(picture(await walked(outline, trip, { cursor }))).toBe("  tent\n  behind");
		await outline.delete(boat);
		expect(picture(await walked(outline, trip, { cursor }))).toBe("  tent\n  behind");
	});

	test("reads the children of many siblings at once, and of long lists a part at a time", async () => {
		const storage = createMemoryStorage();
		let reads = 0;
		let largest = 0;
		const counting: StorageAdapter = {
			async read(queries) {
				reads += 1;
				const snapshot = await storage.read(queries);
				for (const answer of snapshot.results) largest = Math.max(largest, Array.isArray(answer) ? answer.length : 0);
				return snapshot;
			},
			commit: (batch) => storage.commit(batch),
			scan: () => storage.scan(),
			close: () => storage.close(),
		};
		const outline = newOutline({ storage });
		const wide = { name: "wide", children: Array.from({ length: 1000 }, (_, place) => ({ name: `${place}` })) };
		const { id } = await outline.createTree({ name: "all", children: [wide, { name: "x" }, { name: "y" }] });
		const found = await walked(newOutline({ storage: counting }), id);
		expect(found.map(({ node }) => node.name)).toEqual([
			"all",
			"wide",
			...wide.children.map(({ name }) => name),
			"x",
			"y",
		]);
		expect(largest).toBeLessThan(100);
		// 1000 leaves, 16 at once, and 16 pages of them, with a few for the rest.
		expect(reads).toBeLessThan(100);
	});

	test("leaves nothing out where long lists of a mirror's own and its origin's have the same priorities", async () => {
		const outline = newOutline();
		const { origin, place } = await plant<"origin" | "place">(outline, "origin #origin\nplace #place");
		const mirror = await outline.mirror(origin, { parent: place });
		const own = Array.from({ length: 101 }, (_, number) => `own ${number}`);
		for (const name of own) {
			const { id } = await outline.create({ name });
			await outline.move(id, { parent: mirror.id, position: "bottom" });
		}
		const shared = Array.from({ length: 100 }, (_, number) => `shared ${number}`);
		for (const name of shared) await outline.create({ parent: origin, name, position: "bottom" });
		await outline.create({ parent: origin, name: "first" });
		const { nodes } = await outline.list(mirror.id);
		expect(new Set(nodes.map(({ priority }) => priority)).size).toBe(102);
		const found = await walked(outline, mirror.id);
		expect(found.slice(1).map(({ node }) => node)).toEqual(nodes);
	});

	test("refuses options that aren't allowed, at once, and an unknown start when it is iterated", async () => {
		const outline = newOutline();
		const refused = [
			{ depth: -1 },
			{ depth: 1.5 },
			{ depth: "1" },
			{ budget: 0 },
			{ budget: Number.NaN },
			{ completed: 1 },
			{ mirrors: "enter" },
			{ cursor: "" },
			{ cursor: "{}" },
			{ cursor: '[["a"]]' },
			{ cursor: 1 },
			null,
		];
		for (const options of refused) {
			expect(() => outline.walk(null, options as WalkOptions)).toThrowError(
				expect.objectContaining({ code: "invalid_argument" }),
			);
		}
		expect(await codeOf(walked(outline, "nowhere"))).toBe("not_found");
		expect(() => outline.walk("")).toThrowError(expect.objectContaining({ code: "invalid_reference" }));
	});

	test("gives what a look at the export gives, whole and in parts, for random outlines and options", async () => {
		const step = fc.record({ kind: fc.nat(6), node: fc.nat(30), parent: fc.nat(30) });
		const options = fc.record({
			depth: fc.constantFrom(undefined, undefined, 1, 2, 3),
			completed: fc.constantFrom(undefined, true, false),
			mirrors: fc.constantFrom(undefined, "follow" as const, "stop" as const),
		});
		await fc.assert(
			fc.asyncProperty(
				fc.array(step, { maxLength: 40 }),
				options,
				fc.integer({ min: 1, max: 7 }),
				async (steps, settings, budget) => {
					const outline = newOutline();
					const ids: string[] = [];
					for (const { kind, node, parent } of steps) {
						const at = ids[parent % Math.max(1, ids.length)] ?? null;
						const id = ids[node % Math.max(1, ids.length)];
						if (kind <= 2 || id === undefined)
							ids.push((await outline.create({ name: `${ids.length}`, parent: at })).id);
						else if (kind <= 4)
							await outline.mirror(id, { parent: at! }).then(
								(made) => ids.push(made.id),
								() => {},
							);
						else if (kind === 5) await outline.move(id, { parent: at, position: "bottom" }).catch(() => {});
						else await outline.complete(id);
					}
					for (const start of [null, ...ids.slice(0, 4)]) {
						const limited = await naiveWalk(outline, start, settings);
						const bounded = limited.slice(0, 400);
						expect((await walked(outline, start, settings)).slice(0, 400)).toEqual(bounded);
						const parts: Occurrence[] = [];
						let cursor: string | null | undefined;
						do {
							const walk = outline.walk(start, { ...settings, budget, ...(cursor && { cursor }) });
							for await (const occurrence of walk) parts.push(occurrence);
							cursor = walk.cursor;
						} while (cursor !== null && parts.length < bounded.length);
						expect(parts.slice(0, 400)).toEqual(bounded);
						if (parts.length <= 400) expect(cursor === null).toBe(parts.length === limited.length);
					}
				},
			),
			{ numRuns: 60 * soak },
		);
	});
});
