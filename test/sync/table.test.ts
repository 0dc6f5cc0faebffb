import { describe, expect, onTestFinished, test } from "vitest";
import { fileOf } from "../src/exchange/files.js";
import { newOutline, plant } from "../support/outline.js";
import { conflictsOf, day, expectEqual, look, type Meeting, mirrored, row, tree } from "./meeting.js";
import { Site, settleAll } from "./site.js";

// The table of the page about sync: what reaches the server first, then what a device did that didn't know it.
// The rows about deletions are in deletions.test.ts.

/** Leaves no room between `a` and `b`, so that a node between them moves one aside. */
const withoutGap: Meeting["given"] = async (outline, { a, b, c }) => {
	const priority = async (id: string) => (await outline.get(id)).priority;
	while ((await priority(b!)) - (await priority(a!)) > 1) {
		for (const id of [c!, b!]) await outline.move(id, { position: { after: a! } });
	}
};

row("edits of different fields, properties or words are both done", { scene: "one #a" })({
	"a name, then a note": {
		first: ({ a }) => [{ type: "update", ref: a!, name: "two" }],
		later: ({ a }) => [{ type: "update", ref: a!, note: "a note" }],
		shows: "two (a note)",
	},
	"a note, then a name": {
		first: ({ a }) => [{ type: "update", ref: a!, note: "a note" }],
		later: ({ a }) => [{ type: "update", ref: a!, name: "two" }],
		shows: "two (a note)",
	},
	"two properties": {
		first: ({ a }) => [{ type: "update", ref: a!, properties: { due: "today" } }],
		later: ({ a }) => [{ type: "update", ref: a!, properties: { from: "Ada" } }],
		shows: 'one {"due":"today","from":"Ada"}',
	},
	"a property dropped, then another one set": {
		given: (outline, { a }) => outline.update(a!, { properties: { due: "today", from: "Ada" } }),
		first: ({ a }) => [{ type: "update", ref: a!, properties: { due: null } }],
		later: ({ a }) => [{ type: "update", ref: a!, properties: { from: "Bob" } }],
		shows: 'one {"from":"Bob"}',
	},
	"words at both ends": {
		scene: "one two three #a",
		first: ({ a }) => [{ type: "update", ref: a!, name: "ONE two three" }],
		later: ({ a }) => [{ type: "update", ref: a!, name: "one two THREE" }],
		shows: "ONE two THREE",
	},
	"words at both ends, the other way round": {
		scene: "one two three #a",
		first: ({ a }) => [{ type: "update", ref: a!, name: "one two THREE" }],
		later: ({ a }) => [{ type: "update", ref: a!, name: "ONE two three" }],
		shows: "ONE two THREE",
	},
	"lines of a note": {
		given: (outline, { a }) => outline.update(a!, { note: "first\nsecond\nthird" }),
		first: ({ a }) => [{ type: "update", ref: a!, note: "FIRST\nsecond\nthird" }],
		later: ({ a }) => [{ type: "update", ref: a!, note: "first\nsecond\nthird\nfourth" }],
		shows: "one (FIRST\nsecond\nthird\nfourth)",
	},
	"words of an origin, then of its mirror": {
		scene: "one two three #a\nx #x\n  (mirror a) #m",
		first: ({ a }) => [{ type: "update", ref: a!, name: "ONE two three" }],
		later: ({ m }) => [{ type: "update", ref: m!, name: "one two THREE" }],
		shows: "ONE two THREE\nx\n  -> ONE two THREE",
	},
	"an edit and a move": {
		scene: tree,
		first: ({ b }) => [{ type: "update", ref: b!, name: "B" }],
		later: ({ b, x }) => [{ type: "move", ref: b!, parent: x! }],
		shows: "p\n  a\n    c\nx\n  B",
	},
	"the same edit twice": {
		first: ({ a }) => [{ type: "update", ref: a!, name: "two" }],
		later: ({ a }) => [{ type: "update", ref: a!, name: "two" }],
		shows: "two",
	},
	"several edits in a row": {
		scene: "one two three #a",
		first: ({ a }) => [
			{ type: "update", ref: a!, name: "zero one two three" },
			{ type: "update", ref: a!, name: "nought one two three" },
		],
		later: ({ a }) => [
			{ type: "update", ref: a!, name: "one two three four" },
			{ type: "update", ref: a!, name: "one two three five" },
		],
		shows: "nought one two three five",
	},
});

