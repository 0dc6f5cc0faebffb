import { describe, expect, onTestFinished, test } from "vitest";
import { plant } from "../support/outline.js";
import { day, expectEqual, type Meeting, meet, mirrored, row, tree } from "./meeting.js";
import { Site, settleAll } from "./site.js";

// The rows about deletions of the table of the page about sync.

row("a deletion spares what the deleter had not seen, with the line above it", { scene: tree, tells: ["deletion "] })({
	"a new node": {
		first: ({ b }) => [{ type: "create", parent: b!, name: "new" }],
		later: ({ a }) => [{ type: "delete", ref: a! }],
		shows: "p\n  a\n    b\n      new\nx",
	},
	"an edit": {
		first: ({ b }) => [{ type: "update", ref: b!, name: "B" }],
		later: ({ a }) => [{ type: "delete", ref: a! }],
		shows: "p\n  a\n    B\nx",
	},
	"an edit of the deleted node": {
		first: ({ b }) => [{ type: "update", ref: b!, note: "note" }],
		later: ({ b }) => [{ type: "delete", ref: b! }],
		shows: "p\n  a\n    b (note)\n    c\nx",
	},
	"a new mirror": {
		first: ({ b, x }) => [{ type: "mirror", ref: b!, parent: x! }],
		later: ({ a }) => [{ type: "delete", ref: a! }],
		shows: "p\n  a\n    b\nx\n  -> b",
	},
	"a node moved in": {
		first: ({ b, x }) => [{ type: "move", ref: x!, parent: b! }],
		later: ({ a }) => [{ type: "delete", ref: a! }],
		shows: "p\n  a\n    b\n      x",
	},
	"a mirror that was detached, which has the text alone": {
		scene: "p\n  a #a\nx\n  (mirror a) #m",
		first: ({ a }) => [{ type: "delete", ref: a!, mirrors: "detach" }],
		later: ({ m }) => [{ type: "delete", ref: m! }],
		shows: "p\nx\n  a",
	},
	"a mirror that was detached, with what is above it": {
		scene: "p\n  a #a\nx #x\n  (mirror a)",
		first: ({ a }) => [{ type: "delete", ref: a!, mirrors: "detach" }],
		later: ({ x }) => [{ type: "delete", ref: x! }],
		shows: "p\nx\n  a",
	},
	"a node in a day": {
		scene: "",
		given: (outline) => outline.create({ parent: day, name: "seen" }),
		first: () => [{ type: "create", parent: day, name: "unseen" }],
		later: () => [{ type: "delete", ref: day }],
		shows: `Calendar\n  2026\n    November\n      <time datetime="${day}">Sat, Nov 21, 2026</time>\n        unseen`,
	},
	"but not what has only been completed, shown otherwise or moved within": {
		first: ({ b, c }) => [
			{ type: "complete", ref: b! },
			{ type: "update", ref: c!, layoutMode: "h1" },
			{ type: "move", ref: c!, parent: b! },
		],
		later: ({ a }) => [{ type: "delete", ref: a! }],
		shows: "p\nx",
		tells: [],
	},
	"but not what has been deleted": {
		first: ({ b }) => [{ type: "delete", ref: b! }],
		later: ({ a }) => [{ type: "delete", ref: a! }],
		shows: "p\nx",
		tells: [],
	},
});

