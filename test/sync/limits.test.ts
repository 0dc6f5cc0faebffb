import { expect, onTestFinished, test } from "vitest";
import { fileOf } from "../src/exchange/files.js";
import { newOutline, plant } from "../support/outline.js";
import { conflictsOf, expectEqual } from "./meeting.js";
import { Site, settleAll } from "./site.js";

/** Two devices whose edits of one node meet, and whose server has the usual limits or others. */
async function meeting(limits?: { note: number }) {
	const site = new Site(undefined, undefined, { ...(limits && { limits }) });
	onTestFinished(() => site.end());
	const [first, second] = [site.device(), site.device()];
	const { a } = await plant<"a">(first.outline, "a #a");
	await first.outline.update(a, { note: "one two" });
	await settleAll(site.devices);
	return { site, first, second, a };
}

test("edits that are as long together as a text may be leave an outline that another one can import", async () => {
	const { site, first, second, a } = await meeting();
	const [x, y] = ["x".repeat(499_996), "y".repeat(499_996)];
	await first.outline.update(a, { note: `${x} one two`, properties: { x: "x".repeat(10_000) } });
	await second.outline.update(a, { note: `one two${y}`, properties: { y: "y".repeat(6_000) } });
	await settleAll(site.devices);
	const { note, properties } = await site.outline.get(a);
	expect(note).toBe(`${x} one two${y}`);
	expect(note).toHaveLength(1_000_000);
	expect(Object.keys(properties)).toEqual(["x", "y"]);
	expect(await conflictsOf(first)).toEqual([]);
	await expectEqual(site);
	const copy = newOutline();
	await copy.import(await fileOf(site.outline, "json"), { format: "json" });
	expect(await copy.get(a)).toMatchObject({ note, properties });
});

test("edits that are too long together give way to the later one, and the outline can be edited as before", async () => {
	const { site, first, second, a } = await meeting();
	const [x, y] = ["x".repeat(499_997), "y".repeat(499_996)];
	await first.outline.update(a, { note: `${x} one two`, properties: { x: "x".repeat(10_000) } });
	await second.outline.update(a, { note: `one two${y}`, properties: { y: "y".repeat(10_000) } });
	await settleAll(site.devices);
	const { note, properties } = await site.outline.get(a);
	expect(note).toBe(`one two${y}`);
	expect(Object.keys(properties)).toEqual(["y"]);
	expect(await conflictsOf(first)).toMatchObject([
		{ kind: "text", field: "note", other: `${x} one two` },
		{ kind: "text", field: "properties.x", shown: null, other: "x".repeat(10_000) },
	]);
	await first.outline.update(a, { properties: { due: "today" } });
	await first.outline.delete(a);
	await first.sync();
	await first.outline.undo();
	await settleAll(site.devices);
	expect(await conflictsOf(second)).toHaveLength(2);
	await expectEqual(site);
});

test("the limits of the server count, whatever the device has", async () => {
	const { site, first, second, a } = await meeting({ note: 12 });
	await first.outline.update(a, { note: "one two 123" });
	await second.sync();
	await second.outline.update(a, { note: "0 one two" });
	await settleAll(site.devices);
	expect((await site.outline.get(a)).note).toBe("0 one two");
	expect(await conflictsOf(second)).toMatchObject([{ kind: "text", shown: "0 one two", other: "one two 123" }]);
	await expectEqual(site);
});

test("a node that returns with an edit has its other texts of up to 16,384 characters", async () => {
	const { site, first, second, a } = await meeting();
	const texts = { note: "n".repeat(16_384), properties: { p: "p".repeat(16_000) } };
	await first.outline.update(a, texts);
	await settleAll(site.devices);
	await first.outline.delete(a);
	await second.outline.update(a, { name: "edited" });
	await settleAll(site.devices);
	expect(await second.outline.get(a)).toMatchObject({ name: "edited", ...texts });
	await expectEqual(site);
});
