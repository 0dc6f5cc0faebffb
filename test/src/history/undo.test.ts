import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import { paged } from "../../conformance/wrapped.js";
import { codeOf, exported, newOutline, noon, picture, plant, planted, twoOutlines } from "../../support/outline.js";
import { prove } from "../../support/prove.js";
import { fileOf } from "../exchange/files.js";
import { scene } from "./scene.js";

describe("undo", () => {
	test("goes back step by step, and returns the operation and the nodes of each step", async () => {
		const { outline } = await prove(
			scene,
			async ({ outline, a, b, c, d, e, m }) => {
				await outline.mirror(d, { parent: e });
				await outline.update(m, { name: "<b>x</b>", note: "n", layoutMode: "todo" });
				await outline.complete(m);
				await outline.uncomplete(c);
				await outline.move(e, { parent: m });
				await outline.removeMirror(m);
				await outline.setShortcut("s", a);
				await outline.setShortcut("t", b);
				await outline.deleteShortcut("s");
				await outline.delete(a);
				await outline.create({ name: "x\n- y", position: { after: d } });
				await outline.createTree({ name: "z", children: [{ name: "y" }] });
				await outline.batch([
					{ type: "create", as: "n", name: "n" },
					{ type: "move", ref: d, parent: { as: "n" } },
				]);
			},
			"n\n  d\nz\n  y\nx\n  y",
			{ given: ({ outline, c }) => outline.setShortcut("s", c) },
		);
		const steps: [string, boolean][] = [];
		for (let step = await outline.undo(); step !== null; step = await outline.undo()) {
			steps.unshift([step.operation, step.nodeIds.length > 0]);
		}
		expect(steps).toEqual([
			["mirror", true],
			["update", true],
			["complete", true],
			["uncomplete", true],
			["move", true],
			["removeMirror", true],
			["setShortcut", false],
			["setShortcut", false],
			["deleteShortcut", false],
			["delete", true],
			["create", true],
			["createTree", true],
			["batch", true],
		]);
		while ((await outline.redo()) !== null);
		expect(outline.history).toEqual({ undo: steps.length, redo: 0 });
	});

	test("keeps nodes created on demand, but not the nodes created below them", async () => {
		const outline = newOutline();
		await outline.create({ name: "x", parent: "today" });
		await outline.create({ name: "y", parent: "inbox" });
		await outline.undo();
		await outline.undo();
		const names = (await exported(outline)).map(({ name }) => name).sort();
		expect(names).toEqual([
			"2026",
			'<time datetime="2026-11-21">Sat, Nov 21, 2026</time>',
			"Calendar",
			"Inbox",
			"November",
		]);
		expect(outline.history).toEqual({ undo: 0, redo: 2 });
		const { id } = await outline.get("today");
		await outline.redo();
		expect((await outline.list("today")).nodes.map(({ name }) => name)).toEqual(["x"]);
		expect((await outline.get("today")).id).toBe(id);
	});

	test("restores a deleted day that is there again", async () => {
		const outline = newOutline();
		const { id } = await outline.create({ name: "x", parent: "today" });
		const day = await outline.get("today");
		await outline.delete("calendar");
		await outline.undo();
		expect(await outline.get("today")).toEqual(day);
		await outline.redo();
		const fresh = await outline.create({ name: "y", parent: "today" });
		await outline.undo();
		await outline.undo();
		expect(fresh.parentId).toBe(day.id);
		expect(await outline.get("today")).toEqual(day);
		expect((await outline.get(id)).parentId).toBe(day.id);
		await outline.redo();
		expect(await codeOf(outline.get(id))).toBe("not_found");
		expect((await outline.verify()).problems).toEqual([]);
	});

	test("restores the content of a deleted entry that is there again", async () => {
		const storage = createMemoryStorage();
		const outline = newOutline({ storage });
		const { id } = await outline.create({ name: "x", parent: "inbox" });
		const inbox = await outline.update("inbox", { name: "Mine", note: "n", properties: { color: "red" } });
		await outline.delete("inbox");
		const others = newOutline({ storage });
		const { id: y } = await others.create({ name: "y", parent: "inbox" });
		await outline.undo();
		expect(await outline.get("inbox")).toEqual(inbox);
		expect((await outline.list("inbox")).nodes.map((node) => node.id).sort()).toEqual([id, y].sort());
		await outline.redo();
		expect((await outline.list("inbox")).nodes.map((node) => node.id)).toEqual([y]);
	});

	test("keeps later changes of another outline", async () => {
		let now = noon;
		const [mine, another] = twoOutlines({ now: () => now });
		const { a, b, d } = await plant(mine, scene);
		await mine.update(b, { name: "mine" });
		await mine.move(d, { parent: a });
		await another.update(b, { note: "another's" });
		await another.update(d, { name: "another's" });
		await another.create({ name: "new", position: "bottom" });
		await mine.undo();
		now += 60_000;
		await mine.undo();
		expect(await mine.get(b)).toMatchObject({ name: "b", note: "another's", modifiedAt: now / 1000 });
		expect(await mine.get(d)).toMatchObject({ name: "another's", parentId: null });
		expect(await picture(mine)).toContain("new");
	});

	test("keeps a node where another outline has moved it, and redo does", async () => {
		const [mine, another] = twoOutlines();
		const { a, b, c, d, e } = await plant(mine, scene);
		await mine.update(e, { name: "mine" });
		await mine.batch([
			{ type: "update", ref: b, note: "mine" },
			{ type: "complete", ref: c },
		]);
		await another.move(e, { parent: d });
		await another.move(b, { parent: e });
		await another.move(c, { parent: a });
		const moved = await picture(mine);
		await mine.undo();
		await mine.undo();
		expect(await mine.get(e)).toMatchObject({ name: "e", parentId: d });
		expect(await mine.get(b)).toMatchObject({ note: null, parentId: e });
		expect(await mine.get(c)).toMatchObject({ completed: false, parentId: a });
		await mine.redo();
		await mine.redo();
		expect(await picture(mine)).toBe(moved);
	});

	test("tells readers of the feed that an origin has lost a mirror or has it again", async () => {
		const { outline, id } = await planted("x #id");
		await outline.mirror(id, { parent: (await outline.create({ name: "y" })).id });
		for (const step of [() => outline.undo(), () => outline.redo()]) {
			const { revision } = await outline.changes({ since: 0 });
			await step();
			const { nodes } = await outline.changes({ since: revision });
			expect(nodes.map((node) => node.id)).toContain(id);
		}
	});

	test("waits for earlier writes, and later writes wait for it", async () => {
		for (const storage of [createMemoryStorage(), paged(createMemoryStorage())]) {
			const outline = newOutline({ storage });
			const [, , undone, , redone] = await Promise.all([
				outline.create({ name: "one" }),
				outline.create({ name: "two" }),
				outline.undo(),
				outline.create({ name: "three" }),
				outline.redo(),
				outline.undo(),
				outline.undo(),
				outline.redo(),
			]);
			expect(undone!.operation).toBe("create");
			expect(redone).toBeNull();
			expect((await outline.list()).nodes.map(({ name }) => name)).toEqual(["one"]);
			expect(outline.history).toEqual({ undo: 1, redo: 1 });
		}
	});

	test("is a local commit for listeners", async () => {
		const outline = newOutline();
		await outline.create({ name: "x" });
		const heard: unknown[] = [];
		outline.subscribe((event) => heard.push(event));
		await outline.undo();
		await outline.redo();
		expect(heard).toMatchObject([
			{ revision: 2, source: "local" },
			{ revision: 3, source: "local" },
		]);
	});

	test("ignores operations that changed nothing", async () => {
		const { outline, id } = await planted("x #id");
		await outline.update(id, { name: "x" });
		await outline.uncomplete(id);
		await codeOf(outline.delete("nowhere"));
		await outline.batch([]);
		expect(outline.history).toEqual({ undo: 1, redo: 0 });
	});
});

