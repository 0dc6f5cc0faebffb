import { expect, test } from "vitest";
import { idOf } from "../../conformance/records.js";
import { recordAt } from "../../support/batches.js";
import { asideAndElsewhere, dense, fours, places } from "../../support/dense.js";

test.each([
	["the top", null, 1, 4],
	["a node", idOf(0), 5, 8],
])(
	"undo moves a node that has the place of a returning node below %s to the next free place",
	async (_, parentId, number, free) => {
		const { mine, write } = await dense();
		const before = await places(mine);
		await mine.delete(idOf(number));
		await write(20, { parentId, priority: number });
		await mine.undo();
		expect(await places(mine)).toEqual({ ...before, [idOf(20)]: [parentId, free] });
	},
);

test("undo moves several nodes to different free places", async () => {
	const { mine, write } = await dense();
	const before = await places(mine);
	await mine.batch([
		{ type: "delete", ref: idOf(1) },
		{ type: "delete", ref: idOf(2) },
	]);
	await write(20, { priority: 1 });
	await write(21, { priority: 2 });
	await mine.undo();
	expect(await places(mine)).toEqual({ ...before, [idOf(20)]: [null, 4], [idOf(21)]: [null, 5] });
});

test.each([256, 257, 258, 300])("the next free place may be %i places away", async (count) => {
	const { mine, write } = await dense(Array.from({ length: count }, (_, number) => recordAt(number, 1)));
	await mine.delete(idOf(0));
	await write(1000, { priority: 0 });
	await mine.undo();
	expect((await places(mine))[idOf(1000)]).toEqual([null, count]);
});

test("undo restores the content of a node that it moves to a free place", async () => {
	const { mine, write } = await dense();
	await mine.batch([
		{ type: "delete", ref: idOf(1) },
		{ type: "update", ref: idOf(2), name: "other" },
	]);
	await write(2, { priority: 1 });
	await mine.undo();
	expect(await mine.get(idOf(2))).toMatchObject({ name: "2", priority: 2 });
});

test("undo restores a deleted tree in its place, beside later siblings", async () => {
	const { mine, write } = await dense();
	const before = await places(mine);
	await mine.delete(idOf(0));
	await write(20, { priority: 0 });
	await mine.undo();
	expect(await places(mine)).toEqual({ ...before, [idOf(20)]: [null, 4] });
});

test.each([
	["the top", null, 1],
	["a node", idOf(0), 5],
])(
	"undo moves nodes back that a create below %s has moved aside, and redo moves them aside again",
	async (_, parentId, sibling) => {
		const { mine } = await dense();
		const before = await places(mine);
		const { id } = await mine.create({ name: "x", position: { after: idOf(sibling) } });
		const after = await places(mine);
		expect(Object.keys(before).filter((each) => before[each]![1] !== after[each]![1]).length).toBeGreaterThan(1);
		expect(after[id]![0]).toBe(parentId);
		await mine.undo();
		expect(await places(mine)).toEqual(before);
		await mine.redo();
		expect(await places(mine)).toEqual(after);
	},
);

test("nodes moved aside keep their places if a later sibling is between them, but not below another parent", async () => {
	const { mine, another } = await dense();
	const before = await places(mine);
	await mine.batch([
		{ type: "create", as: "x", name: "x", position: { after: idOf(1) } },
		{ type: "create", as: "y", name: "y", position: { after: idOf(5) } },
	]);
	const theirs = await another.create({ name: "theirs", position: { after: idOf(2) } });
	const after = await places(mine);
	await mine.undo();
	expect(await places(mine)).toEqual({
		...before,
		...Object.fromEntries([0, 1, 2, 3].map((number) => [idOf(number), after[idOf(number)]])),
		[theirs.id]: after[theirs.id],
	});
});

test.each([
	["moved on", async ({ write }: Awaited<ReturnType<typeof dense>>) => write(2, { priority: 2 ** 22 })],
	[
		"moved to the same priority below another parent",
		async ({ write }: Awaited<ReturnType<typeof dense>>) => write(2, { parentId: idOf(1) }),
	],
	["deleted", async ({ another }: Awaited<ReturnType<typeof dense>>) => another.delete(idOf(3))],
])("nodes moved aside keep their places if one of them has been %s", async (_, change) => {
	const scene = await dense();
	const { mine } = scene;
	const { id } = await mine.create({ name: "x", position: { after: idOf(1) } });
	await change(scene);
	const { [id]: gone, ...others } = await places(mine);
	expect(gone).toBeDefined();
	await mine.undo();
	expect(await places(mine)).toEqual(others);
});

test("undo restores the place of a node that one batch moved aside and deleted, and redo deletes it again", async () => {
	const { mine } = await dense();
	const before = await places(mine);
	await mine.batch([
		{ type: "move", ref: idOf(3), position: { before: idOf(1) } },
		{ type: "delete", ref: idOf(1) },
	]);
	const after = await places(mine);
	await mine.undo();
	expect(await places(mine)).toEqual(before);
	await mine.redo();
	expect(await places(mine)).toEqual(after);
});

test("undo moves a node back that one batch moved aside, and then below another parent to the same priority", async () => {
	const { mine, another } = await dense(asideAndElsewhere.records);
	await mine.batch(asideAndElsewhere.operations);
	expect((await places(mine))[idOf(3)]).toEqual(asideAndElsewhere.place);
	await another.create({ name: "theirs", position: { after: idOf(2) } });
	await mine.undo();
	expect((await places(mine))[idOf(3)]![0]).toBe(null);
});

test("a node that one batch edited and then moved aside can be moved aside by others before a redo", async () => {
	const { mine, another } = await dense();
	await mine.batch([
		{ type: "complete", ref: idOf(2) },
		{ type: "create", name: "x", position: { after: idOf(1) } },
	]);
	await mine.undo();
	await another.create({ name: "theirs", position: { after: idOf(0) } });
	await mine.redo();
	const names = (await mine.list("None")).nodes.map(({ name }) => name);
	expect(names.filter((name) => name in fours)).toEqual(["0", "1", "2", "3"]);
	expect(names).toEqual(expect.arrayContaining(["x", "theirs"]));
	expect((await mine.get(idOf(2))).completedAt).not.toBe(null);
});
