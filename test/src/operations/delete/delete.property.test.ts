import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { OutlineNode } from "../../../../src/node.js";
import type { Outline } from "../../../../src/outline.js";
import { assertSound } from "../../../model/sound.js";
import { soak } from "../../../setup/soak.js";
import { codeOf, exported, newOutline } from "../../../support/outline.js";
import { memoryStorages } from "../../../support/storages.js";

/** A random outline: the parent of each node, mirrors, and moves, some of them into mirrors. */
const drawing = fc.record({
	nodes: fc.array(fc.nat(20), { minLength: 2, maxLength: 12, size: "max" }),
	mirrors: fc.array(fc.tuple(fc.nat(20), fc.nat(20)), { maxLength: 8, size: "max" }),
	moves: fc.array(fc.tuple(fc.nat(20), fc.nat(20)), { maxLength: 4, size: "max" }),
	shortcuts: fc.array(fc.nat(20), { maxLength: 3 }),
	deleted: fc.nat(20),
});

type Drawing = typeof drawing extends fc.Arbitrary<infer T> ? T : never;

/** Each node with its own name, so that a picture tells them apart. */
async function draw(outline: Outline, { nodes, mirrors, moves, shortcuts }: Drawing) {
	const ids: string[] = [];
	for (const [number, parent] of nodes.entries()) {
		const above = parent % (number + 1);
		const node = await outline.create({ parent: ids[above - 1] ?? null, name: `n${number}`, position: "bottom" });
		ids.push(node.id);
	}
	for (const [origin, parent] of mirrors) {
		const [from, to] = [ids[origin % ids.length]!, ids[parent % ids.length]!];
		await outline.mirror(from, { parent: to }).then(
			({ id }) => ids.push(id),
			() => {},
		);
	}
	for (const [node, parent] of moves) {
		await codeOf(outline.move(ids[node % ids.length]!, { parent: ids[parent % ids.length]! }));
	}
	for (const [number, node] of shortcuts.entries()) await outline.setShortcut(`s${number}`, ids[node % ids.length]!);
	return ids;
}

/** The nodes that are visible below a node, some levels deep, without some nodes. */
async function pictureOf(outline: Outline, id: string, without: ReadonlySet<string>, depth: number): Promise<unknown> {
	const { name, completed, note } = await outline.get(id);
	if (depth === 0) return name;
	const { nodes } = await outline.list(id);
	const below = nodes.filter((node) => !without.has(node.id));
	return [
		name,
		completed,
		note,
		await Promise.all(below.map((node) => pictureOf(outline, node.id, without, depth - 1))),
	];
}

/**
 * Whether children of a mirror and of its origin have the same priority. Then their ids decide which comes
 * first, and a copy has another id.
 */
function hasTies(nodes: readonly OutlineNode[]): boolean {
	const places = new Set(nodes.map(({ parentId, priority }) => `${parentId} ${priority}`));
	return nodes.some(({ id, mirror }) => {
		if (mirror?.originId === undefined) return false;
		return nodes.some(({ parentId, priority }) => parentId === id && places.has(`${mirror.originId} ${priority}`));
	});
}

