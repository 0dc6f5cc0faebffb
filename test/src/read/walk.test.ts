import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import type { Outline } from "../../../src/outline.js";
import type { Occurrence, WalkOptions } from "../../../src/read/walk.js";
import type { StorageAdapter } from "../../../src/storage.js";
import { addingAll, recordAt } from "../../support/batches.js";
import { bound } from "../../support/notices.js";
import { chain, codeOf, newOutline, planted, walked } from "../../support/outline.js";
import { turnsUntil } from "../../support/turns.js";

/** Returns the names, each indented by its depth. */
function picture(occurrences: readonly Occurrence[]): string {
	return occurrences.map(({ node, path }) => "  ".repeat(path.length - 1) + node.name).join("\n");
}

const scene = `
trip #trip
  boat #boat
    sail
  tent
plans #plans
  (mirror trip) #mirror
  tasks`;

/** An outline with a node that has many children, and their ids: the node's first. */
async function longList(length = 80, note: string | null = null) {
	const outline = newOutline();
	const children = Array.from({ length }, (_, index) => ({ name: `${index}`, note }));
	const tree = await outline.createTree({ name: "long", children });
	return { outline, ids: [tree.id, ...tree.children.map(({ id }) => id)] };
}

describe("a walk", () => {
	test("returns the visible tree, each node before its children, mirrors with the children of their origins", async () => {
		const { outline, plans, mirror, boat } = await planted(scene);
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

	test("returns a mirror of an origin that is on its path, but doesn't enter it", async () => {
		const nodes = "trip #trip\n  boat\n    sail\n    (mirror trip)\n      own\n  tent";
		const { outline, trip } = await planted(nodes);
		expect(picture(await walked(outline, trip))).toBe("trip\n  boat\n    sail\n    trip\n      own\n  tent");
	});

	test("ends at its budget, with a cursor to continue from, however many occurrences there are", async () => {
		const outline = newOutline();
		// Each layer has two mirrors of the layer below it: 2 to the power of 20 paths to the bottom.
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

	test("continues at the same point after changes: without deleted nodes, with all later ones", async () => {
		const { outline, trip, boat } = await planted(scene);
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

	test("reads the children of many siblings at once, and long lists in parts", async () => {
		const storage = createMemoryStorage();
		let reads = 0;
		let largest = 0;
		const counting: StorageAdapter = {
			...bound(storage),
			async read(queries) {
				reads += 1;
				const snapshot = await storage.read(queries);
				for (const answer of snapshot.results) largest = Math.max(largest, Array.isArray(answer) ? answer.length : 0);
				return snapshot;
			},
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

	test("skips no node if long lists of a mirror's own children and its origin's have the same priorities", async () => {
		const { outline, origin, mirror } = await planted("origin #origin\nplace\n  (mirror origin) #mirror");
		const own = Array.from({ length: 101 }, (_, number) => `own ${number}`);
		for (const name of own) {
			const { id } = await outline.create({ name });
			await outline.move(id, { parent: mirror, position: "bottom" });
		}
		const shared = Array.from({ length: 100 }, (_, number) => `shared ${number}`);
		for (const name of shared) await outline.create({ parent: origin, name, position: "bottom" });
		await outline.create({ parent: origin, name: "first" });
		const { nodes } = await outline.list(mirror);
		expect(new Set(nodes.map(({ priority }) => priority)).size).toBe(102);
		const found = await walked(outline, mirror);
		expect(found.slice(1).map(({ node }) => node)).toEqual(nodes);
	});

	test("returns each node once although insertions between its siblings spread these out meanwhile", async () => {
		for (const side of ["before", "after"] as const) {
			for (let beside = 58; beside < 68; beside++) {
				const { outline, ids } = await longList();
				const seen: string[] = [];
				for await (const { node } of outline.walk(ids[0])) {
					seen.push(node.id);
					// The first part of the list ends here.
					if (seen.length !== 65) continue;
					for (let count = 0; count < 60; count++) {
						await outline.create({ name: "new", position: { [side]: ids[beside]! } as { before: string } });
					}
				}
				const old = new Set(ids);
				expect(seen.filter((id) => old.has(id))).toEqual(ids);
			}
		}
	});

	test("continues after the siblings before, if the last one of a part of a list moves meanwhile", async () => {
		const { outline, ids } = await longList();
		const seen: string[] = [];
		for await (const { node } of outline.walk(ids[0])) {
			seen.push(node.id);
			if (seen.length === 65) await outline.move(node.id, { position: "top" });
		}
		expect(seen).toEqual(ids);
	});

	test.each(["top", "bottom"] as const)(
		"returns each node once if the caller moves each one to the %s",
		async (position) => {
			const { outline, ids } = await longList(1300);
			const seen: string[] = [];
			for await (const { node } of outline.walk(ids[0], { budget: 3000 })) {
				seen.push(node.id);
				await outline.move(node.id, { position });
			}
			expect(seen).toEqual(ids);
		},
	);

	test("returns each node that stays where it is if insertions spread out all that it has returned last", async () => {
		const { outline, ids } = await longList(100);
		const [parent, ...children] = ids as [string, ...string[]];
		const insert = (sibling: string, count: number) =>
			outline.batch(
				Array.from({ length: count }, () => ({ type: "create", name: "new", position: { after: sibling } }) as const),
			);
		await insert(children[25]!, 300);
		const { nodes } = await outline.list(parent);
		const seen = new Set<string>();
		for await (const { node } of outline.walk(parent)) {
			seen.add(node.id);
			if (node.id === nodes[63]!.id) await insert(node.id, 3000);
		}
		expect(nodes.filter(({ id }) => !seen.has(id))).toEqual([]);
	});

	test("continues where it was if all siblings of a short part of a list are moved or deleted meanwhile", async () => {
		const { outline, ids } = await longList(80, "x".repeat(400_000));
		const seen: string[] = [];
		for await (const { node } of outline.walk(ids[0])) {
			seen.push(node.id);
			// The second part of the list has two nodes.
			if (seen.length !== 67) continue;
			await outline.delete(ids[65]!);
			await outline.move(node.id, { position: "bottom" });
		}
		expect(seen).toEqual(ids);
	});

	test("ends in a damaged outline too, in which more siblings than a page holds have one priority", async () => {
		const storage = createMemoryStorage();
		await storage.commit(addingAll(Array.from({ length: 300 }, (_, at) => recordAt(at + 1, 1, { priority: 0 }))));
		const ids = (await walked(newOutline({ storage }), null, {})).map(({ node }) => node.id);
		expect([ids.length, new Set(ids).size]).toEqual([300, 300]);
	});

	test("with stop, returns each node other than a mirror exactly once, also an origin below its own mirror", async () => {
		const { outline, origin, mirror, between } = await planted(
			"origin #origin\n  child\nhome\n  (mirror origin) #mirror\n    between #between",
		);
		await outline.move(origin, { parent: between });
		const stopped = await walked(outline, null, { mirrors: "stop" });
		expect(picture(stopped)).toBe("home\n  origin\n    between\n      origin\n        child");
		expect(stopped[1]!.node.id).toBe(mirror);
		expect(picture(await walked(outline, mirror, { mirrors: "stop" }))).toBe(
			"origin\n  between\n    origin\n      child",
		);
	});

	test("is empty for an inbox that doesn't exist yet, and throws not_found for such a day", async () => {
		const outline = newOutline();
		const walk = outline.walk("inbox", { cursor: "1" });
		for await (const _ of walk) throw new Error("There is no inbox.");
		expect(walk.cursor).toBeNull();
		expect(await walked(outline, "inbox")).toEqual([]);
		expect(await codeOf(walked(outline, "today"))).toBe("not_found");
		await outline.create({ parent: "inbox", name: "a" });
		expect(picture(await walked(outline, "inbox"))).toBe("Inbox\n  a");
		expect(await walked(outline.scope("today"), "inbox").catch(({ code }) => code)).toBe("not_found");
		await outline.create({ parent: "today", name: "b" });
		expect(await walked(outline.scope("today"), "inbox")).toEqual([]);
	});

	test("ends before a node with too many characters, but returns at least one node", async () => {
		const outline = newOutline();
		const { id } = await outline.createTree({
			name: "a".repeat(36),
			children: [{ name: "b".repeat(100) }, { name: "", note: "c".repeat(36) }, { name: "d".repeat(36) }],
		});
		for (const [characters, ...lengths] of [
			[1, 1, 1, 1, 1],
			[200, 1, 1, 2],
			[264, 2, 2],
			[363, 2, 2],
			[364, 3, 1],
			[464, 4],
			[Number.POSITIVE_INFINITY, 4],
		] as const) {
			const parts: Occurrence[][] = [];
			let cursor: string | undefined;
			do {
				const walk = outline.walk(id, { characters, cursor });
				parts.push([]);
				for await (const occurrence of walk) parts.at(-1)!.push(occurrence);
				cursor = walk.cursor ?? undefined;
			} while (cursor !== undefined);
			expect(parts.map(({ length }) => length)).toEqual(lengths);
			expect(parts.flat()).toEqual(await walked(outline, id));
		}
		// A mirror has the texts of its origin.
		const { id: place } = await outline.create({ name: "" });
		for (let count = 0; count < 3; count++) await outline.mirror(id, { parent: place });
		expect(await walked(outline, place, { depth: 1, characters: 264 })).toHaveLength(3);
	});

	test("continues at any node at which the caller left the loop", async () => {
		const { outline } = await planted(scene);
		for (const start of [null, (await outline.list()).nodes.at(-1)!.id]) {
			const whole = await walked(outline, start);
			for (let place = 0; place < whole.length; place++) {
				const walk = outline.walk(start);
				const before: Occurrence[] = [];
				for await (const occurrence of walk) {
					expect(walk.cursor).toBeNull();
					if (before.length === place) break;
					before.push(occurrence);
				}
				const behind = await walked(outline, start, { cursor: walk.cursor! });
				expect([...before, ...behind]).toEqual(whole);
			}
		}
	});

	test("has the whole path of each node at any depth, also after its end", async () => {
		const outline = newOutline();
		const { id } = await outline.createTree(chain(1500));
		const { id: mirror } = await outline.mirror(id, { parent: (await outline.create({ name: "of a mirror" })).id });
		for (const start of [id, mirror]) {
			const whole = await walked(outline, start);
			const ids = whole.map(({ node }) => node.id);
			expect(whole.map(({ ...copy }) => copy.path)).toEqual(ids.map((_, index) => ids.slice(0, index + 1)));
			expect(whole.at(-1)!.path).toBe(whole.at(-1)!.path);
		}
	});

	test("takes time in proportion to the depth of a line if its paths aren't read", async () => {
		const timeOf = async (levels: number) => {
			const outline = newOutline();
			const { id } = await outline.createTree(chain(levels));
			const begun = performance.now();
			for await (const { node } of outline.walk(id, { budget: levels })) expect(node.name).toBeDefined();
			return performance.now() - begun;
		};
		let growth = Number.POSITIVE_INFINITY;
		for (let attempt = 0; attempt < 5 && growth > 15; attempt++) {
			const short = await timeOf(4000);
			growth = Math.min(growth, (await timeOf(20_000)) / short);
		}
		expect(growth).toBeLessThan(15);
	});

	test("has a short cursor at any depth, also below many mirrors", async () => {
		const outline = newOutline();
		const { mirrors, start } = await staircase(outline, 250);
		const whole = await walked(outline, start);
		const { path: deepest } = whole[500]!;
		expect(deepest).toHaveLength(501);
		expect(deepest.filter((id) => mirrors.includes(id))).toHaveLength(250);
		expect(whole).toHaveLength(751);
		const parts: Occurrence[] = [];
		let cursor: string | undefined;
		do {
			const walk = outline.walk(start, { budget: 7, cursor });
			for await (const occurrence of walk) parts.push(occurrence);
			cursor = walk.cursor ?? undefined;
			expect((cursor ?? "").length).toBeLessThan(5000);
			expect(cursor ?? "").toMatch(/^[\w.-]*$/);
		} while (cursor !== undefined);
		expect(parts).toEqual(whole);
	});

	test("throws for a cursor below more mirrors than it can name, but walks there", async () => {
		const outline = newOutline();
		const { start } = await staircase(outline, 300);
		const walk = outline.walk(start, { budget: 601 });
		for await (const _ of walk);
		expect(() => walk.cursor).toThrow(expect.objectContaining({ code: "too_large" }));
		expect(await walked(outline, start)).toHaveLength(901);
	});

	test("continues after deleted nodes, and refuses a cursor if nodes far above have changed", async () => {
		const outline = newOutline();
		const ids: string[] = [];
		for (let level = 0; level < 60; level++) {
			ids.push((await outline.create({ name: `level ${level}`, parent: ids.at(-1) ?? null })).id);
		}
		const [top, above, anchor, exact, last] = [ids[0]!, ids[10]!, ids[25]!, ids[26]!, ids[49]!];
		for (const parent of [above, anchor, exact, last]) {
			await outline.create({ parent, name: "behind", position: "bottom" });
		}
		const walk = outline.walk(top, { budget: 50 });
		for await (const _ of walk);
		const on = () => walked(outline, top, { cursor: walk.cursor! });
		const names = async () => (await on()).filter(({ node }) => node.name === "behind").map(({ path }) => path.length);
		expect(await on()).toHaveLength(14);
		expect(await names()).toEqual([51, 28, 27, 12]);
		// The cursor has the position in each of the innermost levels.
		await outline.delete(last);
		expect(await names()).toEqual([28, 27, 12]);
		await outline.move(exact, { parent: null });
		expect(await names()).toEqual([27, 12]);
		// Further up, siblings make no difference, but the nodes themselves do.
		await outline.create({ parent: above, name: "before", position: "top" });
		await outline.create({ parent: above, name: "behind", position: "bottom" });
		expect(await names()).toEqual([27, 12, 12]);
		const { id: elsewhere } = await outline.create({ parent: ids[5]!, name: "elsewhere" });
		await outline.move(ids[9]!, { parent: elsewhere });
		await expect(on()).rejects.toMatchObject({ code: "invalid_argument", message: expect.stringContaining("again") });
		await outline.move(ids[9]!, { parent: ids[8]! });
		expect(await names()).toEqual([27, 12, 12]);
		await outline.delete(anchor);
		expect(await codeOf(on())).toBe("invalid_argument");
	});

	test("gives other work its turn during a long walk in memory", async () => {
		const outline = newOutline();
		await outline.createTree({ name: "all", children: Array.from({ length: 60_000 }, () => ({ name: "x" })) });
		let count = 0;
		const walking = async () => {
			for await (const _ of outline.walk(null, { budget: Number.POSITIVE_INFINITY })) count += 1;
		};
		expect(await turnsUntil(walking())).toBeGreaterThan(2);
		expect(count).toBe(60_001);
	});

	test("reads fewer nodes at once if their texts are long", async () => {
		const storage = createMemoryStorage();
		const outline = newOutline({ storage });
		const long = { name: "", note: "x".repeat(400_000) };
		const { id } = await outline.createTree({
			name: "all",
			children: Array.from({ length: 70 }, () => ({ ...long, children: [long] })),
		});
		const sizes: number[] = [];
		const measuring: StorageAdapter = {
			...bound(storage),
			async read(queries) {
				const snapshot = await storage.read(queries);
				sizes.push(snapshot.results.flat().length);
				return snapshot;
			},
		};
		expect(await walked(newOutline({ storage: measuring }), id)).toHaveLength(141);
		// The start, a page with texts of unknown length, and then about a million characters at a time.
		expect(sizes.slice(0, 2)).toEqual([1, 64]);
		expect(Math.max(...sizes.slice(2))).toBeLessThanOrEqual(3);
	});

	test("throws for invalid options at once, and for an unknown start during the iteration", async () => {
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
			{ cursor: "3" },
			{ cursor: "0_" },
			{ cursor: "1_a.b" },
			{ cursor: "2_a_b_c" },
			{ cursor: `1_${"0".repeat(36)}.1` },
			{ cursor: "1_00000000-0000-4000-8000-000000000000" },
			{ cursor: null },
			{ cursor: "1_00000000-0000-4000-8000-000000000000.zzzzzzzzzzzz" },
			{ cursor: "2_00000000-0000-4000-8000-000000000000_0_" },
			{ cursor: "2_00000000-0000-4000-8000-000000000000_0_abc_00000000-0000-4000-8000-000000000000.1" },
			{ cursor: `1${"_00000000-0000-4000-8000-000000000000.1".repeat(25)}` },
			{
				cursor: `2_00000000-0000-4000-8000-000000000000_0_${"0".repeat(12 * 257)}_00000000-0000-4000-8000-000000000000.1`,
			},
			{ characters: 0 },
			{ characters: "many" },
			{ bytes: 1 },
			{ cursor: 1 },
			null,
		];
		for (const options of refused) {
			expect(() => outline.walk(null, options as WalkOptions)).toThrowError(
				expect.objectContaining({ code: "invalid_argument" }),
			);
		}
		const beyond = { cursor: "1_00000000-0000-4000-8000-000000000000.zzzzzzzzzzz" };
		expect(await codeOf(walked(outline, null, beyond))).toBe("invalid_argument");
		expect(await codeOf(walked(outline, "nowhere"))).toBe("not_found");
		expect(() => outline.walk("")).toThrowError(expect.objectContaining({ code: "invalid_reference" }));
	});
});

/**
 * Makes a chain of nodes. Each has a mirror of the previous one two levels below it, followed by another
 * node.
 */
async function staircase(outline: Outline, steps: number): Promise<{ start: string; mirrors: string[] }> {
	const mirrors: string[] = [];
	let { id } = await outline.create({ name: "foot" });
	for (let number = 0; number < steps; number++) {
		const above = await outline.create({ name: `${number}` });
		const between = await outline.create({ parent: above.id, name: "between" });
		await outline.create({ parent: above.id, name: "behind", position: "bottom" });
		mirrors.push((await outline.mirror(id, { parent: between.id })).id);
		id = above.id;
	}
	return { start: id, mirrors };
}
