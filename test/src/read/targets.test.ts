import { describe, expect, test } from "vitest";
import { unusedId } from "../../support/ids.js";
import { codeOf, newOutline, plant } from "../../support/outline.js";

describe("§2.3, §4.12 targets", () => {
	test("system targets are always listed, with the name of their node or null", async () => {
		const outline = newOutline();
		const empty = ["inbox", "calendar", "today", "tomorrow", "next_week"].map((key) => ({
			key,
			type: "system",
			name: null,
		}));
		expect(await outline.targets()).toEqual(empty);
		await outline.create({ parent: "inbox", name: "x" });
		await outline.create({ parent: "tomorrow", name: "x" });
		expect((await outline.targets()).map(({ name }) => name)).toEqual([
			"Inbox",
			"Calendar",
			null,
			'<time datetime="2026-11-22">Sun, Nov 22, 2026</time>',
			null,
		]);
	});

	test("shortcuts follow by key, with the content of a mirror's origin", async () => {
		const outline = newOutline();
		const { origin, mirror } = await plant<"origin" | "mirror">(outline, "a #origin\nplace\n  (mirror origin) #mirror");
		await outline.setShortcut("work", origin);
		await outline.setShortcut("home", mirror);
		await outline.update(origin, { name: "renamed" });
		expect((await outline.targets()).slice(5)).toEqual([
			{ key: "home", type: "shortcut", name: "renamed" },
			{ key: "work", type: "shortcut", name: "renamed" },
		]);
		expect((await outline.get("home")).id).toBe(mirror);
	});

	test("setting a key again replaces it; deleting it leaves the node", async () => {
		const outline = newOutline();
		const { a, b } = await plant<"a" | "b">(outline, "a #a\nb #b");
		await outline.setShortcut("x", a);
		await outline.setShortcut("x", b);
		expect((await outline.get("x")).id).toBe(b);
		await outline.deleteShortcut("x");
		expect(await codeOf(outline.get("x"))).toBe("not_found");
		expect(await codeOf(outline.deleteShortcut("x"))).toBe("not_found");
		expect((await outline.get(b)).name).toBe("b");
	});

	test("a shortcut of a calendar key always points at that day, and creates no node", async () => {
		const outline = newOutline();
		expect(await codeOf(outline.setShortcut("now", "today"))).toBe("not_found");
		await outline.create({ parent: "today", name: "x" });
		await outline.setShortcut("now", "today");
		expect((await outline.get("now")).id).toBe((await outline.get("2026-11-21")).id);
	});

	test.each([
		"None",
		"inbox",
		"calendar",
		"today",
		"tomorrow",
		"next_week",
		"2026",
		"2026-11",
		"2026-11-21",
		"2026-99",
		"0123456789ab",
		"0123456789AB",
		unusedId,
		"https://outline.example/#/0123456789ab",
		"https://elsewhere.example/",
	])("%s is reserved", async (key) => {
		const outline = newOutline({ appUrl: "https://outline.example" });
		const { id } = await outline.create({ name: "x" });
		expect(await codeOf(outline.setShortcut(key, id))).toBe("reserved_key");
	});

	test.each(["", "x".repeat(257), null, 5, undefined])("%j is not a key", async (key) => {
		const outline = newOutline();
		const { id } = await outline.create({ name: "x" });
		expect(await codeOf(outline.setShortcut(key as string, id))).toBe("invalid_argument");
	});

	test("keys are cleaned like all text, before they are checked", async () => {
		const outline = newOutline();
		const { id } = await outline.create({ name: "x" });
		await outline.setShortcut("a\0b\r\nc\ud800", id);
		expect((await outline.targets()).at(-1)?.key).toBe("ab\nc\ufffd");
		expect((await outline.get("ab\nc\ufffd")).id).toBe(id);
		expect((await outline.get("a\0b\r\nc\ud800")).id).toBe(id);
		expect(await codeOf(outline.setShortcut("to\0day", id))).toBe("reserved_key");
		expect(await codeOf(outline.setShortcut("\0", id))).toBe("invalid_argument");
	});

	test.each(["__proto__", "constructor", "Today", "a/b", "ü ☃ key", " "])("%j is an ordinary key", async (key) => {
		const outline = newOutline();
		const { id } = await outline.create({ name: "x" });
		await outline.setShortcut(key, id);
		expect((await outline.get(key)).id).toBe(id);
		expect((await outline.targets()).at(-1)).toEqual({ key, type: "shortcut", name: "x" });
		await outline.deleteShortcut(key);
	});
});
