import fc from "fast-check";
import { expect, test } from "vitest";
import type { OutlineNode } from "../../../src/node.js";
import type { Outline } from "../../../src/outline.js";
import type { Occurrence, WalkOptions } from "../../../src/read/walk.js";
import { soak } from "../../setup/soak.js";
import { exported, newOutline, walked } from "../../support/outline.js";

/** Returns the first nodes of a walk, computed from an export in the simplest way. */
async function naiveWalk(
	outline: Outline,
	start: string | null,
	options: WalkOptions,
	most: number,
): Promise<Occurrence[]> {
	const { depth = Number.POSITIVE_INFINITY, completed = true, mirrors = "follow" } = options;
	const nodes = new Map((await exported(outline)).map((node) => [node.id, node]));
	const found: Occurrence[] = [];
	const origin = (node: OutlineNode) => node.mirror?.originId ?? null;
	const below = (parent: OutlineNode | null, path: string[], origins: string[], level: number) => {
		if (level > depth) return;
		const originId = parent && origin(parent);
		const shown = originId ?? parent?.id ?? null;
		const again = shown !== null && origins.includes(shown);
		const parents = new Set<string | null>();
		if (parent === null || originId !== null || !again || mirrors === "stop") parents.add(parent?.id ?? null);
		if (originId !== null && !again && mirrors === "follow") parents.add(originId);
		const children = [...nodes.values()]
			.filter(({ parentId }) => parents.has(parentId))
			.sort((left, right) => left.priority - right.priority || (left.id < right.id ? -1 : 1));
		for (const child of children) {
			if (!completed && child.completed) continue;
			if (found.length > most) return;
			const way = [...path, child.id];
			found.push({ node: { ...child, parentId: parent?.id ?? null }, path: way });
			below(child, way, shown === null ? origins : [...origins, shown], level + 1);
		}
	};
	const node = start === null ? null : nodes.get(start)!;
	if (node !== null) found.push({ node, path: [node.id] });
	below(node, node === null ? [] : [node.id], [], 1);
	return found.slice(0, most);
}

/** A command for a random outline: its kind, its node, and its parent. */
interface Step {
	readonly kind: number;
	readonly node: number;
	readonly parent: number;
}

/**
 * Makes an outline with mirrors, some of them above their own origins, below a chain of nodes. Returns the
 * ids of its nodes.
 */
async function grown(outline: Outline, levels: number, steps: readonly Step[]): Promise<string[]> {
	const ids: string[] = [];
	for (let level = 0; level < levels; level++) {
		ids.push((await outline.create({ name: `level ${level}`, parent: ids.at(-1) ?? null })).id);
	}
	for (const { kind, node, parent } of steps) {
		const at = ids[parent % Math.max(1, ids.length)] ?? null;
		// Half of the mirrors show a node a little further down, so that paths lead through many of them.
		const id = ids[(kind === 4 ? parent + 1 + (node % 4) : node) % Math.max(1, ids.length)];
		if (kind <= 2 || id === undefined) ids.push((await outline.create({ name: `${ids.length}`, parent: at })).id);
		else if (kind <= 4)
			await outline.mirror(id, { parent: at! }).then(
				(made) => ids.push(made.id),
				() => {},
			);
		else if (kind <= 6) await outline.move(id, { parent: at, position: "bottom" }).catch(() => {});
		else await outline.complete(id);
	}
	return ids;
}

const step = fc.record({ kind: fc.nat(7), node: fc.nat(60), parent: fc.nat(60) });

test("a walk with stop returns each node of a random outline exactly once", async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
			const outline = newOutline();
			await grown(outline, 0, steps);
			const all = (await exported(outline)).map(({ id }) => id);
			const given = (await walked(outline, null, { mirrors: "stop", budget: 1000 })).map(({ node }) => node.id);
			expect(given.toSorted()).toEqual(all.toSorted());
		}),
		{ numRuns: 100 * soak },
	);
});

test.each([
	["outlines", 0],
	["deep outlines", 45],
])("gives what a look at the export gives, whole and in parts, for random %s and options", async (_, levels) => {
	const options = fc.record({
		depth: fc.constantFrom(undefined, undefined, 1, 2, 3, 40),
		completed: fc.constantFrom(undefined, true, false),
		mirrors: fc.constantFrom(undefined, "follow" as const, "stop" as const),
	});
	await fc.assert(
		fc.asyncProperty(
			fc.array(step, { minLength: levels / 3, maxLength: 40 }),
			options,
			fc.integer({ min: 1, max: 7 }),
			fc.boolean(),
			async (steps, settings, budget, leaving) => {
				const outline = newOutline();
				const ids = await grown(outline, levels, steps);
				for (const start of [null, ...ids.slice(0, 2), ...ids.slice(-2)]) {
					const bounded = await naiveWalk(outline, start, settings, 400);
					expect((await walked(outline, start, settings)).slice(0, 400)).toEqual(bounded);
					const parts: Occurrence[] = [];
					let cursor: string | null | undefined;
					do {
						const given = { ...settings, ...(!leaving && { budget }), ...(cursor && { cursor }) };
						const walk = outline.walk(start, given);
						let left = budget;
						for await (const occurrence of walk) {
							if (left-- === 0) break;
							parts.push(occurrence);
						}
						cursor = walk.cursor;
					} while (cursor !== null && parts.length < bounded.length);
					expect(parts.slice(0, 400)).toEqual(bounded);
					if (bounded.length < 400) expect(cursor).toBeNull();
				}
			},
		),
		{ numRuns: 60 * soak },
	);
});
