import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../../../../adapters/memory.js";
import { createBriefStorage, createStandingStorage } from "../../../support/brief-feed.js";
import { codeOf, newOutline, noon, plant } from "../../../support/outline.js";

const scene = `
trip #trip
  book the *ferry* #work #ferry
  Café in Bergen @ada #cafe
plans #plans
  ferry timetable #timetable`.replace("#work #ferry", "\\#work #ferry");

async function planted() {
	let now = noon;
	const storage = createMemoryStorage();
	const options = { storage, appUrl: "https://notes.example", now: () => now };
	const outline = newOutline(options);
	const marks = await plant<"trip" | "ferry" | "cafe" | "plans" | "timetable">(outline, scene);
	const found = async (query: string, input = {}) => (await outline.search(query, input)).map(({ node }) => node.id);
	return {
		outline,
		...marks,
		found,
		other: newOutline(options),
		later: (days: number) => {
			now += days * 86_400_000;
		},
	};
}

describe("search", () => {
	test("finds nodes by their texts, with their paths, the best first", async () => {
		const { outline, trip, ferry, cafe, timetable, found } = await planted();
		expect((await found("ferry")).sort()).toEqual([ferry, timetable].sort());
		expect(await found("cafe")).toEqual([cafe]);
		expect(await found("ferry -timetable")).toEqual([ferry]);
		expect((await found("timetable OR bergen")).sort()).toEqual([cafe, timetable].sort());
		const [hit] = await outline.search('"the ferry"');
		expect(hit).toEqual({ node: await outline.get(ferry), path: [trip, ferry], score: expect.any(Number) });
		expect(await found("time")).toEqual([timetable]);
		expect(await found("@ada")).toEqual([cafe]);
		expect(await found("#work")).toEqual([ferry]);
		expect(await outline.tags()).toEqual([
			{ tag: "#work", count: 1 },
			{ tag: "@ada", count: 1 },
		]);
	});

	test("finds all nodes if the storage ends its answers before the limit, as for long texts", async () => {
		const outline = newOutline({ storage: createBriefStorage() });
		for (let count = 0; count < 12; count++) await outline.create({ name: `boat ${count}` });
		expect(await outline.search("boat")).toHaveLength(12);
	});

	test("ends if the storage is broken, and never goes on from a revision", async () => {
		const outline = newOutline({ storage: createStandingStorage() });
		await outline.create({ name: "boat" });
		expect(await outline.search("boat")).toHaveLength(1);
	});

	test("includes the latest changes of this outline, of another outline, and of a batch", async () => {
		const { outline, other, ferry, cafe, timetable, plans, found, later } = await planted();
		expect(await found("boat")).toEqual([]);
		await outline.update(ferry, { name: "boat" });
		expect(await found("boat")).toEqual([ferry]);
		await other.update(cafe, { name: "boat too" });
		expect((await found("boat")).sort()).toEqual([ferry, cafe].sort());
		await other.delete(ferry);
		expect(await found("boat")).toEqual([cafe]);
		later(10);
		await outline.batch([
			{ type: "create", as: "a", parent: plans, name: "a new boat" },
			{ type: "update", ref: timetable, note: "of the boat" },
			{ type: "delete", ref: cafe },
		]);
		expect(await found("boat modified:7d in:note")).toEqual([timetable]);
		expect(await found("boat")).toHaveLength(2);
		await Promise.all([outline.create({ name: "boat" }), outline.search("boat"), other.create({ name: "boat" })]);
		expect(await Promise.all([found("boat"), found("boat"), other.search("boat")])).toMatchObject([
			{ length: 4 },
			{ length: 4 },
			{ length: 4 },
		]);
	});

	test("finds only nodes in the given subtree, including mirrors, and up to the limit", async () => {
		const { outline, trip, ferry, timetable, plans, found } = await planted();
		expect(await found("ferry", { within: trip })).toEqual([ferry]);
		expect(await found("ferry", { within: `https://notes.example/#/${plans.slice(-12)}` })).toEqual([timetable]);
		await outline.mirror(trip, { parent: plans });
		expect((await found("ferry", { within: plans })).sort()).toEqual([ferry, timetable].sort());
		expect(await found("ferry", { within: null, limit: 1 })).toHaveLength(1);
	});

	test("returns more than 1,000 hits if there is no limit", async () => {
		const outline = newOutline();
		await outline.import("- needle\n".repeat(1500), { format: "markdown" });
		expect(await outline.search("needle", { limit: 1000 })).toHaveLength(1000);
		const all = await outline.search("needle", { limit: Number.POSITIVE_INFINITY });
		expect(new Set(all.map(({ node }) => node.id)).size).toBe(1500);
	});

	test("returns the nodes that link to a node", async () => {
		const { outline, trip, ferry, cafe, timetable, plans, found } = await planted();
		await outline.update(timetable, { note: `see https://notes.example/#/${ferry.slice(-12)}` });
		await outline.update(cafe, { name: `<a href="https://notes.example/#/${ferry.slice(-12)}">x</a>` });
		const links = await outline.backlinks(ferry);
		expect(links.map(({ node }) => node.id).sort()).toEqual([cafe, timetable].sort());
		expect(await outline.backlinks(cafe)).toEqual([]);
		expect((await found(`links:${ferry}`)).sort()).toEqual([cafe, timetable].sort());
		expect(await found(`links:${ferry.slice(-12).toUpperCase()} cafe OR x`, { within: trip })).toEqual([cafe]);
		expect(await found(`ferry -links:${ferry}`)).toEqual([ferry]);
		const mirror = await outline.mirror(cafe, { parent: plans });
		expect(await found(`links:${ferry} is:mirror`)).toEqual([mirror.id]);
		await outline.delete(ferry);
		expect((await found(`links:${ferry}`)).sort()).toEqual([cafe, timetable].sort());
		await outline.update(timetable, { note: null });
		expect(await found(`links:${ferry}`)).toEqual([cafe]);
		expect(await codeOf(outline.backlinks("nowhere"))).toBe("not_found");
	});

	test("returns the names above each hit, and the ranges that match, if the caller asks for them", async () => {
		const { outline, trip, ferry, plans } = await planted();
		const [hit] = await outline.search("the fer", { ancestors: true, ranges: true });
		expect(hit).toEqual({
			node: await outline.get(ferry),
			path: [trip, ferry],
			score: expect.any(Number),
			ancestors: [{ id: trip, name: "trip" }],
			// In "book the ferry #work".
			ranges: {
				name: [
					{ start: 5, end: 8 },
					{ start: 9, end: 12 },
				],
				note: [],
			},
		});
		const [plain] = await outline.search("the fer");
		expect([plain!.ancestors, plain!.ranges]).toEqual([undefined, undefined]);
		expect((await outline.search("trip", { ancestors: true }))[0]!.ancestors).toEqual([]);
		// An ancestor may be a mirror: it has the name of its origin.
		await outline.update(trip, { name: "<b>journey</b>" });
		const mirror = await outline.mirror(trip, { parent: plans });
		await outline.move((await outline.create({ name: "own" })).id, { parent: mirror.id });
		expect((await outline.search("own", { ancestors: true }))[0]!.ancestors).toEqual([
			{ id: plans, name: "plans" },
			{ id: mirror.id, name: "<b>journey</b>" },
		]);
	});

	test("refuses queries that it can't parse, wrong limits, a missing node and a closed outline", async () => {
		const { outline } = await planted();
		for (const query of ["", "is:nonsense", 'an "open quote', "created:soon", 1 as unknown as string]) {
			expect(await codeOf(outline.search(query)), String(query)).toBe("invalid_argument");
		}
		for (const limit of [0, 1001, 1.5, Number.NaN, Number.NEGATIVE_INFINITY, "1" as unknown as number]) {
			expect(await codeOf(outline.search("x", { limit }))).toBe("invalid_argument");
		}
		for (const pathLength of [0, 1.5, Number.NaN, "1" as unknown as number]) {
			expect(await codeOf(outline.search("x", { pathLength }))).toBe("invalid_argument");
			expect(await codeOf(outline.backlinks("inbox", { pathLength }))).toBe("invalid_argument");
			expect(await codeOf(outline.backlinks("inbox", { limit: pathLength }))).toBe("invalid_argument");
		}
		for (const input of [{ order: "name" }, { ancestors: 1 }, { ranges: "yes" }, { path: true }, 1, null]) {
			expect(await codeOf(outline.search("x", input as object)), JSON.stringify(input)).toBe("invalid_argument");
		}
		expect(await codeOf(outline.search("x", { within: "nowhere" }))).toBe("not_found");
		await outline.close();
		expect(await codeOf(outline.search("x"))).toBe("closed");
		expect(await codeOf(outline.tags())).toBe("closed");
	});
});
