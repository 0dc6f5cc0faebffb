import { describe, expect, test } from "vitest";
import { createFileStorage } from "../../adapters/file.js";
import { createHttpHandler, createNodeListener } from "../../adapters/http/index.js";
import { createIndexedDbStorage } from "../../adapters/indexeddb.js";
import { createMemoryStorage } from "../../adapters/memory.js";
import { createPostgresStorage } from "../../adapters/postgres.js";
import { createSqliteStorage } from "../../adapters/sqlite.js";
import { liveNode, liveQuery, liveRows } from "../../src/live/index.js";
import { fromMarkdown, toMarkdown } from "../../src/markup/index.js";
import type { Outline } from "../../src/outline.js";
import { exported, newOutline, planted } from "../support/outline.js";

/** Calls with an unknown field beside the required ones. */
const calls: Record<string, (outline: Outline, id: string, wrong: object) => unknown> = {
	create: (outline, _, wrong) => outline.create({ name: "x", ...wrong }),
	createTree: (outline, _, wrong) => outline.createTree({ name: "x", ...wrong }),
	"createTree, below the top": (outline, _, wrong) =>
		outline.createTree({ name: "x", children: [{ name: "y" }, { name: "z", ...wrong }] }),
	update: (outline, id, wrong) => outline.update(id, { name: "x", ...wrong }),
	move: (outline, id, wrong) => outline.move(id, { position: "top", ...wrong }),
	duplicate: (outline, id, wrong) => outline.duplicate(id, wrong),
	mirror: (outline, id, wrong) => outline.mirror(id, { parent: id, ...wrong }),
	delete: (outline, id, wrong) => outline.delete(id, wrong),
	"plan.delete": (outline, id, wrong) => outline.plan.delete(id, wrong),
	batch: (outline, _, wrong) => outline.batch([], wrong),
	walk: (outline, _, wrong) => outline.walk(null, wrong),
	search: (outline, _, wrong) => outline.search("x", wrong),
	changes: (outline, _, wrong) => outline.changes({ since: 0, ...wrong }),
	exportAs: (outline, _, wrong) => outline.exportAs("json", wrong),
	import: (outline, _, wrong) => outline.import("x", { format: "text", ...wrong }),
	verify: (outline, _, wrong) => outline.verify(wrong),
	repair: (outline, _, wrong) => outline.repair(wrong),
	scope: (outline, id, wrong) => outline.scope(id, wrong),
	"scope.create": (outline, id, wrong) => outline.scope(id, { write: true }).create({ name: "x", ...wrong }),
	"scope.walk": (outline, id, wrong) => outline.scope(id).walk(id, wrong),
	"scope.search": (outline, id, wrong) => outline.scope(id).search("x", wrong),
	"a batch's create": (outline, _, wrong) => outline.batch([{ type: "create", name: "x", ...wrong }]),
	"a batch's complete": (outline, id, wrong) => outline.batch([{ type: "complete", ref: id, ...wrong }]),
	"a batch's setShortcut": (outline, id, wrong) =>
		outline.batch([{ type: "setShortcut", key: "k", ref: id, ...wrong }]),
	"a scope's batch": (outline, id, wrong) =>
		outline.scope(id, { write: true }).batch([{ type: "update", ref: id, ...wrong }]),
	liveQuery: (outline, _, wrong) => liveQuery(outline, async () => 1, wrong),
	liveNode: (outline, id, wrong) => liveNode(outline, id, wrong),
	liveRows: (outline, _, wrong) => liveRows(outline, wrong),
	fromMarkdown: (_, __, wrong) => fromMarkdown("x", wrong),
	Outline: (_, __, wrong) => newOutline(wrong),
	"limits of an Outline": (_, __, wrong) => newOutline({ limits: wrong }),
	"names of an Outline": (_, __, wrong) => newOutline({ names: wrong }),
	"history of an Outline": (_, __, wrong) => newOutline({ history: wrong }),
	createFileStorage: (_, __, wrong) => createFileStorage("unused", wrong),
	createIndexedDbStorage: (_, __, wrong) => createIndexedDbStorage("unused", wrong),
	createSqliteStorage: (_, __, wrong) => createSqliteStorage({ prepare() {}, exec() {} } as never, wrong),
	createPostgresStorage: (_, __, wrong) =>
		createPostgresStorage({ connect() {} } as never, { outline: "unused", ...wrong }),
	createHttpHandler: (_, __, wrong) => createHttpHandler({ authenticate: () => null, ...wrong }),
	createNodeListener: (_, __, wrong) => createNodeListener({ authenticate: () => null, ...wrong }),
	"cors of a handler": (_, __, wrong) =>
		createHttpHandler({ authenticate: () => null, cors: { origins: [], ...wrong } }),
};

