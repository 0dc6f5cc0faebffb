import { expect, test } from "vitest";
import { farthestSound } from "../../../../src/place/priority.js";
import { systemGroup } from "../../../../src/storage.js";
import type { Delta, DeltaFields, NodeDelta } from "../../../../src/sync/delta.js";
import { numberedId, unusedId } from "../../../support/ids.js";
import { exported, picture, planted } from "../../../support/outline.js";
import { creation, SyncDevice } from "../../../support/sync-device.js";

/*
 * A delta with a tree of new nodes, below which no other device can have put anything, unless the delta is wrong.
 */

const idOf = (name: string) => numberedId(name.codePointAt(0)!);

/** A new node below another one: `a` below `top`, unless `fields` say otherwise. */
function created(name: string, fields: Partial<DeltaFields> = {}): NodeDelta {
	return creation({ name, parentId: idOf("t"), priority: 1, ...fields }, idOf(name));
}

const top = created("t", { parentId: null });

/** Settles a delta on an outline with the node `e`, which is at the top level. Shows the result, which is sound. */
async function settled(delta: Partial<Delta>): Promise<string> {
	const { outline } = await planted("");
	const device = new SyncDevice();
	device.add({ nodes: [created("e", { parentId: null, priority: 100 })] });
	device.add(delta);
	await device.sync(outline);
	expect(device.refused).toEqual([]);
	expect(await outline.verify()).toMatchObject({ total: 0 });
	return picture(outline);
}

test.each<[string, NodeDelta[], string]>([
	["in their order", [top, created("a"), created("b", { priority: 2 })], "t\n  a\n  b\ne"],
	["in the reverse order", [top, created("b", { priority: 2 }), created("a")], "t\n  a\n  b\ne"],
	[
		"with nodes below them",
		[top, created("a"), created("c", { parentId: idOf("a") }), created("b", { priority: 2 })],
		"t\n  a\n    c\n  b\ne",
	],
	["two at one place", [top, created("a"), created("b")], "t\n  a\n  b\ne"],
	[
		"beside a node that is moved there at the same place",
		[
			top,
			{ id: idOf("e"), before: { parentId: null, priority: 100 }, after: { parentId: idOf("t"), priority: 1 } },
			created("a"),
		],
		"t\n  e\n  a",
	],
	[
		"beside a mirror at the same place",
		[top, created("m", { originId: idOf("e") }), created("a")],
		"t\n  (mirror e)\n  a\ne",
	],
	[
		"below a mirror of one of them",
		[top, created("m", { originId: idOf("a") }), created("a", { parentId: idOf("m") })],
		"t\n  m\n    a\ne",
	],
	["and one that is there already", [top, created("a"), created("e", { priority: 2 })], "t\n  a\ne"],
	[
		"below each other",
		[created("a", { parentId: idOf("b") }), created("b", { parentId: idOf("a") })],
		"e\nInbox\n  b\n    a",
	],
])("a delta creates nodes %s", async (_, nodes, expected) => {
	expect(await settled({ nodes })).toBe(expected);
});

test("a new node far out goes where there is room beyond it", async () => {
	const { outline } = await planted("");
	const device = new SyncDevice();
	device.add({ nodes: [top, created("a", { priority: farthestSound })] });
	device.add({
		nodes: [created("u", { parentId: null }), created("b", { parentId: idOf("u"), priority: -farthestSound })],
	});
	await device.sync(outline);
	expect((await exported(outline)).filter(({ priority }) => Math.abs(priority) > farthestSound / 2)).toEqual([]);
});

test("a device's new inbox below a new node is the inbox that is there", async () => {
	const { outline } = await planted("");
	const { parentId } = await outline.create({ name: "there", parent: "inbox" });
	const device = new SyncDevice();
	const key = { key: "inbox", group: systemGroup, before: null, after: idOf("i") };
	device.add({ nodes: [top, created("i"), created("a", { parentId: idOf("i") })], keys: [key] });
	await device.sync(outline);
	expect(await outline.verify()).toMatchObject({ total: 0 });
	expect(await picture(outline)).toBe("Inbox\n  there\n  a\nt");
	expect((await outline.get("inbox")).id).toBe(parentId);
});

test("a copy that isn't made isn't made below a new node either", async () => {
	const { outline, o, y, m } = await planted("o #o\n  y #y\np\n  (mirror o) #m");
	await outline.create({ name: "unseen", parent: o });
	const device = new SyncDevice();
	const [origin, child] = [await outline.get(o), await outline.get(y)];
	const deleted = [origin, child].map(({ id, name, parentId, priority, createdAt }) => {
		return { id, before: { name, parentId, priority, createdAt }, after: null };
	});
	device.add({
		nodes: [
			...deleted,
			{ id: m, before: { originId: o }, after: { originId: null } },
			{ ...created("c", { parentId: m }), copyOf: unusedId },
			{ ...created("d", { parentId: idOf("c"), name: "y" }), copyOf: y },
		],
	});
	await device.sync(outline);
	expect(await outline.verify()).toMatchObject({ total: 0 });
	expect(await picture(outline)).toBe("o\n  unseen\n  y\np\n  (mirror o)\n    c");
});
