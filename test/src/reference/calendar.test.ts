import fc from "fast-check";
import { v5 } from "uuid";
import { describe, expect, test } from "vitest";
import type { Outline } from "../../../src/outline.js";
import { codeOf, exported, newOutline } from "../../support/outline.js";
import { prove, proveRefusal } from "../../support/prove.js";

/** The day that a reference names at a moment, as the calendar shows it. */
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

	test.each(["0001-01-01", "0099-12-31", "1582-10-15", "9999-12-31", "2000-02-29"])(
		"creates the day %s",
		async (key) => {
			const outline = newOutline();
			await outline.create({ parent: key, name: "x" });
			expect((await outline.get(key)).name).toContain(`<time datetime="${key}">`);
			expect((await outline.get(key)).name).toContain(`${key.slice(0, 4)}</time>`);
			expect((await outline.get(key.slice(0, 4))).name).toBe(key.slice(0, 4));
		},
	);

	test.each(["1900-02-29", "2100-02-29", "2026-04-31", "2026-00-10", "2026-00", "0000-01-01"])(
		"refuses %s, and creates nothing",
		async (key) => {
			await proveRefusal("", ({ outline }) => outline.create({ parent: key, name: "x" }), "invalid_reference");
		},
	);
});

describe("§4.1, §4.6 a reference to the calendar", () => {
	test("creates only the missing nodes, at the bottom of the top level", async () => {
		await prove(
			"mine",
			async ({ outline }) => {
				await outline.create({ parent: "2026-11", name: "a" });
				await outline.create({ parent: "2026-11-01", name: "b" });
				await outline.create({ parent: "inbox", name: "c" });
			},
			`
			mine
			Calendar
			  2026
			    November
			      a
			      <time datetime="2026-11-01">Sun, Nov 1, 2026</time>
			        b
			Inbox
			  c`,
		);
	});

	test("creates a month for a node that moves there", async () => {
		const picture = "Calendar\n  2026\n    November\n      x";
		await prove("x #x", ({ outline, x }) => outline.move(x, { parent: "2026-11" }), picture);
	});

	test("creates nothing in get and list", async () => {
		const outline = newOutline();
		for (const key of ["calendar", "today", "tomorrow", "next_week", "2026", "2026-11", "2026-11-21"]) {
			expect(await codeOf(outline.get(key))).toBe("not_found");
			expect(await codeOf(outline.list(key))).toBe("not_found");
		}
		expect(await codeOf(outline.get("inbox"))).toBe("not_found");
		expect(await outline.list("inbox")).toEqual({ nodes: [] });
		expect(await exported(outline)).toEqual([]);
	});

	test("keeps entries in chronological order, in any order of their creation", async () => {
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

	const months = async (outline: Outline, ...keys: string[]) => {
		for (const parent of keys) await outline.create({ parent, name: "x" });
	};

	/** Proves what entries for keys lead to in an outline that users have changed. */
	const proveEntries = (keys: string[], picture: string, changed: (outline: Outline) => Promise<unknown>) =>
		prove("", ({ outline }) => months(outline, ...keys), picture, { given: ({ outline }) => changed(outline) });

	test("puts a new entry directly after the entry before it, wherever users have put other nodes", async () => {
		const below2026 = "mine above\n    January\n      x\n    February\n      x\n    May\n      x\n    mine below";
		await proveEntries(["2026-05", "2026-01"], `Calendar\n  2026\n    ${below2026}`, async (outline) => {
			await months(outline, "2026-02");
			await outline.create({ parent: "2026", name: "mine below", position: "bottom" });
			await outline.create({ parent: "2026", name: "mine above", position: "top" });
		});
	});

	test("puts the first entry at the bottom", async () => {
		await prove("a\nb", ({ outline }) => months(outline, "2026"), "a\nb\nCalendar\n  2026\n    x");
		await proveEntries(["2026-08"], "Calendar\n  2026\n    x\n    y\n    August\n      x", async (outline) => {
			await months(outline, "2026");
			await outline.create({ parent: "2026", name: "y", position: "bottom" });
		});
	});

	test("ignores entries that users have moved to another parent", async () => {
		const picture = "Calendar\n  2026\n    w\n    May\n      x\n    August\n      x\nMarch\n  x";
		await proveEntries(["2026-05"], picture, async (outline) => {
			await months(outline, "2026-08", "2026-03");
			await outline.move("2026-03", { parent: null, position: "bottom" });
			await outline.create({ parent: "2026", name: "w" });
		});
	});

	test("finds an entry by its key after a user has renamed, moved and completed it", async () => {
		const picture = "my month\n  x\n  x\nCalendar\n  2026\n    December\n      x";
		await proveEntries(["2026-11", "2026-12"], picture, async (outline) => {
			await months(outline, "2026-11");
			await outline.update("2026-11", { name: "my month" });
			await outline.complete("2026-11");
			await outline.move("2026-11", { parent: null });
		});
	});

	test("loses no sibling of a node that moves to a new day, even if siblings get new priorities", async () => {
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

	test("gives each entry the id of its key, on every device and in any order, and asks the host for none", async () => {
		const keys = ["inbox", "calendar", "2026", "2026-12", "2026-12-24", "2027-01-01", "2026-11-21"];
		const generateId = () => {
			throw new Error("asked for an id");
		};
		const [here, there] = [newOutline({ generateId }), newOutline({ generateId })];
		for (const key of keys) await here.ensure(key);
		for (const key of keys.toReversed()) await there.ensure(key);
		for (const key of keys) expect((await here.get(key)).id).toBe((await there.get(key)).id);
		// The ids are part of the format of stored outlines: they must never change.
		expect((await here.get("inbox")).id).toBe("4789ceb1-befe-531a-96cc-294e049e3ca9");
		expect((await here.get("calendar")).id).toBe("10daea0c-e95b-59e6-995e-787dd1e3e690");
		expect((await here.get("2026-11-21")).id).toBe(v5("2026-11-21", "5b6c1c0e-7c1d-4f43-9a0e-2f6a8a1d3c57"));
	});

	test("draws another id if that of the key, or its short id, is in use", async () => {
		const inbox = "4789ceb1-befe-531a-96cc-294e049e3ca9";
		const twin = `ffffffff-0000-4000-8000-${inbox.slice(-12)}`;
		const drawn = "aaaaaaaa-0000-4000-8000-000000000001";
		for (const first of [inbox, twin]) {
			const ids = [first, drawn];
			const outline = newOutline({ generateId: () => ids.shift()! });
			await outline.create({ name: "taken" });
			expect((await outline.ensure("inbox")).id).toBe(drawn);
			expect((await outline.verify()).problems).toEqual([]);
		}
		// In one commit: the new node has drawn the id before its parent is created.
		for (const first of [inbox, twin]) {
			const ids = [first, drawn, "bbbbbbbb-0000-4000-8000-000000000002"];
			const outline = newOutline({ generateId: () => ids.shift()! });
			const { id, parentId } = await outline.create({ name: "child", parent: "inbox" });
			expect(new Set([id.slice(-12), parentId!.slice(-12)]).size).toBe(2);
			expect((await outline.verify()).problems).toEqual([]);
			let count = 0;
			const batched = newOutline({ generateId: () => [first, drawn][count++ % 2]! });
			await batched.batch([
				{ type: "ensure", ref: "inbox" },
				{ type: "delete", ref: "inbox" },
				{ type: "ensure", ref: "inbox" },
			]);
			expect((await batched.verify()).problems).toEqual([]);
		}
	});

	test("keeps priorities distinct integers after many insertions at one place", async () => {
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

test("each call reads the clock once, and refuses a clock without a valid time", async () => {
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

/** The text that a calendar entry sorts by; any other name unchanged. */
function chronological(name: string): string {
	const month = monthNames.indexOf(name);
	return month >= 0 ? String(month).padStart(2, "0") : (/datetime="(.*?)"/.exec(name)?.[1] ?? name);
}

function everyDayAround2026(): string[] {
	return Array.from({ length: 500 }, (_, index) => new Date(Date.UTC(2025, 11, 1 + index)).toISOString().slice(0, 10));
}
