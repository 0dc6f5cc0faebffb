import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../../../../adapters/memory.js";
import { pausePoint } from "../../../../src/engine/protocol.js";
import { planRemoval } from "../../../../src/operations/delete/delete.js";
import type { Query, Subtree } from "../../../../src/storage.js";
import { bound } from "../../../support/notices.js";
import { codeOf, exported, newOutline, plant } from "../../../support/outline.js";
import { type OperationOn, prove, proveRefusal, proveUnchanged } from "../../../support/prove.js";

const scene = `
	origin #origin
	  child #child
	place #place
	  (mirror origin) #mirror
	    own #own
	other #other`;

describe("§4.5 delete", () => {
	test.each<[string, OperationOn<typeof scene>, string]>([
		["a node", ({ outline, other }) => outline.delete(other), "origin\n  child\nplace\n  (mirror origin)\n    own"],
		["a node with its subtree", ({ outline, place }) => outline.delete(place), "origin\n  child\nother"],
		[
			"a mirror with its own children",
			({ outline, mirror }) => outline.delete(mirror),
			"origin\n  child\nplace\nother",
		],
		[
			"a child of an origin",
			({ outline, child }) => outline.delete(child, { mirrors: "reject" }),
			"origin\nplace\n  (mirror origin)\n    own\nother",
		],
		[
			"an origin after its mirrors",
			({ outline, mirror, origin }) => outline.delete(mirror).then(() => outline.delete(origin)),
			"place\nother",
		],
	])("deletes %s", async (_, operation, expected) => {
		const { outline, origin } = await prove(scene, operation, expected);
		const { mirror } = await outline.get(origin).catch(() => ({ mirror: undefined }));
		expect(mirror !== undefined).toBe(expected.includes("mirror"));
	});

	test("leaves no key in the storage", async () => {
		const storage = createMemoryStorage();
		const dropped: string[] = [];
		storage.watch!(({ detail }) => {
			for (const { before, after } of detail!.batch.keys) if (after === null) dropped.push(before!.key);
		});
		const outline = newOutline({ storage });
		await outline.create({ parent: "2026-11-21", name: "x" });
		await outline.setShortcut("month", "2026-11");
		await outline.delete("2026");
		expect(dropped.sort()).toEqual(["2026", "2026-11", "2026-11-21", "month"]);
	});

	test("of the inbox lets the next create make it again", async () => {
		let old: string | null = null;
		const { result } = await prove("", ({ outline }) => outline.create({ parent: "inbox", name: "b" }), "Inbox\n  b", {
			given: async ({ outline }) => {
				old = (await outline.create({ parent: "inbox", name: "a" })).parentId;
				await outline.delete("inbox");
				expect(await outline.list("inbox")).toEqual({ nodes: [] });
			},
		});
		expect(result.parentId).toBe(old);
	});

	test("deletes a chain of 50,000 nodes", { timeout: 120_000 }, async () => {
		const outline = newOutline();
		const top = await outline.create({ name: "top" });
		let parent = top.id;
		for (let depth = 0; depth < 50_000; depth++) parent = (await outline.create({ parent, name: "x" })).id;
		expect(await codeOf(outline.move(top.id, { parent }))).toBe("would_create_cycle");
		await outline.delete(top.id);
		expect(await exported(outline)).toEqual([]);
	});

	test.each(["top", "origin"] as const)("§3 is refused for %s, whose mirrors the error lists", async (mark) => {
		const nodes = "top #top\n  origin #origin\n  (mirror origin) #inner\nplace\n  (mirror origin) #outer";
		let mirrors: string[] = [];
		const error = await proveRefusal(nodes, (scene) => scene.outline.delete(scene[mark]), "has_mirrors", {
			given: async ({ inner, outer }) => (mirrors = [inner, outer].sort()),
		});
		expect(error.mirrorIds).toEqual(mirrors);
		for (const id of mirrors) expect(error.message).toContain(id);
	});

	test("§3 is refused for a mirror if a child of its own has mirrors", async () => {
		await proveRefusal(scene, ({ outline, mirror }) => outline.delete(mirror), "has_mirrors", {
			given: ({ outline, own, place }) => outline.mirror(own, { parent: place }),
		});
	});

	test.each([
		[5, ""],
		[7, " and 2 more"],
	])("lists of %i mirrors the first five in the message, and the number of further ones", async (count, more) => {
		const mirrors = "\n  (mirror a)".repeat(count);
		const error = await proveRefusal(`a #a\nb${mirrors}`, ({ outline, a }) => outline.delete(a!), "has_mirrors");
		expect(error.mirrorIds).toHaveLength(count);
		const named = error.mirrorIds!.slice(0, 5).join(", ");
		expect(error.message).toContain(`Its mirrors: ${named}${more}.`);
	});

	test.each<[unknown]>([["keep"], [null], [1]])("refuses the policy %j", async (mirrors) => {
		const input = { mirrors } as never;
		await proveRefusal(scene, ({ outline, other }) => outline.delete(other, input), "invalid_argument");
		await proveRefusal(scene, ({ outline, other }) => outline.plan.delete(other, input), "invalid_argument");
	});
});

