import { describe, expect, test } from "vitest";
import { type OperationOn, prove, proveRefusal } from "../../support/prove.js";

const scene = "a #a\n  b #b\nplace\n  (mirror a) #mirror";
const picture = "a\n  b\nplace\n  (mirror a)";

describe("§2.4 a shortcut", () => {
	test.each<["a" | "b" | "mirror" | null, OperationOn<typeof scene>]>([
		["b", ({ outline, b }) => outline.setShortcut("key", b)],
		["mirror", ({ outline, mirror }) => outline.setShortcut("key", mirror)],
		["a", ({ outline, a }) => outline.setShortcut("key", a)],
		[null, ({ outline }) => outline.deleteShortcut("key")],
	])("points at %s after an operation that leaves the nodes as they are", async (target, operation) => {
		const proven = await prove(scene, operation, picture, { given: ({ outline, a }) => outline.setShortcut("key", a) });
		const found = await proven.outline.get("key").catch(({ code }) => ({ id: code }));
		expect(found.id).toBe(target === null ? "not_found" : proven[target]);
	});

	test("of a calendar key points at the day of that time", async () => {
		const { outline } = await prove(
			"",
			({ outline }) => outline.setShortcut("now", "2026"),
			"Calendar\n  2026\n    x",
			{ given: ({ outline }) => outline.create({ parent: "2026", name: "x" }) },
		);
		expect(await outline.get("now")).toEqual(await outline.get("2026"));
	});

	test.each<[string, string, OperationOn<typeof scene>]>([
		["not_found", "a node that isn't there", ({ outline }) => outline.setShortcut("key", "nowhere")],
		["not_found", "a day that isn't there", ({ outline }) => outline.setShortcut("key", "today")],
		["reserved_key", "a system key", ({ outline, a }) => outline.setShortcut("inbox", a)],
		["invalid_argument", "an empty key", ({ outline, a }) => outline.setShortcut("", a)],
		["not_found", "the deletion of a key that isn't there", ({ outline }) => outline.deleteShortcut("key")],
		["reserved_key", "the deletion of a system key", ({ outline }) => outline.deleteShortcut("2026")],
	])("is refused with %s for %s", async (code, _, operation) => {
		await proveRefusal(scene, operation, code);
	});
});