row("of edits of the same words the later shows, and the other one is told", { scene: "one #a" })({
	"two names": {
		first: ({ a }) => [{ type: "update", ref: a!, name: "first" }],
		later: ({ a }) => [{ type: "update", ref: a!, name: "second" }],
		shows: "second",
		tells: ["text a.name: second | first"],
	},
	"one word of three": {
		scene: "Line 3 #a",
		first: ({ a }) => [{ type: "update", ref: a!, name: "Line 3 (PC)" }],
		later: ({ a }) => [{ type: "update", ref: a!, name: "Line 3 (Phone)" }],
		shows: "Line 3 (Phone)",
		tells: ["text a.name: Line 3 (Phone) | Line 3 (PC)"],
	},
	"two new notes": {
		first: ({ a }) => [{ type: "update", ref: a!, note: "first" }],
		later: ({ a }) => [{ type: "update", ref: a!, note: "second" }],
		shows: "one (second)",
		tells: ["text a.note: second | first"],
	},
	"one property": {
		first: ({ a }) => [{ type: "update", ref: a!, properties: { due: "first" } }],
		later: ({ a }) => [{ type: "update", ref: a!, properties: { due: "second" } }],
		shows: 'one {"due":"second"}',
		tells: ["text a.properties.due"],
	},
	"a name of an origin, then of its mirror": {
		scene: "one #a\nx #x\n  (mirror a) #m",
		first: ({ a }) => [{ type: "update", ref: a!, name: "first" }],
		later: ({ m }) => [{ type: "update", ref: m!, name: "second" }],
		shows: "second\nx\n  -> second",
		tells: ["text a.name: second | first"],
	},
	"a name, then a longer row of edits": {
		first: ({ a }) => [{ type: "update", ref: a!, name: "first" }],
		later: ({ a }) => [
			{ type: "update", ref: a!, name: "second" },
			{ type: "update", ref: a!, name: "third" },
		],
		shows: "third",
		tells: ["text a.name: "],
	},
});

row("of completions, layouts and moves of one node the later is done", { scene: "one #a" })({
	"two completions": {
		first: ({ a }) => [{ type: "complete", ref: a! }],
		later: ({ a }) => [{ type: "complete", ref: a! }],
		shows: "[x] one",
	},
	"opened again, then edited": {
		given: (outline, { a }) => outline.complete(a!),
		first: ({ a }) => [{ type: "uncomplete", ref: a! }],
		later: ({ a }) => [{ type: "update", ref: a!, note: "note" }],
		shows: "one (note)",
	},
	"two layouts": {
		first: ({ a }) => [{ type: "update", ref: a!, layoutMode: "h1" }],
		later: ({ a }) => [{ type: "update", ref: a!, layoutMode: "todo" }],
		shows: "one",
	},
	"two moves": {
		scene: tree,
		first: ({ b, x }) => [{ type: "move", ref: b!, parent: x! }],
		later: ({ b, p }) => [{ type: "move", ref: b!, parent: p!, position: "bottom" }],
		shows: "p\n  a\n    c\n  b\nx",
	},
	"a move away, then within its parent": {
		scene: tree,
		first: ({ b, x }) => [{ type: "move", ref: b!, parent: x! }],
		later: ({ b, c }) => [{ type: "move", ref: b!, position: { after: c! } }],
		shows: ["p\n  a\n    c\n    b\nx", "p\n  a\n    c\nx\n  b"],
	},
});

row("the later of two moves that close a cycle isn't done, and told")({
	"two nodes below each other": {
		scene: "a #a\nb #b",
		first: ({ a, b }) => [{ type: "move", ref: a!, parent: b! }],
		later: ({ a, b }) => [{ type: "move", ref: b!, parent: a! }],
		shows: "b\n  a",
		tells: ["move b: none | a"],
	},
	"three nodes": {
		scene: "a #a\nb #b\nc #c",
		first: ({ a, b, c }) => [
			{ type: "move", ref: a!, parent: b! },
			{ type: "move", ref: b!, parent: c! },
		],
		later: ({ a, c }) => [{ type: "move", ref: c!, parent: a! }],
		shows: "c\n  b\n    a",
		tells: ["move c: none | a"],
	},
	"through the own children of a mirror": {
		scene: "o #o\na #a\nx #x\n  (mirror o) #m",
		first: ({ a, m }) => [{ type: "move", ref: a!, parent: m! }],
		later: ({ a, m }) => [{ type: "move", ref: m!, parent: a! }],
		shows: "o\nx\n  -> o\n    a",
		tells: ["move m: x | a"],
	},
});

