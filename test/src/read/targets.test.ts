import { describe, expect, test } from "vitest";
import { newOutline, planted } from "../../support/outline.js";

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
		const { outline, origin, mirror } = await planted("a #origin\nplace\n  (mirror origin) #mirror");
		await outline.setShortcut("work", origin);
		await outline.setShortcut("home", mirror);
		await outline.update(origin, { name: "renamed" });
		expect((await outline.targets()).slice(5)).toEqual([
			{ key: "home", type: "shortcut", name: "renamed" },
			{ key: "work", type: "shortcut", name: "renamed" },
		]);
		expect((await outline.get("home")).id).toBe(mirror);
	});
});
