import { expect, test } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import { idOf } from "../../conformance/records.js";
import { dense, places } from "../../support/dense.js";
import { codeOf, exported, newOutline, planted, twoOutlines } from "../../support/outline.js";
import { fileOf } from "../exchange/files.js";

/** An outline with a deleted node, and a file with the nodes to put in its place. */
async function begun(keep = false) {
	const storage = createMemoryStorage();
	const { outline, inPlace } = await planted("blank #inPlace", { storage, history: { keep } });
	const { id: parent } = await outline.create({ name: "a" });
	const { id } = await outline.create({ name: "b", parent });
	await outline.mirror(inPlace, { parent: id });
	const file = await fileOf(outline, "json", { root: parent });
	const before = await exported(outline);
	await outline.delete(inPlace, { mirrors: "detach" });
	return { storage, outline, file, before, parent };
}

for (const keep of [false, true]) {
	const where = keep ? "in a stored history" : "in memory";
	test(`one undo takes back an import and the deletion that it joins, ${where}`, async () => {
		const { storage, outline, file, before } = await begun(keep);
		await outline.import(file, { format: "json", position: "top", joinUndoStep: true });
		const after = await exported(outline);
		expect(outline.history.undo).toBe(5);
		const other = keep ? newOutline({ storage, history: { keep } }) : outline;
		expect((await other.undo())?.operation).toBe("import");
		expect(await exported(other)).toEqual(before);
		await other.redo();
		expect(await exported(other)).toEqual(after);
		await other.undo();
		expect(await exported(other)).toEqual(before);
		expect((await other.verify()).problems).toEqual([]);
	});
}

test("a deleted node that the import brings back changes with one undo", async () => {
	const { outline, file, parent, before } = await begun();
	await outline.undo();
	expect(await exported(outline)).toEqual(before);
	await outline.update(parent, { name: "changed" });
	const changed = await exported(outline);
	await outline.delete(parent, { mirrors: "detach" });
	await outline.import(file, { format: "json", joinUndoStep: true });
	expect((await outline.get(parent)).name).toBe("a");
	await outline.undo();
	expect(await exported(outline)).toEqual(changed);
});

test("one undo takes back the shortcuts of both, and keeps a day that the earlier change created", async () => {
	const { outline, gone } = await planted("gone #gone");
	await outline.setShortcut("a", gone);
	await outline.batch([
		{ type: "delete", ref: gone },
		{ type: "create", parent: "today", name: "x" },
	]);
	await outline.import("- b", { format: "markdown", joinUndoStep: true });
	await outline.undo();
	expect((await outline.get("a")).id).toBe(gone);
	expect((await outline.list("today")).nodes).toEqual([]);
	await outline.redo();
	expect((await outline.targets()).map(({ key }) => key)).not.toContain("a");
});

test("nodes that the import has moved aside keep their places if a later sibling is between them", async () => {
	const { mine, another } = await dense();
	await mine.delete(idOf(4));
	const between = { parent: null, position: { after: idOf(1) }, format: "text", joinUndoStep: true } as const;
	await mine.import("x", between);
	const theirs = await another.create({ name: "theirs", position: { after: idOf(2) } });
	const { [idOf(4)]: _, ...after } = await places(mine);
	await mine.undo();
	const undone = await places(mine);
	for (const number of [0, 1, 2, 3]) expect(undone[idOf(number)]).toEqual(after[idOf(number)]);
	expect(undone[theirs.id]).toEqual(after[theirs.id]);
	expect(undone[idOf(4)]).toEqual([idOf(0), 4]);
});

test("a node that the earlier change edited goes back, also if the import has moved it aside", async () => {
	const { mine, another } = await dense();
	const before = await places(mine);
	const { name } = await mine.get(idOf(3));
	await mine.update(idOf(3), { name: "changed" });
	await mine.import("x", { parent: null, position: { after: idOf(1) }, format: "text", joinUndoStep: true });
	await another.create({ name: "theirs", position: { after: idOf(2) } });
	await mine.undo();
	expect((await mine.get(idOf(3))).name).toBe(name);
	expect((await places(mine))[idOf(3)]).toEqual(before[idOf(3)]);
});

test("one undo takes back an import, but not a day that ensure has created before it if it has children", async () => {
	const [outline, another] = twoOutlines();
	const { id } = await outline.ensure("today");
	await outline.import("- b", { format: "markdown", position: "bottom", joinUndoStep: true });
	await another.create({ parent: id, name: "theirs" });
	await outline.undo();
	expect((await exported(outline)).map(({ name }) => name)).not.toContain("b");
	expect((await outline.list("today")).nodes.map(({ name }) => name)).toEqual(["theirs"]);
});

test("an import joins no step of a node that another has changed in between and that it moves aside", async () => {
	const { mine, another } = await dense();
	await mine.update(idOf(3), { name: "mine" });
	await another.update(idOf(3), { name: "theirs" });
	const before = await exported(mine);
	await mine.import("x", { parent: null, position: { after: idOf(1) }, format: "text", joinUndoStep: true });
	await mine.undo();
	expect(await exported(mine)).toEqual(before);
	expect(await codeOf(mine.undo())).toBe("undo_blocked");
});

test("an import joins no step behind an undo, and none that would be too large", async () => {
	const { outline, file } = await begun();
	const count = outline.history.undo;
	await outline.undo();
	await outline.import(file, { format: "json", joinUndoStep: true });
	expect(outline.history.undo).toBe(count);
	const small = newOutline({ history: { bytes: 2000 } });
	await small.create({ name: "x".repeat(300) });
	await small.import("y".repeat(300), { format: "text", joinUndoStep: true });
	expect(small.history.undo).toBe(2);
});

test("an import refuses a joinUndoStep that is neither true nor false", async () => {
	const { outline, file } = await begun();
	const imported = outline.import(file, { format: "json", joinUndoStep: "yes" as never });
	await expect(imported).rejects.toMatchObject({
		code: "invalid_argument",
		message: expect.stringContaining("joinUndoStep"),
	});
});
