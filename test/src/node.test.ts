import { expect, test } from "vitest";
import { layoutModes } from "../../src/layout-mode.js";
import { newOutline } from "../support/outline.js";

test("§2.1 a node has every field, timestamps in whole Unix seconds and an integer priority", async () => {
	const outline = newOutline({ now: () => 1_795_262_400_987 });
	const node = await outline.create({ name: "x" });
	expect(node).toEqual({
		id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
		parentId: null,
		name: "x",
		note: null,
		priority: 0,
		layoutMode: "bullets",
		completed: false,
		createdAt: 1_795_262_400,
		modifiedAt: 1_795_262_400,
		completedAt: null,
		properties: {},
	});
	expect(await outline.get(node.id)).toEqual(node);
});

test.each(layoutModes)("§2.1 %s is a layout mode for create and update", async (layoutMode) => {
	const outline = newOutline();
	const { id, ...created } = await outline.create({ name: "x", layoutMode });
	expect(created.layoutMode).toBe(layoutMode);
	await outline.update(id, { layoutMode: "bullets" });
	expect((await outline.update(id, { layoutMode })).layoutMode).toBe(layoutMode);
});

test("a change of a returned node doesn't change the outline", async () => {
	const outline = newOutline();
	const node = await outline.create({ name: "x" });
	const mirror = await outline.mirror(node.id, { parent: (await outline.create({ name: "y" })).id });
	const read = await outline.get(node.id);
	read.name = "changed";
	(read.mirror as { mirrorIds: string[] }).mirrorIds.length = 0;
	expect(await outline.get(node.id)).toMatchObject({ name: "x", mirror: { mirrorIds: [mirror.id] } });
});

test("notes stay exactly as given, except for characters that no storage can return", async () => {
	const outline = newOutline();
	const note = "  <b>&amp;</b>\n\t*x* \u{1f600} ";
	const { id } = await outline.create({ name: "x", note });
	expect((await outline.get(id)).note).toBe(note);
	expect((await outline.update(id, { note: "a\0b\ud800c\r\nd\re" })).note).toBe("ab\ufffdc\nd\ne");
	expect((await outline.update(id, { note: "" })).note).toBe("");
});
