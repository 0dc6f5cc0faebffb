import type { ChangedKey, OutlineNode } from "outlinekit";
import { expect, test } from "vitest";
import type { Outline } from "../../src/outline.js";
import { codeOf, plant } from "../support/outline.js";
import { expectEqual } from "./meeting.js";
import { Site, settleAll } from "./site.js";

/** Deletes a node. Returns a function that puts it back from the event of the deletion. */
async function deletion(outline: Outline, id: string): Promise<() => Promise<unknown>> {
	const nodes: OutlineNode[] = [];
	const dropped: ChangedKey[] = [];
	const stop = outline.subscribe(({ changes, keys }) => {
		for (const { before, after } of changes) if (before !== undefined && after === undefined) nodes.push(before);
		dropped.push(...keys);
	});
	await outline.delete(id);
	stop();
	const keys = dropped.map(({ key, previousId }) => ({ key, nodeId: previousId! }));
	return async () => {
		const parent = nodes.find((node) => node.id === id)!.parentId;
		await outline.import(outline.exportAs("json", { nodes, keys }), { format: "json", parent });
	};
}

for (const [when, syncsBetween] of [
	["after the server knows of the deletion", true],
	["before the server knows of the deletion", false],
] as const) {
	test(`deleted nodes that a device puts back ${when} are back on all devices`, async () => {
		const site = new Site();
		const [one, two] = [site.device(), site.device()];
		const ids = await plant<"p" | "a" | "b">(one.outline, "p #p\n  a #a\n    b #b\n  c\nd");
		const { parentId: day } = await one.outline.create({ parent: "2026-11-24", name: "e" });
		await one.outline.update(ids.b, { note: "note", properties: { due: "2026-11-30" } });
		await one.outline.setShortcut("b", ids.b);
		await settleAll(site.devices);
		for (const id of [ids.a, day!]) {
			const putBack = await deletion(one.outline, id);
			if (syncsBetween) {
				await settleAll([one, two]);
				expect(await codeOf(two.outline.get(id))).toBe("not_found");
			}
			site.now += 60_000;
			await putBack();
			await settleAll([one, two]);
		}
		await expectEqual(site);
		for (const { outline } of [one, two, site]) {
			expect(await outline.get("b")).toMatchObject({ id: ids.b, parentId: ids.a, note: "note" });
			expect((await outline.get("2026-11-24")).id).toBe(day);
			expect((await outline.list(day!)).nodes.map(({ name }) => name)).toEqual(["e"]);
		}
		expect(await one.replica.conflicts()).toEqual([]);
	});
}

for (const [what, key, name] of [
	["of a month, in the second of its creation", "2026-11", "November in Rome"],
	["of the inbox, by a device whose clock is ahead", "inbox", "Inbox of Anna"],
] as const) {
	test(`a new name ${what}, stays or is told if a deletion is undone after another device made the node`, async () => {
		const site = new Site();
		const [one, two] = [site.device(undefined, { clock: 7200 }), site.device()];
		const { id } = await one.outline.ensure(key);
		if (key === "inbox") site.now += 1000;
		await one.outline.update(id, { name });
		await one.outline.delete(id);
		await one.sync();
		await two.outline.ensure(key);
		await two.sync();
		await one.outline.undo();
		await settleAll([one, two]);
		await expectEqual(site);
		expect((await two.outline.get(key)).name).toBe(name);
		expect(await two.replica.conflicts()).toMatchObject([{ kind: "text", nodeId: id, shown: name }]);
	});
}
