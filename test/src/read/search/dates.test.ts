import { describe, expect, test } from "vitest";
import { newOutline, noon } from "../../../support/outline.js";

/** A search at noon of November 21, 2026, in Berlin. Returns the notes of the hits, or else their names. */
function searched() {
	let now = noon;
	const outline = newOutline({ timeZone: "Europe/Berlin", now: () => now });
	return {
		outline,
		found: async (query: string, order?: "date") =>
			(await outline.search(query, { order })).map(({ node }) => node.name.replace(/<time[^>]*>(.*?)<\/time>/g, "$1")),
		later: (days: number) => {
			now += days * 86_400_000;
		},
	};
}

describe("a search for date:", () => {
	test("finds the dates in names and notes, with and without a time", async () => {
		const { outline, found } = searched();
		await outline.create({ name: "call Ada [2026-12-01 09:30]" });
		await outline.create({ name: "taxes", note: "due [2026-12-31]" });
		await outline.create({ name: "kept [2026-12-15]", format: "text" });
		await outline.create({ name: "`[2026-12-02]` 2026-12-03" });
		expect((await found("date:2026-12")).sort()).toEqual(["call Ada 2026-12-01 09:30", "kept [2026-12-15]", "taxes"]);
		expect(await found("date:2026-12-01..2026-12-10")).toEqual(["call Ada 2026-12-01 09:30"]);
		expect(await found("date:>2026-12-15")).toEqual(["taxes"]);
		expect(await found("date:<2026-12-15 ada")).toEqual(["call Ada 2026-12-01 09:30"]);
		expect(await found("date:2027")).toEqual([]);
		expect(await found("taxes -date:2026-12")).toEqual([]);
		expect((await found("has:date")).length).toBe(3);
	});

	test("reads days in the zone of the outline, and times by their offsets", async () => {
		const { outline, found } = searched();
		// In Berlin, this is the next day.
		await outline.create({ name: '<time datetime="2026-12-01T18:30-05:00">evening</time>' });
		await outline.create({ name: '<time datetime="2026-12-01">day</time>' });
		expect(await found("date:2026-12-01")).toEqual(["day"]);
		expect(await found("date:2026-12-02")).toEqual(["evening"]);
	});

	test("knows today, yesterday and tomorrow, and spans of both directions", async () => {
		const { outline, found, later } = searched();
		for (const [name, day] of [
			["late", "2026-11-19"],
			["yesterday", "2026-11-20"],
			["now", "2026-11-21"],
			["tomorrow", "2026-11-22"],
			["soon", "2026-11-28"],
			["after that", "2026-11-29"],
		]) {
			await outline.create({ name: `${name} [${day}]` });
		}
		const names = async (query: string) => (await found(query, "date")).map((name) => name.replace(/ 2026.*/, ""));
		expect(await names("date:today")).toEqual(["now"]);
		expect(await names("date:<today")).toEqual(["late", "yesterday"]);
		expect(await names("date:>=Tomorrow")).toEqual(["tomorrow", "soon", "after that"]);
		expect(await names("date:yesterday..tomorrow")).toEqual(["yesterday", "now", "tomorrow"]);
		expect(await names("date:+7d")).toEqual(["now", "tomorrow", "soon"]);
		expect(await names("date:+1w -date:today")).toEqual(["tomorrow", "soon"]);
		expect(await names("date:1d")).toEqual(["now", "tomorrow", "soon", "after that"]);
		later(1);
		expect(await names("date:today")).toEqual(["tomorrow"]);
	});

	test("leaves out the entries of the calendar, unless they get another key", async () => {
		const { outline, found } = searched();
		const call = await outline.create({ parent: "2026-12-01", name: "call Ada [2026-12-01]" });
		expect(await found("date:2026-12-01")).toEqual(["call Ada 2026-12-01"]);
		expect(await found("has:date -ada")).toEqual(["Tue, Dec 1, 2026"]);
		await outline.move(call.id, { parent: null });
		// Without the key of the entry, a copy of its name is an ordinary date.
		const { name } = await outline.get("2026-12-01");
		await outline.delete("2026-12-01");
		await outline.update((await outline.create({ name: "x" })).id, { name });
		expect((await found("date:2026-12-01")).sort()).toEqual(["Tue, Dec 1, 2026", "call Ada 2026-12-01"]);
	});

	test("follows changes, mirrors and deletions", async () => {
		const { outline, found } = searched();
		const { id } = await outline.create({ name: "a [2026-12-01]" });
		const place = await outline.create({ name: "place" });
		await outline.mirror(id, { parent: place.id });
		expect(await found("date:2026-12-01 is:mirror")).toEqual(["a 2026-12-01"]);
		await outline.update(id, { name: "b [2026-12-02]", format: "markdown" });
		expect([await found("date:2026-12-01"), await found("date:2026-12-02")]).toEqual([[], ["b 2026-12-02"]]);
		await outline.delete(id, { mirrors: "promote" });
		expect(await found("date:2026-12-02")).toEqual(["b 2026-12-02"]);
	});

	test("is about a property if the value is in quotes", async () => {
		const { outline, found } = searched();
		await outline.create({ name: "with a property", properties: { date: "2026-12-01" } });
		expect([await found("date:2026-12"), await found('date:"2026-12"')]).toEqual([[], ["with a property"]]);
	});
});

describe("the order by date", () => {
	test("is by the first date that the query finds, and nodes without one come last", async () => {
		const { outline, found } = searched();
		await outline.create({ name: "no date, plan" });
		await outline.create({ name: "plan [2026-12-24] [2026-11-30 08:00]" });
		await outline.create({ name: "plan [2026-12-01 09:30]" });
		await outline.create({ name: "plan [2026-12-01]" });
		const hits = await outline.search("plan", { order: "date" });
		expect(hits.map(({ date }) => date)).toEqual([
			"2026-11-30T08:00+01:00",
			"2026-12-01",
			"2026-12-01T09:30+01:00",
			undefined,
		]);
		const december = await outline.search("date:2026-12", { order: "date" });
		expect(december.map(({ date }) => date)).toEqual(["2026-12-01", "2026-12-01T09:30+01:00", "2026-12-24"]);
		expect((await outline.search("plan", { order: "date", limit: 1 }))[0]!.date).toBe("2026-11-30T08:00+01:00");
		expect((await outline.search("plan"))[0]).not.toHaveProperty("date");
		expect(await found("plan -date:2026", "date")).toEqual(["no date, plan"]);
	});

	test("makes an agenda: what is overdue, and what comes", async () => {
		const { outline, found } = searched();
		await outline.create({ name: "- [ ] pay the rent [2026-11-01]" });
		await outline.create({ name: "- [x] done [2026-11-02]" });
		await outline.create({ name: "party [2026-11-03]" });
		await outline.create({ name: "- [ ] water the flowers [2026-11-21]" });
		await outline.create({ name: "lunch [2026-11-21 13:00]" });
		expect(await found("date:<today is:todo -is:completed", "date")).toEqual(["pay the rent 2026-11-01"]);
		expect(await found("date:today", "date")).toEqual(["water the flowers 2026-11-21", "lunch 2026-11-21 13:00"]);
	});
});
