import { expect, test } from "vitest";
import { Outline } from "../../src/outline.js";
import { codeOf, dedented, plant } from "../support/outline.js";
import { expectEqual, look } from "./meeting.js";
import { contentOf, Site, settleAll } from "./site.js";

test("an undo of what others have changed is refused, and nothing else is", async () => {
	const site = new Site();
	const [one, two] = [site.device(), site.device()];
	const { id } = await one.outline.create({ name: "one" });
	await one.outline.update(id, { name: "two" });
	await settleAll(site.devices);
	await two.outline.update(id, { name: "three" });
	await settleAll(site.devices);
	expect(await codeOf(one.outline.undo())).toBe("undo_blocked");
	expect(await look(one.outline)).toBe("three");
	await expectEqual(site);
});

test("an undo goes on after a commit that the server has refused and the device has taken back", async () => {
	const site = new Site(undefined, undefined, { limits: { name: 10 } });
	const device = site.device();
	const { outline } = device;
	const { a, b, c, d } = await plant(outline, "a #a\nb #b\nc #c\n  d #d");
	await outline.update(b, { name: "earlier" });
	const before = await contentOf(outline);
	await outline.batch([
		{ type: "update", ref: a, name: "A" },
		{ type: "update", ref: b, name: "a name that is far too long for the server" },
		{ type: "move", ref: c, position: "top" },
		{ type: "create", name: "new", parent: c },
		{ type: "delete", ref: d },
		{ type: "setShortcut", key: "s", ref: a },
	]);
	await settleAll(site.devices);
	expect(await contentOf(outline)).toEqual(before);
	await outline.undo();
	expect(await contentOf(outline)).toEqual(before);
	await outline.undo();
	expect(await look(outline)).toBe("a\nb\nc\n  d");
	expect(device.replica.status.current).toMatchObject({ conflicts: 1 });
});

test("an undo of what has been sent is a change like any other", async () => {
	const site = new Site();
	const [one, two] = [site.device(), site.device()];
	const { id } = await one.outline.create({ name: "list" });
	await one.outline.import("a\n  b\nc", { format: "text", parent: id });
	await settleAll(site.devices);
	await two.outline.create({ parent: id, name: "theirs", position: "bottom" });
	await settleAll(site.devices);
	await one.outline.undo();
	await settleAll(site.devices);
	expect(await look(site.outline)).toBe("list\n  theirs");
	await expectEqual(site);
	await one.outline.redo();
	await settleAll(site.devices);
	expect(dedented(await look(two.outline))).toBe("list\n  a\n    b\n  c\n  theirs");
	await expectEqual(site);
});

test("an undo of a move isn't refused because the same commit deleted many siblings there", async () => {
	const site = new Site();
	const [one, two] = [site.device(), site.device()];
	const { id } = await one.outline.create({ name: "moved" });
	const children = Array.from({ length: 100 }, (_, index) => ({ name: `item ${index}` }));
	const list = await one.outline.createTree({ name: "list", children });
	const deletions = list.children.map((child) => ({ type: "delete" as const, ref: child.id }));
	const before = await contentOf(one.outline);
	await one.outline.batch([{ type: "move", ref: id, parent: list.id, position: "top" }, ...deletions]);
	await settleAll(site.devices);
	expect(await look(two.outline)).toBe("list\n  moved");
	await one.outline.undo();
	expect(await contentOf(one.outline)).toEqual(before);
	await settleAll(site.devices);
	await expectEqual(site);
});

test("an undo of a move isn't refused because another device has put a node at the same place", async () => {
	const site = new Site();
	const [one, two] = [site.device(), site.device()];
	const { list, a, b } = await plant(one.outline, "list #list\na #a\nb #b");
	await settleAll(site.devices);
	const before = await look(one.outline);
	await one.outline.move(a, { parent: list });
	await two.outline.move(b, { parent: list });
	await settleAll(site.devices);
	for (const { outline } of [two, one]) {
		await outline.undo();
		await settleAll(site.devices);
	}
	expect(await look(site.outline)).toBe(before);
	await two.outline.redo();
	await settleAll(site.devices);
	expect(await look(one.outline)).toBe("list\n  b\na");
	await expectEqual(site);
});

test("an undo of a completion isn't refused because the clock of its device is ahead", async () => {
	const site = new Site();
	const [one, two] = [site.device(undefined, { clock: 7200 }), site.device()];
	const { id } = await one.outline.create({ name: "one" });
	await one.outline.complete(id);
	await settleAll(site.devices);
	await one.outline.undo();
	await settleAll(site.devices);
	expect(await look(two.outline)).toBe("one");
	await one.outline.redo();
	await one.outline.create({ name: "- [x] two" });
	await settleAll(site.devices);
	await one.outline.undo();
	await settleAll(site.devices);
	expect(await look(two.outline)).toBe("[x] one");
	await expectEqual(site);
});

test("an undo of a completion is refused if another device has completed the node before", async () => {
	const site = new Site();
	const [one, two] = [site.device(), site.device()];
	const { id } = await one.outline.create({ name: "one" });
	await settleAll(site.devices);
	await two.outline.complete(id);
	await two.sync();
	site.now += 60_000;
	await one.outline.complete(id);
	await settleAll(site.devices);
	expect(await codeOf(one.outline.undo())).toBe("undo_blocked");
});

test("an undo of a completion is refused if another device whose clock is behind has completed the node again", async () => {
	const site = new Site();
	const [one, two] = [site.device(), site.device(undefined, { clock: -3600 })];
	const { id } = await one.outline.create({ name: "one" });
	await one.outline.complete(id);
	await settleAll(site.devices);
	await two.outline.uncomplete(id);
	await two.outline.complete(id);
	await settleAll(site.devices);
	expect(await codeOf(one.outline.undo())).toBe("undo_blocked");
});

test.each([{ note: "theirs" }, { name: "theirs" }, { properties: { from: "theirs" } }])(
	"an edit of a detached mirror, %o, stays if another device undoes the detachment",
	async (edit) => {
		for (const editFirst of [true, false]) {
			const site = new Site();
			const [one, two] = [site.device(), site.device()];
			const { a, m } = await plant(one.outline, "a #a\n  b\nx #x\n  (mirror a) #m");
			await settleAll(site.devices);
			await one.outline.delete(a, { mirrors: "detach" });
			await settleAll(site.devices);
			await one.outline.undo();
			await two.outline.update(m, edit);
			await settleAll(editFirst ? [two, one] : [one, two]);
			expect(JSON.stringify((await contentOf(site.outline)).nodes)).toContain("theirs");
			await expectEqual(site);
		}
	},
);

test.each([
	[{}, ""],
	[{ history: { keep: true } }, ""],
	[{}, "imported"],
])(
	"a detachment that was undone and redone leaves no copies if it isn't done, with %o, and joined by '%s'",
	async (options, imported) => {
		const site = new Site();
		const [one, two] = [site.device(), site.device()];
		const { p, a } = await plant(one.outline, "p #p\n  a #a\n    b\nx\n  (mirror a)");
		await settleAll(site.devices);
		const outline = new Outline({ storage: two.replica.storage, ...options });
		await outline.delete(p, { mirrors: "detach" });
		if (imported !== "") await outline.import(imported, { format: "text", joinUndoStep: true });
		await outline.undo();
		await settleAll(site.devices);
		await one.outline.create({ parent: a, name: "unseen", position: "bottom" });
		await outline.redo();
		await settleAll(site.devices);
		expect(await look(site.outline)).toBe(`p\n  a\n    b\n    unseen\nx\n  -> a\n${imported}`.trim());
		await expectEqual(site);
	},
);