describe("the history", () => {
	test("restores the time of the last edit after an edit that its batch set back", async () => {
		let now = noon;
		const storage = createMemoryStorage();
		const { outline, a } = await prove(
			"a #a",
			({ outline, a }) =>
				outline.batch([
					{ type: "complete", ref: a },
					{ type: "uncomplete", ref: a },
				]),
			"a",
			{ storage, now: () => now, given: async () => (now += 60_000) },
		);
		expect((await outline.get(a)).modifiedAt).toBe(noon / 1000 + 60);
		// A later edit of another outline keeps its own time.
		now += 60_000;
		const edited = await newOutline({ storage, now: () => now }).update(a, { note: "theirs" });
		now += 60_000;
		await outline.undo();
		expect(await outline.get(a)).toEqual(edited);
	});

	test("joins quick edits of one text if `groupWithin` says so", async () => {
		let now = noon;
		const outline = newOutline({ now: () => now, history: { groupWithin: 1000 } });
		const { id } = await outline.create({ name: "" });
		const edit = async (milliseconds: number, change: { name?: string; note?: string }) => {
			now += milliseconds;
			await outline.update(id, change);
		};
		await edit(1, { name: "a" });
		await edit(999, { name: "ab" });
		await edit(999, { name: "abc" });
		expect(outline.history.undo).toBe(2);
		await edit(1000, { name: "abcd" });
		expect(outline.history.undo).toBe(3);
		await edit(1, { note: "n" });
		await edit(1, { note: "no" });
		expect(outline.history.undo).toBe(4);
		now -= 5000;
		await edit(1, { note: "not" });
		expect(outline.history.undo).toBe(5);
		for (const note of ["no", null]) {
			await outline.undo();
			expect((await outline.get(id)).note).toBe(note);
		}
		for (const name of ["abc", ""]) {
			await outline.undo();
			expect((await outline.get(id)).name).toBe(name);
		}
		await outline.redo();
		await edit(1, { name: "abc!" });
		expect(outline.history).toEqual({ undo: 3, redo: 0 });
	});

	test("joins only edits of one text: neither completions nor edits of two nodes", async () => {
		const { outline, a, b } = await planted("a #a\nb #b", { history: { groupWithin: 1000 } });
		outline.clearHistory();
		await outline.update(a, { name: "x" });
		await outline.update(b, { name: "x" });
		expect(outline.history.undo).toBe(2);
		await outline.complete(b);
		await outline.uncomplete(b);
		await outline.complete(b);
		expect(outline.history.undo).toBe(5);
		await outline.create({ name: "c" });
		await outline.update(b, { name: "y" });
		await outline.batch([{ type: "update", ref: b, name: "z" }]);
		expect(outline.history.undo).toBe(8);
	});

	test("doesn't join two edits between which others have changed the text", async () => {
		const storage = createMemoryStorage();
		const { outline, id } = await planted("MID #id", { storage, history: { groupWithin: 1000 } });
		await outline.update(id, { name: "MID f" });
		await newOutline({ storage }).update(id, { name: "aa MID f" });
		await outline.update(id, { name: "MID ff", base: { name: "MID f" } });
		await outline.undo();
		expect((await outline.get(id)).name).toBe("aa MID f");
		await expect(outline.undo()).rejects.toMatchObject({ code: "undo_blocked" });
	});

	test("may be forgotten during an undo", async () => {
		const storage = createMemoryStorage();
		const outline = newOutline({ storage });
		await outline.create({ name: "a" });
		await outline.create({ name: "b" });
		const commit = storage.commit.bind(storage);
		storage.commit = (batch) => {
			outline.clearHistory();
			return commit(batch);
		};
		await outline.undo();
		storage.commit = commit;
		expect(outline.history).toEqual({ undo: 0, redo: 1 });
		await outline.create({ name: "c" });
		expect(outline.history).toEqual({ undo: 1, redo: 0 });
	});

	test("drops the oldest steps after any number of steps", async () => {
		const outline = newOutline({ history: { steps: 3 } });
		for (let number = 0; number < 200; number++) await outline.create({ name: `${number}` });
		for (const number of [199, 198, 197]) {
			expect(outline.history.undo).toBe(number - 196);
			expect((await outline.undo())!.nodeIds).toHaveLength(1);
			expect((await outline.list()).nodes).toHaveLength(number);
		}
		expect(await outline.undo()).toBeNull();
		// Undone steps don't count.
		for (const name of ["a\n- b\n- c", "d\n- e\n- f"]) await outline.create({ name });
		expect(outline.history).toEqual({ undo: 2, redo: 0 });
	});

	test("has a limit of steps and of bytes, and keeps the newest step at any size", async () => {
		const few = newOutline({ history: { steps: 2 } });
		for (const name of ["a", "b", "c"]) await few.create({ name });
		expect(few.history.undo).toBe(2);
		// 128 bytes a node, and two for each character of its text.
		const small = newOutline({ history: { bytes: 5 * 130 } });
		for (const name of ["a", "b\n- c\n- d", "e\n- f"]) await small.create({ name });
		expect(small.history.undo).toBe(2);
		await small.createTree({ name: "x", children: Array.from({ length: 50 }, () => ({ name: "y" })) });
		expect(small.history.undo).toBe(1);
		await small.undo();
		expect((await exported(small)).length).toBe(6);
		const none = newOutline({ history: { steps: 0 } });
		await none.create({ name: "a" });
		expect(await none.undo()).toBeNull();
	});

	test("is forgotten by clearHistory, for each outline separately", async () => {
		const [one, two] = twoOutlines();
		await one.create({ name: "x" });
		expect(await two.undo()).toBeNull();
		await one.undo();
		one.clearHistory();
		expect(one.history).toEqual({ undo: 0, redo: 0 });
		await one.close();
		expect(await codeOf(one.undo())).toBe("closed");
	});

	test("checks its options", () => {
		for (const history of [
			null,
			7,
			{ steps: -1 },
			{ steps: 1.5 },
			{ steps: 10_001 },
			{ bytes: 0 },
			{ bytes: "5" },
			{ changes: 5 },
			{ groupWithin: -1 },
			{ groupWithin: Number.NaN },
			{ groupLength: 0 },
			{ groupLength: "30" },
		]) {
			expect(() => newOutline({ history: history as never })).toThrow(/history/);
		}
	});

	test("holds a tree of 5,000 nodes, deleted and restored", { timeout: 120_000 }, async () => {
		const outline = newOutline();
		const children = Array.from({ length: 5000 }, (_, number) => ({ name: `${number}` }));
		const { id } = await outline.createTree({ name: "many", children });
		await outline.delete(id);
		await outline.undo();
		expect((await outline.list(id)).nodes.length).toBe(5000);
		await outline.undo();
		expect(await exported(outline)).toEqual([]);
	});
});

