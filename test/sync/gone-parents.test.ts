import { describe, expect, onTestFinished, test } from "vitest";
import { exported, plant } from "../support/outline.js";
import { conflictsOf, expectEqual, tree } from "./meeting.js";
import { Site, settleAll } from "./site.js";

// Nodes that are elsewhere because the parents that their devices wanted were gone.

/** Returns two devices of which one has deleted a node, and the other one doesn't know it. */
async function afterDeletion() {
	const site = new Site();
	onTestFinished(() => site.end());
	const [one, two] = [site.device(), site.device()];
	const { p, a, b, x } = await plant(one.outline, tree);
	await settleAll(site.devices);
	await one.outline.delete(a!);
	await one.sync();
	return { site, one, two, p: p!, b: b!, x: x! };
}

describe.each(["create", "move"] as const)(
	"a node that a device brings below what is gone by a %s, and then deletes",
	(act) => {
		test.each([
			["with one push", undefined],
			["after a push whose answer was lost", "unanswered"],
			["while the answer to the push is on its way", "slow"],
		] as const)("%s, goes", async (_, fault) => {
			const { site, one, two, b, x } = await afterDeletion();
			const { id } = await (act === "create"
				? two.outline.create({ parent: b, name: "new" })
				: two.outline.move(x, { parent: b }));
			const shown: string[] = [];
			const remove = async () => {
				site.network.faults = null;
				await two.outline.delete(id);
				two.outline.subscribe(({ changes }) => {
					for (const { after } of changes) if (after != null) shown.push(after.id);
				});
			};
			site.network.meanwhile = remove;
			if (fault !== undefined) site.network.faults = { [fault]: 1 };
			if (fault !== undefined) await two.sync().catch(() => {});
			if (fault !== "slow") await remove();
			await settleAll(site.devices);
			expect((await exported(site.outline)).map(({ name }) => name)).toEqual(act === "create" ? ["p", "x"] : ["p"]);
			expect((await conflictsOf(one)).map(({ kind }) => kind)).toEqual(["parent"]);
			expect(shown).not.toContain(id);
			await expectEqual(site);
		});
	},
);

test("a node that another device has moved on stays, although its device deletes it", async () => {
	const { site, one, two, b, x } = await afterDeletion();
	const { id } = await two.outline.create({ parent: b, name: "new" });
	site.network.faults = { unanswered: 1 };
	await two.sync().catch(() => {});
	site.network.faults = null;
	await one.sync();
	await one.outline.move(id, { parent: x });
	await one.sync();
	await two.outline.delete(id);
	await settleAll(site.devices);
	expect((await site.outline.get(id)).parentId).toBe(x);
	expect((await conflictsOf(one)).map(({ kind }) => kind)).toEqual(["parent", "deletion"]);
	await expectEqual(site);
});

test("a node that was elsewhere because its parent was gone stays, if another device has moved it there again since", async () => {
	const { site, one, two, p, b } = await afterDeletion();
	const { id } = await two.outline.create({ parent: b, name: "new" });
	await settleAll(site.devices);
	await one.outline.undo();
	await one.outline.move(id, { parent: b });
	await settleAll(site.devices);
	await one.outline.move(id, { parent: p });
	await one.sync();
	await two.outline.delete(id);
	await settleAll(site.devices);
	expect((await site.outline.get(id)).parentId).toBe(p);
	expect((await conflictsOf(one)).map(({ kind }) => kind)).toEqual(["parent", "deletion"]);
	await expectEqual(site);
});