row("an edit counts, whatever becomes of the place of its node")({
	"promoted out of what stays": {
		scene: mirrored,
		first: ({ q }) => [{ type: "create", parent: q!, name: "new" }],
		later: ({ a, p }) => [
			{ type: "update", ref: a!, name: "A" },
			{ type: "delete", ref: p!, mirrors: "promote" },
		],
		shows: "p\n  A\n    b\n  q\n    new\nx\n  -> A",
		tells: ["deletion "],
	},
	"moved aside to make room": {
		scene: "a #a\nb #b\nc #c\nx #x",
		given: withoutGap,
		first: ({ x }) => [{ type: "update", ref: x!, name: "X" }],
		later: ({ a, b }) => [
			{ type: "create", name: "new", position: { after: a! } },
			{ type: "update", ref: a!, name: "A" },
			{ type: "update", ref: b!, name: "B" },
		],
		shows: "A\nnew\nB\nc\nX",
	},
	"moved aside, and deleted elsewhere": {
		scene: "a #a\nb #b\nc #c",
		given: withoutGap,
		first: ({ b }) => [{ type: "delete", ref: b! }],
		later: ({ a, b }) => [
			{ type: "create", name: "new", position: { after: a! } },
			{ type: "update", ref: b!, name: "B" },
		],
		shows: "a\nnew\nc\nB",
		tells: ["returned b"],
	},
});

row("of two nodes with one shortcut the later has it, and it is told")({
	"two new shortcuts": {
		scene: "a #a\nb #b",
		first: ({ a }) => [{ type: "setShortcut", key: "home", ref: a! }],
		later: ({ b }) => [{ type: "setShortcut", key: "home", ref: b! }],
		shows: "a\nb",
		tells: ["shortcut b.home: b | a"],
	},
	"a shortcut moved twice": {
		scene: "a #a\nb #b\nc #c",
		given: (outline, { c }) => outline.setShortcut("home", c!),
		first: ({ a }) => [{ type: "setShortcut", key: "home", ref: a! }],
		later: ({ b }) => [{ type: "setShortcut", key: "home", ref: b! }],
		shows: "a\nb\nc",
		tells: ["shortcut b.home: b | a"],
	},
	"the same shortcut twice is nothing to tell": {
		scene: "a #a",
		first: ({ a }) => [{ type: "setShortcut", key: "home", ref: a! }],
		later: ({ a }) => [{ type: "setShortcut", key: "home", ref: a! }],
		shows: "a",
	},
	"two keys for one node are both set": {
		scene: "a #a",
		first: ({ a }) => [{ type: "setShortcut", key: "home", ref: a! }],
		later: ({ a }) => [{ type: "setShortcut", key: "work", ref: a! }],
		shows: "a",
	},
});

row("there is one node for a day and one inbox, with the children of both", { scene: "" })({
	"a new day": {
		first: () => [{ type: "create", parent: day, name: "one" }],
		later: () => [{ type: "create", parent: day, name: "two" }],
		shows: ["one\ntwo", "two\none"].map((children) => {
			const below = children.split("\n").map((name) => `        ${name}`);
			const line = `<time datetime="${day}">Sat, Nov 21, 2026</time>`;
			return `Calendar\n  2026\n    November\n      ${line}\n${below.join("\n")}`;
		}),
	},
	"two days of one month": {
		first: () => [{ type: "create", parent: "2026-11-22", name: "later" }],
		later: () => [{ type: "create", parent: day, name: "earlier" }],
		shows: `
			Calendar
			  2026
			    November
			      <time datetime="2026-11-21">Sat, Nov 21, 2026</time>
			        earlier
			      <time datetime="2026-11-22">Sun, Nov 22, 2026</time>
			        later`,
	},
	"the inbox": {
		first: () => [{ type: "create", parent: "inbox", name: "one" }],
		later: () => [{ type: "create", parent: "inbox", name: "two" }],
		shows: ["Inbox\n  one\n  two", "Inbox\n  two\n  one"],
	},
});

const inRow = (parent: string | null, names: string[], position: "top" | "bottom") =>
	names.map((name) => ({ type: "create" as const, parent, name, position }));
const run = ["a1", "a2", "a3"];
const other = ["b1", "b2", "b3"];
const below = (...names: string[]) => ["p", ...names.map((name) => `  ${name}`)].join("\n");

