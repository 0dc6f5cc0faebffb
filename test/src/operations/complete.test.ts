import { expect, test } from "vitest";
import { noon } from "../../support/outline.js";
import { type OperationOn, prove } from "../../support/prove.js";

const scene = `
	origin #origin
	place
	  (mirror origin) #one
	  (mirror origin) #two`;
const picture = "origin\nplace\n  (mirror origin)\n  (mirror origin)";

const created = noon / 1000;
const completed = created + 10;
const now = created + 20;

test.each<[string, "open" | "completed", OperationOn<typeof scene>, number | null, number]>([
	["complete sets the time", "open", ({ outline, origin }) => outline.complete(origin), now, now],
	["complete keeps the first time", "completed", ({ outline, one }) => outline.complete(one), completed, completed],
	["complete of a mirror completes its origin", "open", ({ outline, one }) => outline.complete(one), now, now],
	["uncomplete clears the time", "completed", ({ outline, origin }) => outline.uncomplete(origin), null, now],
	["uncomplete leaves an open node", "open", ({ outline, origin }) => outline.uncomplete(origin), null, created],
	["uncomplete of a mirror opens its origin", "completed", ({ outline, two }) => outline.uncomplete(two), null, now],
])("§3, §4.9, §4.10: %s", async (_, state, operation, completedAt, modifiedAt) => {
	let seconds = created;
	const { result, outline, origin, one, two } = await prove(scene, operation, picture, {
		now: () => seconds * 1000,
		given: async ({ outline, origin }) => {
			seconds = completed;
			if (state === "completed") await outline.complete(origin);
			seconds = now;
		},
	});
	const expected = { completed: completedAt !== null, completedAt, modifiedAt, createdAt: created };
	expect(result).toMatchObject(expected);
	for (const id of [origin, one, two]) expect(await outline.get(id)).toMatchObject(expected);
});
