import { expect, test } from "vitest";
import { codeOf, exported, newOutline, plant } from "./plant.js";

const scene = `
a #a
b #b
  (mirror a) #m
c #c`;

test("what has changed since a revision is told with the mirrors that show it, and nothing else", async () => {
	const outline = newOutline();
	const { a, b, c, m } = await plant<"a" | "b" | "c" | "m">(outline, scene);
	const all = await outline.changes({ since: 0 });
	expect(all.nodes.map(({ id }) => id).sort()).toEqual([a, b, c, m].sort());
	expect(all).toMatchObject({ deleted: [], more: false });
	const nodes = (await outline.changes({ since: 0 })).nodes.sort((left, right) => (left.id < right.id ? -1 : 1));
	expect(nodes).toEqual((await exported(outline)).sort((left, right) => (left.id < right.id ? -1 : 1)));
	expect(await outline.changes({ since: all.revision })).toEqual({
		nodes: [],
		deleted: [],
		revision: all.revision,
		more: false,
	});
	await outline.update(a, { name: "x" });
	const edited = await outline.changes({ since: all.revision });
	expect(edited.nodes.map(({ id, name }) => [id, name]).sort()).toEqual(
		[
			[a, "x"],
			[m, "x"],
		].sort(),
	);
	await outline.removeMirror(m);
	await outline.delete(c);
	const { nodes: left, deleted, revision } = await outline.changes({ since: edited.revision });
	expect(left.map(({ id, mirror }) => [id, mirror])).toEqual([[a, undefined]]);
	expect([...deleted].sort()).toEqual([c, m].sort());
	expect(revision).toBe(edited.revision + 2);
});

test("changes are told so many at a time, in whole commits", async () => {
	const outline = newOutline();
	const revisions: number[] = [];
	for (const name of ["a", "b\n- c\n- d", "e"]) await outline.create({ name });
	const told: number[] = [];
	let since = 0;
	for (let more = true; more; ) {
		const changes = await outline.changes({ since, limit: 1 });
		({ revision: since, more } = changes);
		told.push(changes.nodes.length);
		revisions.push(since);
	}
	expect(told).toEqual([1, 3, 1]);
	expect(revisions).toEqual([1, 2, 3]);
	expect((await outline.changes({ since: 0, limit: 10_000 })).nodes).toHaveLength(5);
});

test.each([
	[{}],
	[{ since: -1 }],
	[{ since: 0.5 }],
	[{ since: "0" }],
	[{ since: 2 ** 53 }],
	[{ since: 0, limit: 0 }],
	[{ since: 0, limit: 10_001 }],
	[{ since: 0, limit: 1.5 }],
	[{ since: 0, limit: "1" }],
	[{ since: 2 }],
	[null],
])("%j is refused", async (input) => {
	const outline = newOutline();
	await outline.create({ name: "a" });
	expect(await codeOf(outline.changes(input as never))).toBe("invalid_argument");
});