row("an edit of what is gone returns the node, and tells it", { scene: tree, tells: ["returned b: "] })({
	"to its parent": {
		first: ({ b }) => [{ type: "delete", ref: b! }],
		later: ({ b }) => [{ type: "update", ref: b!, name: "B" }],
		shows: ["p\n  a\n    B\n    c\nx", "p\n  a\n    c\n    B\nx"],
	},
	"to its place": {
		scene: "p #p\n  a\n  b #b\n  c\n  d",
		first: ({ b }) => [{ type: "delete", ref: b! }],
		later: ({ b }) => [{ type: "update", ref: b!, name: "B" }],
		shows: "p\n  a\n  B\n  c\n  d",
	},
	"to the inbox, if its parent is gone": {
		first: ({ a }) => [{ type: "delete", ref: a! }],
		later: ({ b }) => [{ type: "update", ref: b!, name: "B" }],
		shows: "p\nx\nInbox\n  B",
		tells: ["returned b: ", "parent b: Inbox | a"],
	},
	"with the content that wasn't edited": {
		given: (outline, { b }) => outline.update(b!, { note: "a note", properties: { due: "today" } }),
		first: ({ b }) => [{ type: "delete", ref: b! }],
		later: ({ b }) => [{ type: "update", ref: b!, name: "B" }],
		shows: ['p\n  a\n    B (a note) {"due":"today"}\n    c\nx', 'p\n  a\n    c\n    B (a note) {"due":"today"}\nx'],
	},
	"once for several edits": {
		first: ({ b }) => [{ type: "delete", ref: b! }],
		later: ({ b }) => [
			{ type: "update", ref: b!, name: "B" },
			{ type: "update", ref: b!, note: "note" },
		],
		shows: ["p\n  a\n    B (note)\n    c\nx", "p\n  a\n    c\n    B (note)\nx"],
	},
});

row("what comes below what is gone goes to the nearest node above that is there, and is told", { scene: tree })({
	"a new node": {
		first: ({ a }) => [{ type: "delete", ref: a! }],
		later: ({ b }) => [{ type: "create", parent: b!, name: "new" }],
		shows: "p\n  new\nx",
		tells: ["parent new: p | b"],
	},
	"a new node, where nothing above is left": {
		scene: "a #a\nx #x",
		first: ({ a }) => [{ type: "delete", ref: a! }],
		later: ({ a }) => [{ type: "create", parent: a!, name: "new" }],
		shows: "x\nInbox\n  new",
		tells: ["parent new: Inbox | a"],
	},
	"a new tree": {
		first: ({ a }) => [{ type: "delete", ref: a! }],
		later: ({ b }) => [{ type: "createTree", parent: b!, name: "new", children: [{ name: "one" }, { name: "two" }] }],
		shows: "p\n  new\n    one\n    two\nx",
		tells: ["parent new: p | b"],
	},
	"a mirror": {
		first: ({ a }) => [{ type: "delete", ref: a! }],
		later: ({ b, x }) => [{ type: "mirror", ref: x!, parent: b! }],
		shows: "p\n  -> x\nx",
		tells: ["parent x: p | b"],
	},
	"a node moved there": {
		first: ({ a }) => [{ type: "delete", ref: a! }],
		later: ({ b, x }) => [{ type: "move", ref: x!, parent: b! }],
		shows: ["p\n  x", "p\nx"],
		tells: ["parent x: "],
	},
	"a node moved into a mirror that is gone": {
		scene: mirrored,
		first: ({ m }) => [{ type: "delete", ref: m! }],
		later: ({ q, m }) => [{ type: "move", ref: q!, parent: m! }],
		shows: "p\n  a\n    b\nx\n  q",
		tells: ["parent q: x | m"],
	},
});

row("a move out of what is gone returns the moved node, and tells it")({
	"to another node": {
		scene: tree,
		first: ({ a }) => [{ type: "delete", ref: a! }],
		later: ({ b, x }) => [{ type: "move", ref: b!, parent: x! }],
		shows: "p\nx\n  b",
		tells: ["returned b: "],
	},
	"a move out, then the deletion, keeps the moved node": {
		scene: tree,
		first: ({ b, x }) => [{ type: "move", ref: b!, parent: x! }],
		later: ({ a }) => [{ type: "delete", ref: a! }],
		shows: "p\nx\n  b",
		tells: ["deletion b: "],
	},
});

