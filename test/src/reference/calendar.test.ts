import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import { codeOf, exported, newOutline, picture } from "../../support/outline.js";

/** The day that a reference names, at a moment, as the calendar shows it. */
async function day(ref: string, moment: string, options: Parameters<typeof newOutline>[0] = {}): Promise<string> {
	const outline = newOutline({ now: () => Date.parse(moment), ...options });
	const { parentId } = await outline.create({ parent: ref, name: "x" });
	return /datetime="(.*)"/.exec((await outline.get(parentId!)).name)![1]!;
}

describe("§2.4 calendar keys", () => {
	test.each([
		["UTC", "2026-11-21T23:59:59.999Z", "2026-11-21"],
		["UTC", "2026-11-22T00:00:00Z", "2026-11-22"],
		["Europe/Berlin", "2026-11-21T22:59:59Z", "2026-11-21"],
		["Europe/Berlin", "2026-11-21T23:00:00Z", "2026-11-22"],
		["Europe/Berlin", "2026-07-21T22:00:00Z", "2026-07-22"],
		["America/New_York", "2026-03-08T04:59:59Z", "2026-03-07"],
		["America/New_York", "2026-03-09T03:59:59Z", "2026-03-08"],
		["America/New_York", "2026-11-02T04:59:59Z", "2026-11-01"],
		["Pacific/Kiritimati", "2026-12-31T10:00:00Z", "2027-01-01"],
		["Pacific/Pago_Pago", "2026-01-01T10:59:59Z", "2025-12-31"],
		["Asia/Kathmandu", "2026-02-28T18:15:00Z", "2026-03-01"],
		["Africa/Cairo", "2026-04-23T22:00:00Z", "2026-04-24"],
		["America/Sao_Paulo", "2018-11-04T03:00:00Z", "2018-11-04"],
	])("today in %s at %s is %s", async (timeZone, moment, expected) => {
		expect(await day("today", moment, { timeZone })).toBe(expected);
	});

	test.each([
		["2026-11-30T12:00:00Z", "2026-12-01"],
		["2026-12-31T12:00:00Z", "2027-01-01"],
		["2028-02-28T12:00:00Z", "2028-02-29"],
		["2026-02-28T12:00:00Z", "2026-03-01"],
		["2026-03-28T23:30:00Z", "2026-03-30"],
	])("tomorrow of %s in Berlin is %s", async (moment, expected) => {
		expect(await day("tomorrow", moment, { timeZone: "Europe/Berlin" })).toBe(expected);
	});

	test("next_week is the first day of next week, strictly after today, for every week start", async () => {
		await fc.assert(
			fc.asyncProperty(fc.nat(3000), fc.constantFrom(0, 1, 2, 3, 4, 5, 6), async (days, weekStartsOn) => {
				const today = Date.UTC(2024, 0, 1 + days);
				const found = Date.parse(
					await day("next_week", new Date(today + 3_600_000).toISOString(), { weekStartsOn } as never),
				);
				expect(new Date(found).getUTCDay()).toBe(weekStartsOn);
				expect(found).toBeGreaterThan(today);
				expect(found - today).toBeLessThanOrEqual(7 * 86_400_000);
			}),
			{ numRuns: 300 },
		);
	});

	test.each(["0001-01-01", "0099-12-31", "1582-10-15", "9999-12-31", "2000-02-29"])("%s is a day", async (key) => {
		const outline = newOutline();
		await outline.create({ parent: key, name: "x" });
		expect((await outline.get(key)).name).toContain(`<time datetime="${key}">`);
		expect((await outline.get(key)).name).toContain(`${key.slice(0, 4)}</time>`);
		expect((await outline.get(key.slice(0, 4))).name).toBe(key.slice(0, 4));
	});

	test.each(["1900-02-29", "2100-02-29", "2026-04-31", "2026-00-10", "2026-00", "0000-01-01"])(
		"%s is no day, and nothing is made for it",
		async (key) => {
			const outline = newOutline();
			expect(await codeOf(outline.create({ parent: key, name: "x" }))).toBe("invalid_reference");
			expect(await exported(outline)).toEqual([]);
		},
	);
});