/** Sorts nodes by id, because undo may change the order of an export. */
function byId(nodes: OutlineNode[]): OutlineNode[] {
	return nodes.sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** Whether a node is a mirror of one of these origins. */
function isMirrorOf(nodes: readonly OutlineNode[], id: string | null, others: ReadonlySet<string>): boolean {
	const mirror = nodes.find((node) => node.id === id)?.mirror;
	return mirror?.originId != null && others.has(mirror.originId);
}

describe.each(memoryStorages)("a deletion %s", (_, create) => {
	test.each(["detach", "promote"] as const)("with the policy %s keeps what its mirrors showed", async (mirrors) => {
		let tried = 0;
		let saved = 0;
		await fc.assert(
			fc.asyncProperty(drawing, async (drawn) => {
				tried += 1;
				const outline = newOutline({ storage: create() });
				const ids = await draw(outline, drawn);
				const target = ids[drawn.deleted % ids.length]!;
				const before = await exported(outline);
				fc.pre(!hasTies(before));
				const reject = await outline.plan.delete(target);
				const plan = await outline.plan.delete(target, { mirrors });
				const subtree = new Set(reject.nodeIds);
				// If a copy has several mirrors of one origin, the first has the content, with its own children.
				fc.pre(!before.some(({ id, parentId }) => subtree.has(id) && isMirrorOf(before, parentId, subtree)));
				const outside = before.filter(({ id }) => !subtree.has(id));
				const isGoing = new Set(plan.nodeIds);
				const replaced = new Map(plan.promoted.map(({ id, mirrorId }) => [mirrorId, id]));
				const shown = outside.filter(({ id }) => isMirrorOf(before, id, subtree));
				// The own children of such a mirror become part of its content, and show under each mirror of it.
				const own = new Set(
					before.flatMap(({ id, parentId }) => (shown.some((each) => each.id === parentId) ? [id] : [])),
				);
				const without = new Set([target, ...own]);
				const pictures = await Promise.all(shown.map(({ id }) => pictureOf(outline, id, without, 4)));
				// An origin and its mirror change places.
				for (const { id, mirrorId } of plan.promoted) {
					const was = own.has(id);
					if (own.has(mirrorId)) own.add(id);
					else own.delete(id);
					if (was) own.add(mirrorId);
					else own.delete(mirrorId);
				}
				if (shown.length > 0) saved += 1;
				const revision = (await outline.changes({ since: 0 })).revision;
				await outline.delete(target, { mirrors });
				expect((await outline.changes({ since: 0 })).revision).toBe(revision + 1);
				const after = await exported(outline);
				assertSound(after);
				const left = new Map(after.map((node) => [node.id, node]));
				for (const { id } of before) expect(left.has(id)).toBe(!isGoing.has(id));
				for (const [index, { id }] of shown.entries()) {
					expect(await pictureOf(outline, replaced.get(id) ?? id, own, 4)).toEqual(pictures[index]);
				}
				// All other nodes are as before.
				const concerned = new Set([...plan.detached, ...plan.promoted.flatMap((each) => [each.id, each.mirrorId])]);
				for (const node of outside) {
					if (concerned.has(node.id) || isGoing.has(node.id) || replaced.has(node.parentId!)) continue;
					const { mirror: _was, ...was } = node;
					const { mirror: _is, ...is } = left.get(node.id)!;
					expect(is).toEqual(was);
				}
				await outline.undo();
				expect(byId(await exported(outline))).toEqual(byId(before));
			}),
			{ numRuns: 250 * soak },
		);
		expect(saved).toBeGreaterThan(tried / 20);
	});
});

/** A deletion of most nodes, with mirrors below mirrors: one origin leaves a place, and another takes it. */
const tangle = fc.record({
	inside: fc.array(fc.nat(5), { minLength: 3, maxLength: 6, size: "max" }),
	outside: fc.array(fc.nat(2), { minLength: 1, maxLength: 3, size: "max" }),
	mirrors: fc.array(fc.record({ of: fc.nat(5), below: fc.nat(11) }), { minLength: 3, maxLength: 7, size: "max" }),
	moves: fc.array(fc.record({ mirror: fc.nat(6), below: fc.nat(15) }), { minLength: 2, maxLength: 6, size: "max" }),
});

test("origins that change places with mirrors below mirrors stay in the tree, and undo restores them", async () => {
	let several = 0;
	let tried = 0;
	await fc.assert(
		fc.asyncProperty(tangle, async ({ inside, outside, mirrors, moves }) => {
			const outline = newOutline();
			const ids: string[] = [];
			const mirrorIds: string[] = [];
			for (const [kind, parents] of [inside, outside].entries()) {
				const first = ids.length;
				for (const [number, parent] of parents.entries()) {
					const above = number === 0 ? null : ids[first + (parent % number)]!;
					ids.push((await outline.create({ parent: above, name: `${kind} ${number}`, position: "bottom" })).id);
				}
			}
			for (const { of, below } of mirrors) {
				const made = outline.mirror(ids[of % inside.length]!, { parent: ids[below % ids.length]! });
				await made.then(
					({ id }) => mirrorIds.push(id),
					() => {},
				);
			}
			const all = [...ids, ...mirrorIds];
			for (const { mirror, below } of moves) {
				const moved = mirrorIds[mirror % mirrorIds.length];
				if (moved !== undefined) await codeOf(outline.move(moved, { parent: all[below % all.length]! }));
			}
			const before = await exported(outline);
			const { promoted } = await outline.plan.delete(ids[0]!, { mirrors: "promote" });
			tried += 1;
			if (promoted.length > 1) several += 1;
			await outline.delete(ids[0]!, { mirrors: "promote" });
			assertSound(await exported(outline));
			await outline.undo();
			expect(byId(await exported(outline))).toEqual(byId(before));
		}),
		{ numRuns: 400 * soak },
	);
	expect(several).toBeGreaterThan(tried / 10);
});
