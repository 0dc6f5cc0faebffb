import { expect, test } from "vitest";
import type { Outline } from "../../../../src/outline.js";
import type { Delta, NodeDelta } from "../../../../src/sync/delta.js";
import { unusedId } from "../../../support/ids.js";
import { picture, planted } from "../../../support/outline.js";
import { SyncDevice } from "../../../support/sync-device.js";

/*
 * Deltas that would make an outline unsound, because other devices have changed what they rely on, or because their
 * device is wrong.
 */

/** Settles a delta of a device on an outline, which stays sound. Shows the outline afterwards. */
async function settled(outline: Outline, delta: Partial<Delta>): Promise<string> {
	const device = new SyncDevice();
	device.add(delta);
	await device.sync(outline);
	expect(device.refused).toEqual([]);
	expect(await outline.verify()).toMatchObject({ total: 0 });
	return picture(outline);
}

/** Makes a plain node a mirror. */
function mirrored(id: string, name: string, originId: string): NodeDelta {
	return { id, before: { originId: null }, after: { originId }, rest: { name } };
}

/** Moves a node from the top level to another parent. */
function moved(id: string, parentId: string): NodeDelta {
	return { id, before: { parentId: null }, after: { parentId }, above: null, below: null };
}

test("a plain node becomes a mirror", async () => {
	const { outline, b, origin } = await planted("a\n  b #b\nc #origin");
	expect(await settled(outline, { nodes: [mirrored(b, "b", origin)] })).toBe("a\n  (mirror c)\nc");
});

test.each([
	["with mirrors", "a #node\nb\n  (mirror node)\nc #origin"],
	["below the origin", "c #origin\n  a #node"],
	["below a mirror of the origin", "c #origin\nb\n  (mirror origin)\n    a #node"],
	["above the origin", "a #node\n  c #origin"],
	["above a mirror of the origin", "c #origin\na #node\n  (mirror origin)"],
] as const)("a node %s stays as it is when a device makes it a mirror", async (_, text) => {
	const { outline, node, origin } = await planted(text);
	const before = await picture(outline);
	expect(await settled(outline, { nodes: [mirrored(node, "a", origin)] })).toBe(before);
});

test("a node whose new parent is gone goes to the top level if the inbox is below it", async () => {
	const { outline, a } = await planted("a #a\nb\n  c");
	await outline.move((await outline.create({ name: "in the inbox", parent: "inbox" })).parentId!, { parent: a });
	expect(await settled(outline, { nodes: [moved(a, unusedId)] })).toBe("b\n  c\na\n  Inbox\n    in the inbox");
});

test("a node whose new parent is a day that is gone doesn't go to it if the calendar is below the node", async () => {
	const { outline, a } = await planted("a #a\nb");
	const day = await outline.create({ name: "on a day", parent: "2026-11-20" });
	await outline.move("calendar", { parent: a });
	await outline.delete("2026-11-20");
	const known = { [day.parentId!]: { parentId: null, key: "2026-11-20" } };
	expect(await settled(outline, { nodes: [moved(a, day.parentId!)], known })).toBe(
		[
			"b",
			"Inbox",
			"  a",
			"    Calendar",
			"      2026",
			"        November",
			'          <time datetime="2026-11-20">Fri, Nov 20, 2026</time>',
		].join("\n"),
	);
});