describe("§4.1 and §4.6 materializing", () => {
	test("creates only what is missing, at the bottom of the top level", async () => {
		const outline = newOutline();
		await outline.create({ name: "mine" });
		await outline.create({ parent: "2026-11", name: "a" });
		await outline.create({ parent: "2026-11-01", name: "b" });
		await outline.create({ parent: "inbox", name: "c" });
		expect(await picture(outline)).toBe(
			[
				"mine",
				"Calendar",
				"  2026",
				"    November",
				"      a",
				'      <time datetime="2026-11-01">Sun, Nov 1, 2026</time>',
				"        b",
				"Inbox",
				"  c",
			].join("\n"),
		);
	});

	test("move makes the day too, and a failing move makes none", async () => {
		const outline = newOutline();
		const { id } = await outline.create({ name: "x" });
		expect(await codeOf(outline.move("nowhere", { parent: "today" }))).toBe("not_found");
		expect((await exported(outline)).length).toBe(1);
		await outline.move(id, { parent: "today" });
		expect((await outline.list("2026-11-21")).nodes.map((node) => node.id)).toEqual([id]);
	});

	test("retrieve and list never make anything", async () => {
		const outline = newOutline();
		for (const key of ["calendar", "today", "tomorrow", "next_week", "2026", "2026-11", "2026-11-21"]) {
			expect(await codeOf(outline.get(key))).toBe("not_found");
			expect(await codeOf(outline.list(key))).toBe("not_found");
		}
		expect(await codeOf(outline.get("inbox"))).toBe("not_found");
		expect(await outline.list("inbox")).toEqual({ nodes: [] });
		expect(await exported(outline)).toEqual([]);
	});

	test("entries stand in chronological order, in whatever order they are made", async () => {
		await fc.assert(
			fc.asyncProperty(fc.shuffledSubarray(everyDayAround2026(), { minLength: 2, maxLength: 40 }), async (days) => {
				const outline = newOutline();
				for (const each of days) await outline.create({ parent: each, name: "x" });
				for (const key of ["calendar", "2026", "2026-01", "2025", "2027-02"]) {
					const listed = await outline.list(key).catch(() => ({ nodes: [] }));
					const order = listed.nodes.map(({ name }) => chronological(name)).filter((each) => each !== "x");
					expect(order).toEqual([...order].sort());
				}
			}),
			{ numRuns: 100 },
		);
	});

	test("a new entry goes directly after the one before it, wherever users have put other nodes", async () => {
		const outline = newOutline();
		await outline.create({ parent: "2026-11-10", name: "x" });
		await outline.create({ parent: "2026-11", name: "mine below", position: "bottom" });
		await outline.create({ parent: "2026-11", name: "mine above", position: "top" });
		await outline.create({ parent: "2026-11-20", name: "x" });
		await outline.create({ parent: "2026-11-01", name: "x" });
		expect((await outline.list("2026-11")).nodes.map(({ name }) => chronological(name))).toEqual([
			"mine above",
			"2026-11-01",
			"2026-11-10",
			"2026-11-20",
			"mine below",
		]);
	});

	test("the first entry goes to the bottom, and no entry minds one that was moved away", async () => {
		const outline = newOutline();
		for (const name of ["a", "b"]) await outline.create({ name, position: "bottom" });
		const month = (await outline.create({ name: "x", parent: "2026-11" })).parentId!;
		expect((await outline.list()).nodes.map(({ name }) => name)).toEqual(["a", "b", "Calendar"]);
		await outline.create({ name: "y", parent: month, position: "bottom" });
		const names = async () => (await outline.list(month)).nodes.map(({ name }) => name);
		const day = async (key: string) => (await outline.create({ name: "z", parent: key })).parentId!;
		await day("2026-11-20");
		const twentieth = (await outline.get("2026-11-20")).name;
		expect(await names()).toEqual(["x", "y", twentieth]);
		await outline.move(await day("2026-11-10"), { parent: null, position: "bottom" });
		await outline.create({ name: "w", parent: month, position: "top" });
		const fifteenth = (await outline.get(await day("2026-11-15"))).name;
		expect(await names()).toEqual(["w", "x", "y", fifteenth, twentieth]);
	});

	test("an entry is known by its key: renaming, moving and completing it keeps it", async () => {
		const outline = newOutline();
		await outline.create({ parent: "today", name: "x" });
		const { id } = await outline.update("today", { name: "My day" });
		await outline.move("today", { parent: null });
		expect((await outline.create({ parent: "2026-11-21", name: "y" })).parentId).toBe(id);
		await outline.create({ parent: "2026-11-22", name: "z" });
		expect((await outline.list("2026-11")).nodes.length).toBe(1);
		await outline.move("2026-11", { parent: null });
		await outline.create({ parent: "2026-11-23", name: "z" });
		expect((await outline.list("2026-11")).nodes.length).toBe(2);
	});

	test("a move to a new day that makes the moved node's siblings give way loses none of them", async () => {
		const outline = newOutline();
		await outline.create({ parent: "2026-10-01", name: "x" });
		const plan = await outline.create({ parent: "2026-10", name: "Plan", position: "bottom" });
		for (let each = 2; each <= 21; each++) {
			await outline.create({ parent: `2026-10-${String(each).padStart(2, "0")}`, name: "x" });
		}
		for (let each = 22; each <= 31; each++) {
			await outline.move(plan.id, { parent: `2026-10-${each}` });
			await outline.move(plan.id, { parent: "2026-10", position: "bottom" });
		}
		const { nodes } = await outline.list("2026-10");
		expect(nodes.map(({ name }) => chronological(name))).toEqual([
			...Array.from({ length: 31 }, (_, index) => `2026-10-${String(index + 1).padStart(2, "0")}`),
			"Plan",
		]);
	});

	test("two concurrent creations of one day give one day, from one outline and from two", async () => {
		const storage = createMemoryStorage();
		const outlines = [newOutline({ storage }), newOutline({ storage })];
		const made = await Promise.all(
			Array.from({ length: 20 }, (_, index) => outlines[index % 2]!.create({ parent: "today", name: `${index}` })),
		);
		expect(new Set(made.map(({ parentId }) => parentId)).size).toBe(1);
		expect((await exported(outlines[0]!)).length).toBe(24);
	});

	test("many insertions at one spot keep priorities distinct integers", async () => {
		const outline = newOutline();
		const days = Array.from({ length: 31 }, (_, index) => `2026-01-${String(31 - index).padStart(2, "0")}`);
		await outline.create({ parent: "2026-01-01", name: "x" });
		for (const each of days) await outline.create({ parent: each, name: "x" });
		const { nodes } = await outline.list("2026-01");
		expect(nodes.map(({ name }) => chronological(name))).toEqual([...days].sort());
		expect(new Set(nodes.map(({ priority }) => priority)).size).toBe(31);
		expect(nodes.every(({ priority }) => Number.isSafeInteger(priority))).toBe(true);
	});
});