row("what is gone stays gone if it is only completed, shown otherwise or moved within", { scene: tree })({
	"a completion": {
		first: ({ a }) => [{ type: "delete", ref: a! }],
		later: ({ b }) => [{ type: "complete", ref: b! }],
		shows: "p\nx",
	},
	"a layout": {
		first: ({ a }) => [{ type: "delete", ref: a! }],
		later: ({ a }) => [{ type: "update", ref: a!, layoutMode: "h1" }],
		shows: "p\nx",
	},
	"a move within": {
		first: ({ a }) => [{ type: "delete", ref: a! }],
		later: ({ b, c }) => [{ type: "move", ref: c!, parent: b! }],
		shows: "p\nx",
	},
	"the same deletion": {
		first: ({ a }) => [{ type: "delete", ref: a! }],
		later: ({ a }) => [{ type: "delete", ref: a! }],
		shows: "p\nx",
	},
});

row("a deleted day returns with its key", { scene: "x #x" })({
	"for a new node": {
		given: (outline) => outline.create({ parent: day, name: "seen" }),
		first: () => [{ type: "delete", ref: day }],
		later: () => [{ type: "create", parent: day, name: "new" }],
		shows: `x\nCalendar\n  2026\n    November\n      <time datetime="${day}">Sat, Nov 21, 2026</time>\n        new`,
	},
	"with the calendar": {
		given: (outline) => outline.create({ parent: day, name: "seen" }),
		first: () => [{ type: "delete", ref: "calendar" }],
		later: () => [{ type: "create", parent: day, name: "new" }],
		shows: `x\nCalendar\n  2026\n    November\n      <time datetime="${day}">Sat, Nov 21, 2026</time>\n        new`,
	},
	"the inbox, too": {
		given: (outline) => outline.create({ parent: "inbox", name: "seen" }),
		first: () => [{ type: "delete", ref: "inbox" }],
		later: () => [{ type: "create", parent: "inbox", name: "new" }],
		shows: "x\nInbox\n  new",
	},
});

test("a day that has returned with an edit has its key again as soon as something is created in it", async () => {
	const site = new Site();
	onTestFinished(() => site.end());
	const [first, second] = [site.device(), site.device()];
	await first.outline.create({ parent: day, name: "seen" });
	await settleAll(site.devices);
	await first.outline.delete(day);
	await second.outline.update(day, { name: "my day" });
	await second.outline.create({ parent: day, name: "new" });
	await settleAll(site.devices);
	expect((await site.outline.get(day)).name).toBe("my day");
	await expectEqual(site);
});