describe("the plan of a deletion", () => {
	test("lists the nodes, mirrors and keys that it deletes, and changes nothing", async () => {
		const { result, outline, trip, boat, sail, inner } = await proveUnchanged(
			"other #other\ntrip #trip\n  boat #boat\n    sail #sail\n  (mirror other) #inner",
			({ outline, trip }) => outline.plan.delete(trip.slice(-12)),
			{
				given: async ({ outline, sail, boat }) => {
					await outline.setShortcut("z", sail);
					await outline.setShortcut("b", boat);
				},
			},
		);
		const { nodeIds } = result;
		expect(nodeIds[0]).toBe(trip);
		expect(nodeIds.indexOf(boat)).toBeLessThan(nodeIds.indexOf(sail));
		expect({ ...result, nodeIds: [...nodeIds].sort() }).toEqual({
			nodeIds: [trip, boat, sail, inner].sort(),
			mirrorIds: [inner],
			keys: ["b", "z"],
			forbiddenBy: [],
			promoted: [],
			detached: [],
			copies: 0,
		});
		expect((await outline.plan.delete(trip, { mirrors: "detach" })).detached).toEqual([]);
	});

	test("lists everything in reading order, whatever the order of the storage's answer", async () => {
		const memory = createMemoryStorage();
		const outline = newOutline({
			storage: {
				...bound(memory),
				read: async (queries) => {
					const { revision, results } = await memory.read(queries);
					const turned = queries.map(({ type }, index) => {
						const answer: unknown = results[index];
						return type === "subtree" ? levelsTurned(answer as Subtree) : answer;
					});
					return { revision, results: turned as never };
				},
			},
		});
		const { top, a, b, c, m, n } = await plant(
			outline,
			"top #top\n  a #a\n    c #c\n  b #b\nplace\n  (mirror b) #n\n  (mirror a) #m",
		);
		const { nodeIds, forbiddenBy } = await outline.plan.delete(top);
		expect(nodeIds).toEqual([top, a, c, b]);
		expect(forbiddenBy).toEqual([m, n]);
		await expect(outline.delete(top)).rejects.toMatchObject({ mirrorIds: [m, n] });
	});

	test("lists the keys of the calendar, until the outline is closed", async () => {
		const outline = newOutline();
		await outline.create({ name: "x", parent: "today" });
		expect((await outline.plan.delete("calendar")).keys).toEqual(["2026", "2026-11", "2026-11-21", "calendar"]);
		await outline.close();
		expect(await codeOf(outline.plan.delete("today"))).toBe("closed");
	});
});

test("a plan of very many nodes pauses, while it finds them and while it lists them", async () => {
	const storage = createMemoryStorage();
	const outline = newOutline({ storage });
	const children = Array.from({ length: 9_999 }, (_, at) => ({ name: `${at}` }));
	const { id } = await outline.createTree({ name: "top", children });
	const operation = planRemoval({ form: "id", at: { id }, text: id }, "reject");
	let pauses = 0;
	let step = operation.next([]);
	while (!step.done) {
		if (step.value === pausePoint) pauses += 1;
		step = operation.next((await storage.read(step.value as readonly Query[])).results);
	}
	expect(step.value.nodeIds).toHaveLength(10_000);
	expect(pauses).toBeGreaterThanOrEqual(80);
});

/** The same subtree with the children of each level in the opposite order. */
function levelsTurned({ nodes, keys }: Subtree): Subtree {
	const depths = new Map<string | null, number>();
	for (const { record } of nodes) depths.set(record.id, (depths.get(record.parentId) ?? 0) + 1);
	const turned = nodes.toReversed();
	return { nodes: turned.sort((left, right) => depths.get(left.record.id)! - depths.get(right.record.id)!), keys };
}
