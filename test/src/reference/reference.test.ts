import { describe, expect, test } from "vitest";
import { codeOf, exported, newOutline, planted } from "../../support/outline.js";

const appUrl = "https://Outline.example/app";

async function scene() {
	const { outline, id } = await planted("node #id", { appUrl });
	await outline.setShortcut("home", id);
	await outline.create({ parent: "2026-11-21", name: "entry" });
	await outline.create({ parent: "inbox", name: "thought" });
	return { outline, id, shortId: id.slice(-12) };
}

describe("§2.4 a reference to a node", () => {
	test("may be a full id or a short id in any letter case, or a shortcut", async () => {
		const { outline, id, shortId } = await scene();
		for (const ref of [id, id.toUpperCase(), shortId, shortId.toUpperCase(), "home"]) {
			expect((await outline.get(ref)).id).toBe(id);
			await outline.update(ref, {});
			await outline.complete(ref);
			await outline.uncomplete(ref);
			await outline.move(ref);
		}
	});

	test("may be the inbox or a calendar entry", async () => {
		const { outline } = await scene();
		expect((await outline.get("inbox")).name).toBe("Inbox");
		expect((await outline.get("calendar")).name).toBe("Calendar");
		expect((await outline.get("2026")).name).toBe("2026");
		expect((await outline.get("2026-11")).name).toBe("November");
		const day = await outline.get("2026-11-21");
		expect(day.name).toBe('<time datetime="2026-11-21">Sat, Nov 21, 2026</time>');
		expect(await outline.get("today")).toEqual(day);
	});

	test.each([
		["None", "unsupported_reference"],
		[`${appUrl}/#/0123456789ab`, "unsupported_reference"],
		["", "invalid_reference"],
		["https://elsewhere.example/#/0123456789ab", "invalid_reference"],
		["2026-13", "invalid_reference"],
		["2026-02-30", "invalid_reference"],
		["2025-02-29", "invalid_reference"],
		["2026-11-00", "invalid_reference"],
		["0000", "invalid_reference"],
		["2026-1-2", "not_found"],
		["Today", "not_found"],
		["INBOX", "not_found"],
		["none", "not_found"],
		["word", "not_found"],
		["tomorrow", "not_found"],
		["next_week", "not_found"],
		["2027", "not_found"],
		["000000000000", "not_found"],
		["00000000-0000-4000-8000-000000000000", "not_found"],
		[null, "invalid_argument"],
		[undefined, "invalid_argument"],
		[5, "invalid_argument"],
		[{}, "invalid_argument"],
	])("refuses %j with %s on every operation, and changes nothing", async (ref, code) => {
		const { outline, id } = await scene();
		const before = await exported(outline);
		const operations: ((ref: string) => Promise<unknown>)[] = [
			(each) => outline.get(each),
			(each) => outline.update(each, { name: "x" }),
			(each) => outline.delete(each),
			(each) => outline.plan.delete(each),
			(each) => outline.duplicate(each),
			(each) => outline.move(each, { parent: "2030-01-01" }),
			(each) => outline.mirror(each, { parent: id }),
			(each) => outline.removeMirror(each),
			(each) => outline.complete(each),
			(each) => outline.uncomplete(each),
			(each) => outline.setShortcut("key", each),
		];
		const { history } = outline;
		for (const operation of operations) expect(await codeOf(operation(ref as string))).toBe(code);
		expect(await exported(outline)).toEqual(before);
		expect(outline.history).toEqual(history);
	});
});

describe("§2.4 a reference to a parent", () => {
	test("may be an address, with and without a trailing slash in appUrl, and with the host in any letter case", async () => {
		const { id, shortId } = await scene();
		for (const base of [appUrl, `${appUrl}/`]) {
			const outline = newOutline({ appUrl: base, generateId: () => id });
			await outline.create({ name: "node" });
			for (const address of [`${appUrl}/#/${shortId}`, `https://outline.example/app/#/${shortId.toUpperCase()}`]) {
				expect((await outline.list(address)).nodes).toEqual([]);
			}
		}
	});

	test.each([
		[`${appUrl}/#/word`, "invalid_reference"],
		[`${appUrl}/#/0123456789ab?q=1`, "invalid_reference"],
		["https://outline.example/APP/#/0123456789ab", "invalid_reference"],
		["https://elsewhere.example/#/0123456789ab", "invalid_reference"],
		["http://outline.example/app/#/0123456789ab", "invalid_reference"],
		[`${appUrl}/#/0123456789ab`, "not_found"],
		["", "invalid_reference"],
		["2026-02-30", "invalid_reference"],
		["2026-99", "invalid_reference"],
		["word", "not_found"],
		[5, "invalid_argument"],
	])("refuses %j with %s, and changes nothing", async (parent, code) => {
		const { outline, id } = await scene();
		const before = await exported(outline);
		expect(await codeOf(outline.create({ parent: parent as string, name: "x" }))).toBe(code);
		expect(await codeOf(outline.createTree({ parent: parent as string, name: "x" }))).toBe(code);
		expect(await codeOf(outline.duplicate(id, { parent: parent as string }))).toBe(code);
		expect(await codeOf(outline.list(parent as string))).toBe(code);
		expect(await codeOf(outline.move(id, { parent: parent as string }))).toBe(code);
		expect(await exported(outline)).toEqual(before);
	});

	test("refuses an address if the outline has no appUrl", async () => {
		const outline = newOutline();
		expect(await codeOf(outline.list("https://outline.example/app/#/0123456789ab"))).toBe("invalid_reference");
	});
});

test("a reference of any length and shape takes linear time", async () => {
	const outline = newOutline({ appUrl });
	const long = 300_000;
	for (const [text, code] of [
		[`https:${"/".repeat(long)}`, "invalid_reference"],
		[`${appUrl}${"/#/".repeat(long)}`, "invalid_reference"],
		[`${appUrl}${"/".repeat(long)}#/0123456789ab`, "not_found"],
		["x".repeat(long), "not_found"],
		[`${"x".repeat(long)}:/`, "not_found"],
		["\0".repeat(long), "not_found"],
	] as const) {
		const started = performance.now();
		expect(await codeOf(outline.create({ parent: text, name: "x" }))).toBe(code);
		// A search whose time grows with the square of the length would take minutes.
		expect(performance.now() - started).toBeLessThan(2000);
	}
});
