import { describe, expect, test } from "vitest";
import { newOutline } from "../../support/outline.js";
import { type OperationOn, prove, proveRefusal, proveUnchanged } from "../../support/prove.js";

const scene = "a #a\n  b #b\nplace\n  (mirror a) #mirror";
const picture = "a\n  b\nplace\n  (mirror a)";

describe("§2.4 a shortcut", () => {
	const given: OperationOn<typeof scene> = ({ outline, a }) => outline.setShortcut("key", a);

	test.each<["b" | "mirror" | null, OperationOn<typeof scene>]>([
		["b", ({ outline, b }) => outline.setShortcut("key", b)],
		["mirror", ({ outline, mirror }) => outline.setShortcut("key", mirror)],
		[null, ({ outline }) => outline.deleteShortcut("key")],
	])("points at %s after an operation that leaves the nodes as they are", async (target, operation) => {
		const proven = await prove(scene, operation, picture, { given });
		const found = await proven.outline.get("key").catch(({ code }) => ({ id: code }));
		expect(found.id).toBe(target === null ? "not_found" : proven[target]);
	});

	test("stays as it is if it points at the node already", async () => {
		await proveUnchanged(scene, ({ outline, a }) => outline.setShortcut("key", a), { given });
	});

	test("of a calendar key points at that day on later days too", async () => {
		let now = Date.UTC(2026, 10, 21);
		const outline = newOutline({ now: () => now });
		await outline.create({ parent: "today", name: "x" });
		await outline.setShortcut("now", "today");
		now += 86_400_000;
		expect(await outline.get("now")).toEqual(await outline.get("2026-11-21"));
	});

	test.each(["__proto__", "constructor", "Today", "a/b", "ü ☃ key", " "])("may have the key %j", async (key) => {
		const { outline, a } = await prove(scene, ({ outline, a }) => outline.setShortcut(key, a), picture);
		expect((await outline.get(key)).id).toBe(a);
		expect((await outline.targets()).at(-1)).toEqual({ key, type: "shortcut", name: "a" });
	});

	test("has a key without the characters that no text may contain", async () => {
		const key = "a\0b\r\nc\ud800";
		const { outline, a } = await prove(scene, ({ outline, a }) => outline.setShortcut(key, a), picture);
		expect((await outline.targets()).at(-1)?.key).toBe("ab\nc\ufffd");
		for (const each of [key, "ab\nc\ufffd"]) expect((await outline.get(each)).id).toBe(a);
	});

	test.each([
		...["None", "inbox", "calendar", "today", "tomorrow", "next_week", "to\0day"],
		...["2026", "2026-11", "2026-11-21", "2026-99"],
		...["0123456789ab", "0123456789AB", "00000000-0000-4000-8000-000000000000"],
		...["https://outline.example/#/0123456789ab", "https://elsewhere.example/"],
	])("can't have the reserved key %j", async (key) => {
		const appUrl = "https://outline.example";
		await proveRefusal(scene, ({ outline, a }) => outline.setShortcut(key, a), "reserved_key", { appUrl });
		await proveRefusal(scene, ({ outline }) => outline.deleteShortcut(key), "reserved_key", { appUrl });
	});

	test.each(["", "\0", "x".repeat(257), null, 5, undefined])("can't have the key %j", async (key) => {
		await proveRefusal(scene, ({ outline, a }) => outline.setShortcut(key as string, a), "invalid_argument");
	});

	test("must be there to be deleted", async () => {
		await proveRefusal(scene, ({ outline }) => outline.deleteShortcut("key"), "not_found");
	});
});
