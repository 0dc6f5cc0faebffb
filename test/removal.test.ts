import { expect, test } from "vitest";
import { codeOf, exported, newOutline, plant } from "./plant.js";

const scene = `
trip #trip
  boat #boat
    sail #sail
other #other
plans #plans`;

test("a plan says what a deletion would take along, and what forbids it, and does nothing", async () => {
	const outline = newOutline();
	const { trip, boat, sail, other, plans } = await plant<"trip" | "boat" | "sail" | "other" | "plans">(outline, scene);
	const inner = (await outline.mirror(other, { parent: trip, position: "bottom" })).id;
	await outline.setShortcut("z", sail);
	await outline.setShortcut("b", boat);
	const before = await exported(outline);
	const plan = await outline.plan.delete(trip.slice(-12));
	expect(plan.nodeIds[0]).toBe(trip);
	expect(plan.nodeIds.indexOf(boat)).toBeLessThan(plan.nodeIds.indexOf(sail));
	expect({ ...plan, nodeIds: [...plan.nodeIds].sort() }).toEqual({
		nodeIds: [trip, boat, sail, inner].sort(),
		mirrorIds: [inner],
		keys: ["b", "z"],
		forbiddenBy: [],
	});
	const mirror = (await outline.mirror(boat, { parent: plans })).id;
	expect((await outline.plan.delete("z")).forbiddenBy).toEqual([]);
	expect((await outline.plan.delete(trip)).forbiddenBy).toEqual([mirror]);
	expect(await codeOf(outline.delete(trip))).toBe("has_mirrors");
	await outline.removeMirror(mirror);
	expect(await exported(outline)).toEqual(before);
	await outline.delete(trip);
	expect((await exported(outline)).map(({ id }) => id).sort()).toEqual([other, plans].sort());
	expect((await outline.targets()).filter(({ type }) => type === "shortcut")).toEqual([]);
});

test("a plan for what isn't there, or can't be named so, is refused", async () => {
	const outline = newOutline();
	expect(await codeOf(outline.plan.delete("nowhere"))).toBe("not_found");
	expect(await codeOf(outline.plan.delete("None"))).toBe("unsupported_reference");
	expect(await codeOf(outline.plan.delete("today"))).toBe("not_found");
	await outline.create({ name: "x", parent: "today" });
	expect((await outline.plan.delete("calendar")).keys).toEqual(["2026", "2026-11", "2026-11-21", "calendar"]);
	await outline.close();
	expect(await codeOf(outline.plan.delete("today"))).toBe("closed");
});
