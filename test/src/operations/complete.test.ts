import { describe, expect, test } from "vitest";
import { codeOf, newOutline, plant } from "../../support/outline.js";

const ticking = () => {
	let seconds = 1000;
	return { now: () => seconds * 1000, tick: () => (seconds += 10) };
};

describe("§3, §4.9, §4.10 completion", () => {
	test("sets and clears completedAt beside completed, and counts as a modification", async () => {
		const clock = ticking();
		const outline = newOutline({ now: clock.now });
		const { id } = await outline.create({ name: "x" });
		clock.tick();
		expect(await outline.complete(id)).toMatchObject({
			completed: true,
			completedAt: 1010,
			modifiedAt: 1010,
			createdAt: 1000,
		});
		clock.tick();
		expect(await outline.uncomplete(id)).toMatchObject({ completed: false, completedAt: null, modifiedAt: 1020 });
	});

	test("completing twice keeps the first timestamp; uncompleting an open node changes nothing", async () => {
		const clock = ticking();
		const outline = newOutline({ now: clock.now });
		const { id } = await outline.create({ name: "x" });
		expect(await outline.uncomplete(id)).toEqual(await outline.get(id));
		await outline.complete(id);
		clock.tick();
		expect(await outline.complete(id)).toMatchObject({ completedAt: 1000, modifiedAt: 1000 });
	});

	test("through a mirror applies to the origin and all its mirrors", async () => {
		const outline = newOutline();
		const marks = await plant<"origin" | "one" | "two">(
			outline,
			`
origin #origin
place
  (mirror origin) #one
  (mirror origin) #two`,
		);
		expect(await outline.complete(marks.one)).toMatchObject({ id: marks.one, completed: true });
		for (const id of Object.values(marks)) expect((await outline.get(id)).completed).toBe(true);
		await outline.uncomplete(marks.two);
		for (const id of Object.values(marks)) expect((await outline.get(id)).completedAt).toBeNull();
	});

	test("- [x] creates a completed todo, unless another layout mode is asked for", async () => {
		const outline = newOutline({ now: () => 5_000 });
		expect(await outline.create({ name: "- [x] a" })).toMatchObject({ name: "a", layoutMode: "todo", completedAt: 5 });
		expect(await outline.create({ name: "- [ ] a" })).toMatchObject({
			name: "a",
			layoutMode: "todo",
			completedAt: null,
		});
		expect(await outline.create({ name: "- [x] a", layoutMode: "todo" })).toMatchObject({ completedAt: 5 });
		expect(await outline.create({ name: "- [x] a", layoutMode: "h1" })).toMatchObject({
			name: "a",
			layoutMode: "h1",
			completed: false,
		});
	});

	test("an unknown node is not_found", async () => {
		expect(await codeOf(newOutline().complete("nowhere"))).toBe("not_found");
		expect(await codeOf(newOutline().uncomplete("nowhere"))).toBe("not_found");
	});
});
