import { describe, expect, test } from "vitest";
import { serving, short } from "./session.js";

describe("search", () => {
	test("gives nodes with what is above them, the nearest first", async () => {
		const { session, trip, bookings, boat } = await serving("Trip #trip\n  Bookings #bookings\n    the **boat** #boat");
		const { text, content } = await session.call("search", { query: "boat" });
		expect(text).toBe(
			`- [${short(boat)}] the **boat**\n  below [${short(bookings)}] Bookings\n  below [${short(trip)}] Trip`,
		);
		expect(content).toEqual({
			hits: [
				{
					node: { id: boat, parentId: bookings, text: "the **boat**", note: null, completed: false },
					above: [
						{ id: bookings, name: "Bookings" },
						{ id: trip, name: "Trip" },
					],
				},
			],
			more: false,
		});
	});

	test("says when there is nothing, and when there is more", async () => {
		const { session, place } = await serving("a\nplace #place\n  a\n  a");
		expect((await session.call("search", { query: "b" })).text).toBe("Nothing was found.");
		const first = await session.call("search", { query: "a", limit: 2 });
		expect(first.content).toMatchObject({ hits: [{}, {}], more: true });
		expect(first.text).toMatch(/There is more\.$/);
		const within = await session.call("search", { query: "a", within: short(place), limit: 2 });
		expect(within.content).toMatchObject({ hits: [{}, {}], more: false });
	});
});

describe("read", () => {
	test("gives a tree as Markdown with short ids, notes and what is below mirrors", async () => {
		const { outline, session, ...ids } = await serving(
			"# Trip #trip\n  - [x] book #book\n    ferry #ferry\nPlan #plan\n  (mirror book) #copy",
		);
		await outline.update(ids.book, { note: "at 10\nor 11" });
		await outline.complete(ids.plan);
		const { text, content } = await session.call("read");
		expect(text.split("\n")).toEqual([
			`- [${short(ids.trip)}] # Trip`,
			`  - [${short(ids.book)}] [x] book`,
			"    | at 10",
			"    | or 11",
			`    - [${short(ids.ferry)}] ferry`,
			`- [${short(ids.plan)} completed] Plan`,
			`  - [${short(ids.copy)} mirror of ${short(ids.book)}] [x] book`,
			"    | at 10",
			"    | or 11",
			`    - [${short(ids.ferry)}] ferry`,
		]);
		expect(content.cursor).toBeNull();
		expect(content.nodes[4]).toEqual({
			id: ids.copy,
			parentId: ids.plan,
			text: "- [x] book",
			note: "at 10\nor 11",
			completed: true,
			originId: ids.book,
			depth: 1,
		});
	});

	test("limits the depth and leaves out completed nodes on request", async () => {
		const { outline, session, a, c } = await serving("a #a\n  b\n    c #c\n  d");
		await outline.complete(c);
		const texts = async (input: object) =>
			(await session.call("read", input)).content.nodes.map(({ text }: { text: string }) => text);
		expect(await texts({ node: a, depth: 0 })).toEqual(["a"]);
		expect(await texts({ node: a, depth: 1 })).toEqual(["a", "b", "d"]);
		expect(await texts({})).toEqual(["a", "b", "c", "d"]);
		expect(await texts({ completed: false })).toEqual(["a", "b", "d"]);
	});

	test("gives long trees page by page, by nodes and by characters, each node once", async () => {
		const { outline, session, list } = await serving("list #list");
		const made = await outline.createTree({
			parent: list,
			name: "long",
			children: Array.from({ length: 60 }, (_, index) => ({ name: `${index} ${"x".repeat(index < 30 ? 3000 : 10)}` })),
		});
		const seen: string[] = [];
		let pages = 0;
		let cursor: string | null | undefined;
		do {
			const { text, content } = await session.call("read", { node: list, limit: 25, ...(cursor && { cursor }) });
			expect(text.length).toBeLessThan(41_000);
			if (content.cursor !== null) expect(text).toContain(content.cursor);
			expect(content.nodes.length).toBeLessThanOrEqual(25);
			seen.push(...content.nodes.map(({ id }: { id: string }) => id));
			cursor = content.cursor;
			pages += 1;
		} while (cursor);
		expect(seen).toEqual([list, made.id, ...made.children.map(({ id }) => id)]);
		expect(pages).toBe(3);
	});

	test("cuts long texts, says so, and gives them whole where the node is read alone", async () => {
		const { outline, session } = await serving();
		const long = `${"x".repeat(1999)}\u{1f600}${"y".repeat(3000)}`;
		const { id } = await outline.create({ name: long, note: long });
		const cut = await session.call("read", {});
		expect(cut.content.nodes[0]).toMatchObject({ text: "x".repeat(1999), note: "x".repeat(1999), cut: true });
		expect(cut.text).toContain(`- [${short(id)} cut] x`);
		const whole = (await session.call("read", { node: id, depth: 0 })).content.nodes[0];
		expect(whole).toMatchObject({ text: long, note: long });
		expect(whole).not.toHaveProperty("cut");
	});
});

test("targets lists the keys, each in quotes on a line", async () => {
	const { outline, session, trip } = await serving("Trip to **Oslo** #trip");
	await outline.setShortcut("my\ntrip", trip);
	const { text, content } = await session.call("targets");
	expect(text.split("\n")).toEqual([
		'"inbox"',
		'"calendar"',
		'"today"',
		'"tomorrow"',
		'"next_week"',
		'"my\\ntrip": Trip to Oslo',
	]);
	expect(content.targets.at(-1)).toEqual({ key: "my\ntrip", type: "shortcut", name: "Trip to Oslo" });
});