row("neither copies nor a promotion come of a deletion that isn't done", { scene: mirrored, tells: ["deletion "] })({
	"detach, with a new node below the origin": {
		first: ({ b }) => [{ type: "create", parent: b!, name: "new" }],
		later: ({ a }) => [{ type: "delete", ref: a!, mirrors: "detach" }],
		shows: "p\n  a\n    b\n      new\n  q\nx\n  -> a",
	},
	"detach, with an edit below the origin": {
		first: ({ b }) => [{ type: "update", ref: b!, name: "B" }],
		later: ({ a }) => [{ type: "delete", ref: a!, mirrors: "detach" }],
		shows: "p\n  a\n    B\n  q\nx\n  -> a",
	},
	"detach, with an edit below the origin, where a mirror shows what is beside it": {
		scene: "a #a\n  b #b\n    (mirror a)\n  c\nx #x\n  (mirror b)",
		first: ({ b }) => [{ type: "update", ref: b!, name: "B" }],
		later: ({ a }) => [{ type: "delete", ref: a!, mirrors: "detach" }],
		shows: "a\n  B\n    -> a\n  c\nx\n  -> B",
	},
	"detach of a mirror that is gone, with an edit below the origin": {
		given: (outline, { a }) => outline.update(a!, { note: "a note" }),
		first: ({ b, m }) => [
			{ type: "removeMirror", ref: m! },
			{ type: "update", ref: b!, name: "B" },
		],
		later: ({ a }) => [{ type: "delete", ref: a!, mirrors: "detach" }],
		shows: "p\n  a (a note)\n    B\n  q\nx",
	},
	"detach, with a node moved out of the origin": {
		scene: mirrored.replace("b #b", "b #b\n      d\n      e #e\n    c"),
		first: ({ b, e, q }) => [
			{ type: "move", ref: b!, parent: q! },
			{ type: "delete", ref: e! },
		],
		later: ({ a }) => [{ type: "delete", ref: a!, mirrors: "detach" }],
		shows: "p\n  q\n    b\n      d\nx\n  a\n    c",
	},
	"detach, with a node moved from an origin that stays to what would go": {
		first: ({ a, b, q }) => [
			{ type: "update", ref: a!, name: "A" },
			{ type: "move", ref: b!, parent: q! },
		],
		later: ({ p }) => [{ type: "delete", ref: p!, mirrors: "detach" }],
		shows: "p\n  A\n  q\n    b\nx\n  -> A",
	},
	"detach, with a node moved to an origin that stays from what would go": {
		scene: mirrored.replace("q #q", "q #q\n    d #d\n      e"),
		first: ({ a, d }) => [
			{ type: "update", ref: a!, name: "A" },
			{ type: "move", ref: d!, parent: a! },
		],
		later: ({ p }) => [{ type: "delete", ref: p!, mirrors: "detach" }],
		shows: "p\n  A\n    d\n      e\n    b\nx\n  -> A",
	},
	"detach, with two nodes that have changed places below an origin that stays": {
		scene: mirrored.replace("b #b", "b #b\n      d #d"),
		first: ({ a, b, d }) => [
			{ type: "update", ref: a!, name: "A" },
			{ type: "move", ref: d!, parent: a! },
			{ type: "move", ref: b!, parent: d! },
		],
		later: ({ a }) => [{ type: "delete", ref: a!, mirrors: "detach" }],
		shows: "p\n  A\n    d\n      b\n  q\nx\n  -> A",
	},
	"detach, with a node moved into the mirror": {
		first: ({ b, m }) => [{ type: "move", ref: b!, parent: m! }],
		later: ({ a }) => [{ type: "delete", ref: a!, mirrors: "detach" }],
		shows: "p\n  q\nx\n  a\n    b",
	},
	"promote, with a new node below what would go": {
		first: ({ q }) => [{ type: "create", parent: q!, name: "new" }],
		later: ({ p }) => [{ type: "delete", ref: p!, mirrors: "promote" }],
		shows: "p\n  a\n    b\n  q\n    new\nx\n  -> a",
	},
	"promote, with a node in the mirror, and a new node below what would go": {
		scene: `${mirrored}\n    y #y`,
		first: ({ q }) => [{ type: "create", parent: q!, name: "new" }],
		later: ({ p }) => [{ type: "delete", ref: p!, mirrors: "promote" }],
		shows: "p\n  a\n    b\n  q\n    new\nx\n  -> a\n    y",
	},
	"promote, with a new node below the origin, is done": {
		first: ({ b }) => [{ type: "create", parent: b!, name: "new" }],
		later: ({ p }) => [{ type: "delete", ref: p!, mirrors: "promote" }],
		shows: "x\n  a\n    b\n      new",
		tells: [],
	},
	"detach, with a change elsewhere, is done": {
		first: ({ q }) => [{ type: "update", ref: q!, name: "Q" }],
		later: ({ a }) => [{ type: "delete", ref: a!, mirrors: "detach" }],
		shows: "p\n  Q\nx\n  a\n    b",
		tells: [],
	},
});