test("undo takes back an import with a calendar, but keeps its month if a later day is in it", async () => {
	const source = newOutline();
	await source.create({ name: "imported", parent: "2026-12-01" });
	const outline = newOutline();
	await outline.import(await fileOf(source, "json"), { format: "json" });
	await outline.create({ name: "own", parent: "2026-12-02" });
	await outline.undo();
	await outline.undo();
	expect((await outline.list("2026-12")).nodes.map(({ id }) => id)).toEqual([(await outline.get("2026-12-02")).id]);
	expect(await codeOf(outline.get("2026-12-01"))).toBe("not_found");
	await outline.redo();
	await outline.redo();
	expect((await outline.list("2026-12-01")).nodes.map(({ name }) => name)).toEqual(["imported"]);
	expect((await outline.list("2026-12-02")).nodes.map(({ name }) => name)).toEqual(["own"]);
	expect((await outline.verify()).problems).toEqual([]);
});

const withoutTags = (text: string) => text.replaceAll(/<[^>]*>/g, "");

test("undo takes back an import with a copy of the year, and puts its month below the year if a later day is in it", async () => {
	const source = newOutline();
	await source.create({ name: "imported", parent: "2026-11-24" });
	await source.update("2026-11", { note: "of the file" });
	await source.setShortcut("month", "2026-11");
	const outline = newOutline();
	await outline.create({ name: "before", parent: "2026-12-01" });
	await outline.import(await fileOf(source, "json"), { format: "json" });
	const before = await exported(outline);
	const year = (await outline.get("2026")).id;
	expect((await outline.get("2026-11")).parentId).not.toBe(year);
	await outline.create({ name: "own", parent: "2026-11-25" });
	await outline.undo();
	await outline.undo();
	expect(withoutTags(await picture(outline))).toBe(
		[
			"Calendar",
			"  2026",
			"    November",
			"      Wed, Nov 25, 2026",
			"    December",
			"      Tue, Dec 1, 2026",
			"        before",
		].join("\n"),
	);
	expect((await outline.get("2026-11")).note).toBe(null);
	await outline.redo();
	expect(await exported(outline)).toEqual(expect.arrayContaining(before));
	await outline.redo();
	expect((await outline.list("2026-11-25")).nodes.map(({ name }) => name)).toEqual(["own"]);
	expect((await outline.verify()).problems).toEqual([]);
});