row("insertions at one spot are both done, and what one device wrote in a row stays together", {
	scene: "p #p\n  x #x\n  y #y",
})({
	"at the bottom": {
		scene: "p #p\n  x #x",
		first: ({ p }) => inRow(p!, run, "bottom"),
		later: ({ p }) => inRow(p!, other, "bottom"),
		shows: [below("x", ...run, ...other), below("x", ...other, ...run)],
	},
	"at the top": {
		scene: "p #p\n  x #x",
		first: ({ p }) => inRow(p!, run, "top"),
		later: ({ p }) => inRow(p!, other, "top"),
		shows: [
			below(...run.toReversed(), ...other.toReversed(), "x"),
			below(...other.toReversed(), ...run.toReversed(), "x"),
		],
	},
	"in an empty parent": {
		scene: "p #p",
		first: ({ p }) => inRow(p!, run, "bottom"),
		later: ({ p }) => inRow(p!, other, "bottom"),
		shows: [below(...run, ...other), below(...other, ...run)],
	},
	"between two nodes": {
		first: ({ y }) => run.map((name) => ({ type: "create", name, position: { before: y! } })),
		later: ({ y }) => other.map((name) => ({ type: "create", name, position: { before: y! } })),
		shows: [below("x", ...run, ...other, "y"), below("x", ...other, ...run, "y")],
	},
	"beside a node that has been moved away": {
		scene: "p #p\n  x #x\n  y #y\nq #q",
		first: ({ x, q }) => [{ type: "move", ref: x!, parent: q! }],
		later: ({ x }) => other.map((name) => ({ type: "create", name, position: { before: x! } })),
		shows: ["p\n  b1\n  b2\n  b3\n  y\nq\n  x", "p\n  y\n  b1\n  b2\n  b3\nq\n  x"],
	},
	"at the top, over a node that has been moved away": {
		scene: "p #p\n  x #x\n  y #y\n  z\nq #q",
		first: ({ x, q }) => [{ type: "move", ref: x!, parent: q! }],
		later: ({ p }) => inRow(p!, other, "top"),
		shows: "p\n  b3\n  b2\n  b1\n  y\n  z\nq\n  x",
	},
	"at the top, over a node that is gone, with its place taken": {
		first: ({ x, p }) => [{ type: "delete", ref: x! }, ...inRow(p!, [...run, "a4"], "top")],
		later: ({ p }) => inRow(p!, other, "top"),
		shows: below("b3", "b2", "b1", "a4", ...run.toReversed(), "y"),
	},
	"between two nodes that are gone": {
		scene: "p #p\n  w\n  x #x\n  y #y\n  z",
		first: ({ x, y }) => [
			{ type: "delete", ref: x! },
			{ type: "delete", ref: y! },
		],
		later: ({ x }) => other.toReversed().map((name) => ({ type: "create", name, position: { after: x! } })),
		shows: below("w", ...other, "z"),
	},
	"after a node that is gone": {
		first: ({ x }) => [{ type: "delete", ref: x! }],
		later: ({ x }) => [...other].reverse().map((name) => ({ type: "create", name, position: { after: x! } })),
		shows: below(...other, "y"),
	},
});

test("two completions keep the first time", async () => {
	const site = new Site();
	const [one, two] = [site.device(), site.device()];
	const { id } = await one.outline.create({ name: "- [ ] task" });
	await settleAll(site.devices);
	const { completedAt } = await one.outline.complete(id);
	site.now += 3_600_000;
	await two.outline.complete(id);
	await settleAll(site.devices);
	expect((await site.outline.get(id)).completedAt).toBe(completedAt);
	await expectEqual(site);
});

describe("two imported backups of one outline have a node with one id, which is a mirror in the older one", () => {
	/** An older backup with a mirror, and a newer one in which that is a plain node with a text of its own. */
	async function backups(): Promise<string[]> {
		const outline = newOutline();
		const { a, m } = await plant<"a" | "m">(outline, "a #a\nx\n  (mirror a) #m");
		const older = await fileOf(outline, "json");
		await outline.delete(a, { mirrors: "detach" });
		await outline.update(m, { name: "edited since", note: "note" });
		return [older, await fileOf(outline, "json")];
	}

	/** Two devices import a backup each; the first one reaches the server first. */
	async function imported(first: string, later: string) {
		const site = new Site();
		onTestFinished(() => site.end());
		const [one, two] = [site.device(), site.device()];
		await settleAll(site.devices);
		await one.outline.import(first, { format: "json" });
		await two.outline.import(later, { format: "json" });
		await settleAll(site.devices);
		await expectEqual(site);
		const conflicts = (await conflictsOf(one)).map(({ field, shown, other }) => [field, shown, other]);
		return { shown: await look(site.outline), conflicts };
	}

	test("the text of the newer one isn't hidden in the mirror", async () => {
		const [older, newer] = await backups();
		expect(await imported(older!, newer!)).toEqual({
			shown: "edited since (note)\nx\n  -> edited since",
			conflicts: [["name", "edited since", "a"]],
		});
	});

	test("the mirror of the older one doesn't replace the text", async () => {
		const [older, newer] = await backups();
		expect(await imported(newer!, older!)).toEqual({ shown: "a\nx\n  edited since (note)", conflicts: [] });
	});
});