row("a copy of a detached node is made if its content would be nowhere else", { scene: mirrored })({
	"the mirror is gone": {
		first: ({ m }) => [{ type: "removeMirror", ref: m! }],
		later: ({ a }) => [{ type: "delete", ref: a!, mirrors: "detach" }],
		shows: "p\n  q\nx\n  a\n    b",
		tells: ["returned m:"],
	},
	"the mirror is gone, with a new node below the origin": {
		first: ({ m }) => [{ type: "removeMirror", ref: m! }],
		later: ({ a, b }) => [
			{ type: "create", parent: b!, name: "new" },
			{ type: "delete", ref: a!, mirrors: "detach" },
		],
		shows: "p\n  q\nx\n  a\n    b\n      new",
		tells: ["returned m:"],
	},
	"the origin stays, with a new node below it": {
		first: ({ b }) => [{ type: "update", ref: b!, name: "B" }],
		later: ({ a, b }) => [
			{ type: "create", parent: b!, name: "new" },
			{ type: "delete", ref: a!, mirrors: "detach" },
		],
		shows: "p\n  a\n    B\n      new\n  q\nx\n  -> a",
		tells: ["deletion a:"],
	},
});

test("a mirror that was detached goes with its origin, if one commit deletes both", () =>
	meet(
		{
			scene: "p\n  a #a\nx\n  (mirror a) #m",
			first: ({ a }) => [{ type: "delete", ref: a!, mirrors: "detach" }],
			later: ({ a, m }) => [
				{ type: "delete", ref: m! },
				{ type: "delete", ref: a! },
			],
			shows: "p\nx",
		},
		"as batches",
	));

describe("a copy of a node that another device hadn't seen is made, although that device has detached the mirror", () => {
	const detached: Pick<Meeting, "scene" | "first"> = {
		scene: mirrored,
		first: ({ a }) => [{ type: "delete", ref: a!, mirrors: "detach" }],
	};

	test("in the commit that created it", () =>
		meet(
			{
				...detached,
				later: ({ a }) => [
					{ type: "create", parent: a!, name: "new" },
					{ type: "delete", ref: a!, mirrors: "detach" },
				],
				shows: ["p\n  q\nx\n  a\n    new\n    b", "p\n  q\nx\n  a\n    b\n    new"],
			},
			"as batches",
		));

	test("below an origin that an edit has returned", () =>
		meet(
			{
				...detached,
				later: ({ a }) => [
					{ type: "update", ref: a!, name: "A" },
					{ type: "create", parent: a!, name: "new" },
					{ type: "delete", ref: a!, mirrors: "detach" },
				],
				shows: ["p\n  q\nx\n  A\n    new\n    b", "p\n  q\nx\n  A\n    b\n    new"],
				tells: ["returned "],
			},
			"as commits",
		));

	test("below a mirror of an origin that was gone", () =>
		meet(
			{
				scene: "p #p\n  a #a\n    b #b\nx #x",
				first: ({ a }) => [{ type: "delete", ref: a! }],
				later: ({ a, x }) => [
					{ type: "mirror", ref: a!, parent: x! },
					{ type: "update", ref: a!, name: "A" },
					{ type: "create", parent: a!, name: "new" },
					{ type: "delete", ref: a!, mirrors: "detach" },
				],
				shows: "p\nx\n  A\n    new",
				tells: ["returned "],
			},
			"as commits",
		));
});

test("a node that stays keeps its shortcut, and one that goes loses it", async () => {
	const site = new Site();
	const [one, two] = [site.device(), site.device()];
	const { a, b, c } = await plant(one.outline, "a #a\n  b #b\n  c #c");
	await one.outline.setShortcut("stays", b);
	await one.outline.setShortcut("goes", c);
	await one.outline.setShortcut("dropped", b);
	await settleAll(site.devices);
	await one.outline.update(b, { note: "unseen" });
	await two.outline.deleteShortcut("dropped");
	await two.outline.delete(a);
	await settleAll(site.devices);
	const keys = async () =>
		(await site.outline.targets()).filter(({ type }) => type === "shortcut").map(({ key }) => key);
	expect(await keys()).toEqual(["stays"]);
	await expectEqual(site);
	const [conflict] = await one.replica.conflicts();
	await one.replica.resolve(conflict!.id, "other");
	await settleAll(site.devices);
	expect(await keys()).toEqual([]);
	await expectEqual(site);
});