describe("an unknown field throws, and the message names it", () => {
	test.each(Object.entries(calls))("%s", async (_, call) => {
		const { outline, id } = await planted("home #id");
		const before = await exported(outline);
		const result = (async () => call(outline, id, { parnt: "x" }))();
		await expect(result).rejects.toMatchObject({
			code: "invalid_argument",
			message: expect.stringMatching(/unknown field "parnt". It takes \w+/),
		});
		expect(await exported(outline)).toEqual(before);
	});

	test.each<[string, object]>([
		["idempotencyKey", { type: "create", name: "x", idempotencyKey: "k" }],
		["idempotencyKey", { type: "createTree", name: "x", idempotencyKey: "k" }],
		["idempotencyKey", { type: "mirror", ref: "inbox", parent: "inbox", idempotencyKey: "k" }],
		["ref", { type: "create", name: "x", ref: "inbox" }],
		["ref", { type: "createTree", name: "x", ref: "inbox" }],
		["ref", { type: "deleteShortcut", key: "k", ref: "inbox" }],
	])("%s in an operation of a batch that has no use for it: %j", async (field, operation) => {
		await expect(newOutline().batch([operation as never])).rejects.toMatchObject({
			code: "invalid_argument",
			message: expect.stringContaining(`unknown field "${field}"`),
		});
	});

	test("and so does a value that is no object of fields", async () => {
		await expect(newOutline().mirror("inbox", undefined as never)).rejects.toMatchObject({
			code: "invalid_argument",
			message: expect.stringMatching(/^mirror was given undefined\. It takes an object of fields: .*parent.*\.$/),
		});
	});

	test("unless it is undefined, or the function takes a whole node", async () => {
		const outline = newOutline();
		const node = await outline.create({ name: "a **b**", parnt: undefined } as never);
		expect(toMarkdown(node.name, node)).toBe("a **b**");
	});
});

describe("names", () => {
	test("name the new inbox and the new calendar, as plain text", async () => {
		const storage = createMemoryStorage();
		const outline = newOutline({ storage, names: { inbox: "In <b>", calendar: "📆 Calendar" } });
		await outline.create({ name: "x", parent: "inbox" });
		await outline.create({ name: "x", parent: "2026-12" });
		expect((await outline.get("inbox")).name).toBe("In &lt;b&gt;");
		expect((await outline.get("calendar")).name).toBe("📆 Calendar");
		expect((await outline.get("2026-12")).name).toBe("December");
		// Their keys find them, so another name renames nothing.
		expect((await newOutline({ storage }).get("calendar")).name).toBe("📆 Calendar");
		const usual = newOutline({ names: {} });
		await usual.create({ name: "x", parent: "inbox" });
		expect((await usual.get("inbox")).name).toBe("Inbox");
	});

	test.each([{ inbox: "" }, { inbox: " " }, { inbox: 5 }, { calendar: "x".repeat(201) }, { calendar: null }, "Inbox"])(
		"%j throws",
		(names) => {
			expect(() => newOutline({ names: names as never })).toThrow(
				expect.objectContaining({ code: "invalid_argument", message: expect.stringContaining("names") }),
			);
		},
	);
});