test("the clock is asked once for each call, and refused if it gives no time", async () => {
	let asked = 0;
	const outline = newOutline({
		now: () => {
			asked += 1;
			return 1_500;
		},
	});
	expect(await outline.create({ name: "x" })).toMatchObject({ createdAt: 1, modifiedAt: 1 });
	expect(asked).toBe(1);
	for (const moment of [
		Number.NaN,
		Number.POSITIVE_INFINITY,
		"12",
		8.64e15,
		Date.UTC(9999, 11, 31),
		-8.64e15,
		undefined,
	]) {
		await expect(newOutline({ now: () => moment as number }).create({ name: "x" })).rejects.toThrow(TypeError);
	}
	expect(await newOutline({ now: () => -1_500 }).create({ name: "x" })).toMatchObject({ createdAt: -2 });
});

const monthNames = "January February March April May June July August September October November December".split(" ");

/** What a calendar entry sorts by; a name of anything else as it is. */
function chronological(name: string): string {
	const month = monthNames.indexOf(name);
	return month >= 0 ? String(month).padStart(2, "0") : (/datetime="(.*?)"/.exec(name)?.[1] ?? name);
}

function everyDayAround2026(): string[] {
	return Array.from({ length: 500 }, (_, index) => new Date(Date.UTC(2025, 11, 1 + index)).toISOString().slice(0, 10));
}
