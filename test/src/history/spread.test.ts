import { expect, test } from "vitest";
import { idOf } from "../../conformance/records.js";
import { dense, places } from "../../support/dense.js";

test.each([
	["the top", null, 1],
	["a node", idOf(0), 5],
])("what was moved aside below %s goes back, and aside again", async (_, parentId, sibling) => {
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
});

test("what was moved aside stays where another has come between, but not below another parent", async () => {
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
	["deleted", async ({ another }: Awaited<ReturnType<typeof dense>>) => another.delete(idOf(3))],
])("what was moved aside stays when one of it has been %s", async (_, change) => {
	const scene = await dense();
	const { mine } = scene;
	const { id } = await mine.create({ name: "x", position: { after: idOf(1) } });
	await change(scene);
	const { [id]: gone, ...others } = await places(mine);
	expect(gone).toBeDefined();
	await mine.undo();
	expect(await places(mine)).toEqual(others);
});

test("what a batch has moved aside and deletes then returns to where it stood, and goes again", async () => {
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
