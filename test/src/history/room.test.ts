import { expect, test } from "vitest";
import { idOf } from "../../conformance/records.js";
import { recordAt } from "../../support/batches.js";
import { dense, places } from "../../support/dense.js";

test.each([
	["the top", null, 1, 4],
	["a node", idOf(0), 5, 8],
])(
	"who stands in the place of what returns below %s goes to the next that is free",
	async (_, parentId, number, free) => {
		const { mine, write } = await dense();
		const before = await places(mine);
		await mine.delete(idOf(number));
		await write(20, { parentId, priority: number });
		await mine.undo();
		expect(await places(mine)).toEqual({ ...before, [idOf(20)]: [parentId, free] });
	},
);

test("several go to different places, and none to one that returns", async () => {
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

test("who goes elsewhere is given back its content all the same", async () => {
	const { mine, write } = await dense();
	await mine.batch([
		{ type: "delete", ref: idOf(1) },
		{ type: "update", ref: idOf(2), name: "other" },
	]);
	await write(2, { priority: 1 });
	await mine.undo();
	expect(await mine.get(idOf(2))).toMatchObject({ name: "2", priority: 2 });
});

test("a whole tree returns to where it was, beside what has stayed", async () => {
	const { mine, write } = await dense();
	const before = await places(mine);
	await mine.delete(idOf(0));
	await write(20, { priority: 0 });
	await mine.undo();
	expect(await places(mine)).toEqual({ ...before, [idOf(20)]: [null, 4] });
});