test("undo takes back a node below which an import has put the calendar, if a later day is in it", async () => {
	const source = newOutline();
	await source.create({ name: "imported", parent: "2026-11-24" });
	await source.create({ name: "another", parent: "2026-12-01" });
	const outline = newOutline();
	const { id } = await outline.create({ name: "archive" });
	await outline.import(await fileOf(source, "json"), { format: "json", parent: id });
	await outline.create({ name: "own", parent: "2026-11-25" });
	await outline.create({ name: "own", parent: "2026-12-02" });
	for (let steps = 0; steps < 4; steps++) await outline.undo();
	const shown = [
		"Calendar",
		"  2026",
		"    November",
		"      Wed, Nov 25, 2026",
		"    December",
		"      Wed, Dec 2, 2026",
	];
	expect(withoutTags(await picture(outline))).toBe(shown.join("\n"));
	for (let steps = 0; steps < 4; steps++) await outline.redo();
	expect((await outline.get("calendar")).parentId).toBe(id);
	expect((await outline.verify()).problems).toEqual([]);
});

test("undo puts a deleted month back in its place if an import has brought it back with the same content", async () => {
	const outline = newOutline();
	await outline.create({ name: "before", parent: "2026-12-01" });
	await outline.complete("2026-12");
	const file = await fileOf(outline, "json");
	await outline.delete("2026-12");
	await outline.import(file, { format: "json" });
	await outline.create({ name: "own", parent: "2026-12-02" });
	for (let steps = 0; steps < 3; steps++) await outline.undo();
	expect(await outline.get("2026-12")).toMatchObject({ parentId: (await outline.get("2026")).id, completed: true });
	expect((await outline.list("2026-12-01")).nodes.map(({ name }) => name)).toEqual(["before"]);
	expect((await outline.verify()).problems).toEqual([]);
});

test("undo of an import takes the note of a month that stays, and so gives a deleted month its own content back", async () => {
	const source = newOutline();
	await source.create({ name: "imported", parent: "2026-11-24" });
	await source.update("2026-11", { note: "of the file" });
	const outline = newOutline();
	await outline.create({ name: "before", parent: "2026-11-24" });
	await outline.delete("2026-11");
	await outline.import(await fileOf(source, "json"), { format: "json" });
	await outline.create({ name: "own", parent: "2026-11-25" });
	await outline.undo();
	await outline.undo();
	expect((await outline.get("2026-11")).note).toBe(null);
	await outline.undo();
	expect((await outline.list("2026-11-24")).nodes.map(({ name }) => name)).toEqual(["before"]);
	for (let steps = 0; steps < 2; steps++) await outline.redo();
	expect((await outline.get("2026-11")).note).toBe("of the file");
	expect((await outline.verify()).problems).toEqual([]);
});
