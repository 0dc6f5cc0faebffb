import { expect, onTestFinished, test, vi } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import { ChildLists } from "../../../src/live/child-lists.js";
import { liveQuery, liveRows } from "../../../src/live/index.js";
import type { OutlineTree } from "../../../src/operations/create-tree.js";
import { Outline } from "../../../src/outline.js";
import { unusedId } from "../../support/ids.js";
import { bound, heldNotices } from "../../support/notices.js";
import { chain, newOutline, plant, planted, twoOutlines, walked } from "../../support/outline.js";
import { turns, turnsDuring } from "../../support/turns.js";
import { around, readRows, shown } from "./rows.js";

test("shows the top level and the children of expanded nodes", async () => {
	const { outline, a } = await planted("a #a\n  b\n    c\n  d\ne");
	const live = await readRows(outline, { expanded: [a] });
	expect(shown(live)).toEqual(["v a", "  ? b", "  ? d", "? e"]);
	await live.look(live.current.rows);
	expect(shown(live)).toEqual(["v a", "  > b", "  - d", "- e"]);
	await live.expand([a], false);
	expect(shown(live)).toEqual(["> a", "- e"]);
});

test("shows a local commit before its operation resolves, and replaces only the rows that differ", async () => {
	const { outline, a, b } = await planted("a #a\n  b #b\nc");
	const live = await readRows(outline, { expanded: [a] });
	const before = live.current.rows;
	let told = 0;
	live.subscribe(() => told++);
	await outline.update(b, { name: "B" });
	expect(shown(live)).toEqual(["v a", "  ? B", "? c"]);
	expect(live.current.rows[0]).toBe(before[0]);
	expect(live.current.rows[2]).toBe(before[2]);
	expect(told).toBe(1);
	const { rows } = live.current;
	await outline.move(b, { parent: null, position: "bottom" });
	expect(shown(live)).toEqual(["- a", "? c", "? B"]);
	expect(live.current.rows[1]).toBe(rows[2]);
	const { current } = live;
	await live.expand([a]);
	await outline.update(a, { note: "not below c" });
	await live.expand([unusedId]);
	expect(live.current.rows.slice(1)).toEqual(current.rows.slice(1));
	live.close();
	await outline.delete(b);
	expect(shown(live)).toEqual(["- a", "? c", "? B"]);
});

test("follows the commits of another outline on the same storage", async () => {
	const [here, there] = twoOutlines();
	const live = await readRows(here);
	const node = await there.create({ name: "from there" });
	await expect.poll(() => shown(live)).toEqual(["? from there"]);
	await there.delete(node.id);
	await expect.poll(() => shown(live)).toEqual([]);
});

test("shows a mirror whose origin another outline changed just before a commit of its own outline", async () => {
	const storage = createMemoryStorage();
	// The notice of the other outline's commit never comes, so the changes are fetched after the own commit.
	const unannounced = { ...bound(storage), watch: () => () => {} };
	const [outline, other] = [newOutline({ storage: unannounced }), newOutline({ storage })];
	const { a, b } = await plant(other, "a #a\nb #b");
	await other.mirror(a, { parent: b });
	const live = await readRows(outline, { expanded: [b] });
	await other.update(a, { name: "renamed" });
	await outline.update(b, { name: "B" });
	await expect.poll(() => shown(live)).toEqual(["? renamed", "v B", "  ? renamed"]);
});

test("shows the children of a mirror's origin, and doesn't expand the origin within itself", async () => {
	const scene = "a #a\n  b\n  p #p\n    (mirror a) #again\nq #q\n  (mirror a) #m";
	const { outline, a, m, p, q, again } = await planted(scene);
	const live = await readRows(outline, { expanded: [a, m, q, p, again] });
	expect(shown(live)).toEqual(["v a", "  ? b", "  v p", "    ~ a", "v q", "  v a", "    ? b", "    v p", "      ~ a"]);
	expect(new Set(live.current.rows.map(({ key }) => key)).size).toBe(9);
	expect(live.current.rows[6]!.node.parentId).toBe(m);
	await outline.create({ parent: m, name: "new", position: "bottom" });
	expect(shown(live).filter((row) => row.endsWith("new"))).toEqual(["  ? new", "    ? new"]);
});

test("has an undefined root after the root is deleted, and the node again after undo", async () => {
	const { outline, a } = await planted("a #a\n  b");
	const live = await readRows(outline, { root: a });
	expect(live.current.root).toMatchObject({ name: "a" });
	await outline.delete(a);
	expect(live.current).toEqual({ root: undefined, rows: [] });
	await outline.undo();
	await expect.poll(() => shown(live)).toEqual(["? b"]);
	const none = await readRows(outline, { root: unusedId });
	expect(none.current).toEqual({ root: undefined, rows: [] });
});

test.each([
	["an id in capitals", (id: string) => id.toUpperCase()],
	["a short id", (id: string) => id.slice(-12)],
	["a shortcut", () => "here"],
	["a day", () => "2026-11-21"],
	["a word for a day", () => "today"],
])("finds the root by %s", async (_, referenceTo) => {
	const outline = newOutline();
	const { id, parentId } = await outline.create({ name: "a", parent: "today" });
	await outline.setShortcut("here", parentId!);
	const live = await readRows(outline, { root: referenceTo(parentId!), expanded: [id] });
	expect(live.current.root?.id).toBe(parentId);
	expect(shown(live)).toEqual(["- a"]);
	await outline.create({ name: "b", parent: id });
	expect(shown(live)).toEqual(["v a", "  ? b"]);
	await outline.update(parentId!, { name: "the day" });
	expect(live.current.root?.name).toBe("the day");
});

test("ignores a root that doesn't exist, and refuses a root that can't exist", async () => {
	const outline = newOutline();
	const nowhere = await readRows(outline, { root: "nowhere" });
	await outline.create({ name: "a" });
	expect(nowhere.current).toEqual({ root: undefined, rows: [] });
	await expect(liveRows(outline, { root: "None" }).ready).rejects.toMatchObject({ code: "unsupported_reference" });
	await expect(liveRows(outline, { root: 1 as never }).ready).rejects.toMatchObject({ code: "invalid_argument" });
});

test("applies a commit that happens while the root is being read", async () => {
	const { outline, a } = await planted("a #a\n  b");
	const slow = around(outline, {
		get: async (id) => {
			const node = await outline.get(id);
			await outline.update(id, { name: "renamed" });
			return node;
		},
	});
	const live = await readRows(slow, { root: a });
	expect(live.current.root).toMatchObject({ name: "renamed" });
	expect(shown(live)).toEqual(["? b"]);
});

test("shows the children of a node that is deleted and comes back while they are being read", async () => {
	const { outline, a } = await planted("a #a\n  b");
	let reads = 0;
	const slow = around(outline, {
		list: async (parent) => {
			if (parent !== a || ++reads > 1) return outline.list(parent);
			await outline.delete(a);
			const answer = outline.list(a);
			await answer.catch(() => {});
			await outline.undo();
			return answer;
		},
	});
	const live = await readRows(slow, { expanded: [a] });
	expect(shown(live)).toEqual(["v a", "  ? b"]);
});

test("shows a node once that another outline moves while the lists are being read", async () => {
	for (const late of ["a", "b"]) {
		const storage = createMemoryStorage();
		const { terse, hold, letGo } = heldNotices(storage);
		const [outline, other] = [newOutline({ storage: terse }), newOutline({ storage })];
		const { a, b, x } = await plant(other, "a #a\n  x #x\nb #b\n  c");
		let move = () => {};
		const moved = new Promise<unknown>((resolve) => {
			move = () => resolve(other.move(x, { parent: b }));
		});
		const answers = around(outline, {
			// The answer for a is of the time before the move, and the answer for b of the time after it. Both have the node.
			list: async (parent) => {
				if (parent === b) await moved;
				const answer = await outline.list(parent);
				if (parent === a) move();
				if (parent !== null) await moved;
				if (parent === (late === "a" ? a : b)) await turns();
				return answer;
			},
		});
		hold();
		const live = await readRows(answers, { expanded: [a, b] });
		expect(live.current.rows.filter(({ node }) => node.id === x)).toHaveLength(1);
		letGo();
		await expect.poll(() => shown(live)).toEqual(["- a", "v b", "  ? x", "  ? c"]);
		await other.update(x, { name: "X" });
		await expect.poll(() => shown(live)).toEqual(["- a", "v b", "  ? X", "  ? c"]);
	}
});

test("shows the top level of a scope, and the same nodes below a mirror of an ancestor in it", async () => {
	const { outline, b, m } = await planted("a #a\n  b #b\n    c\n    (mirror a) #m");
	const live = await readRows(outline.scope(b) as unknown as Outline, { expanded: [m, b] });
	expect(shown(live)).toEqual(["? c", "v a", "  v b", "    ? c", "    ~ a"]);
});

test("removes nodes that become hidden and adds them when they become visible", async () => {
	const { outline, a, b } = await planted("a #a\n  b #b");
	const live = await readRows(outline, { expanded: [a], hides: ({ completed }) => completed });
	await outline.complete(b);
	expect(shown(live)).toEqual(["- a"]);
	await outline.uncomplete(b);
	expect(shown(live)).toEqual(["v a", "  ? b"]);
	await outline.complete(a);
	expect(shown(live)).toEqual([]);
	live.hide(() => false);
	expect(shown(live)).toEqual(["v a", "  ? b"]);
});

test("passes the error of hides at a commit to onError, and shows the rows when it works again", async () => {
	const outline = new Outline({ storage: createMemoryStorage() });
	const { id } = await outline.create({ name: "a" });
	const errors: unknown[] = [];
	const problem = new Error("of the host");
	const hides = ({ name }: { name: string }) => {
		if (name === "b") throw problem;
		return false;
	};
	const live = await readRows(outline, { hides, onError: (error) => errors.push(error) });
	await outline.update(id, { name: "b" });
	expect(errors).toEqual([problem]);
	expect(live.current.rows.map(({ node }) => node.name)).toEqual(["a"]);
	await outline.update(id, { name: "c" });
	expect(live.current.rows.map(({ node }) => node.name)).toEqual(["c"]);
});

test("shows the commits that hides failed at after a later commit of another node, and after another hides", async () => {
	const { outline, a, c, top } = await planted("a #a\n  b\n  c #c\ntop #top");
	let fails = false;
	const hides = () => {
		if (fails) throw new Error("of the host");
		return false;
	};
	const live = await readRows(outline, { expanded: [a], hides, onError: () => {} });
	const names = () => live.current.rows.map(({ node }) => node.name);
	fails = true;
	await outline.update(top, { name: "renamed" });
	await outline.create({ name: "new", parent: a });
	expect(names()).toEqual(["a", "b", "c", "top"]);
	expect(() => live.hide(hides)).toThrow("of the host");
	fails = false;
	await outline.update(c, { name: "changed" });
	expect(names()).toEqual(["a", "new", "b", "changed", "renamed"]);
	fails = true;
	await outline.delete(c);
	live.hide(() => false);
	expect(names()).toEqual(["a", "new", "b", "renamed"]);
});

test("passes the error of a read that follows a commit to onError, and leaves the rows as they were", async () => {
	const storage = createMemoryStorage();
	const { outline, hidden } = await planted("hidden #hidden\n  below", { storage });
	const errors: unknown[] = [];
	const live = await readRows(
		around(outline, {
			list: (parent) => (parent === hidden ? Promise.reject(new Error("no disk")) : outline.list(parent)),
		}),
		{ expanded: [hidden], hides: ({ name }) => name === "hidden", onError: (error) => errors.push(error) },
	);
	await newOutline({ storage }).update(hidden, { name: "shown" });
	await expect.poll(() => errors).toEqual([new Error("no disk")]);
	expect(shown(live)).toEqual(["? shown"]);
});

test("shows a node that was moved into a mirror below its own origin, as `walk` does", async () => {
	const scene = "o #o\n  a #a\n    (mirror o) #m\nprecious #c\nother";
	const { outline, o, a, c, m } = await planted(scene);
	const live = await readRows(outline, { expanded: [o, a, m] });
	expect(shown(live)).toEqual(["v o", "  v a", "    ~ o", "? precious", "? other"]);
	await outline.move(c, { parent: m });
	expect(shown(live)).toEqual(["v o", "  v a", "    ~ o", "      ? precious", "? other"]);
	expect((await walked(outline)).map(({ node }) => node.name)).toEqual(["o", "a", "o", "precious", "other"]);
	expect(live.current.rows[3]!.key).toBe(`${m}/${c}`);
	await live.expand([m], false);
	expect(live.current.rows[2]).toMatchObject({ hasChildren: true, expanded: false, recurring: true });
	await live.expand([m]);
	await outline.move(c, { parent: null });
	expect(shown(live)).toEqual(["? precious", "v o", "  v a", "    ~ o", "? other"]);
	// `look` also finds this. The origin's children aren't loaded here, because its mirror is the root.
	const home = await outline.create({ name: "home" });
	const top = await outline.mirror(o, { parent: home.id });
	await outline.move(c, { parent: m });
	const below = await readRows(outline, { root: top.id, expanded: [a] });
	expect(shown(below)).toEqual(["v a", "  ~ o"]);
	expect(below.current.rows[1]!.hasChildren).toBeUndefined();
	await below.look(below.current.rows);
	expect(below.current.rows[1]!.hasChildren).toBe(true);
	await below.expand([m]);
	expect(shown(below)).toEqual(["v a", "  ~ o", "    ? precious"]);
});

test("doesn't expand an origin again below a mirror of itself, but reports that it has children", async () => {
	const scene = "o #o\n  child\nhome #home\n  (mirror o) #m\n    inner #inner";
	const { outline, o, home, m, inner } = await planted(scene);
	await outline.move(o, { parent: inner });
	const live = await readRows(outline, { expanded: [home, m, inner, o] });
	await live.look(live.current.rows);
	const rows = live.current.rows.map(({ node, recurring, expanded, hasChildren }) => [
		node.name,
		recurring,
		expanded,
		hasChildren,
	]);
	expect(rows).toEqual([
		["home", false, true, true],
		["o", false, true, true],
		["child", false, false, false],
		["inner", false, true, true],
		["o", true, false, true],
	]);
});

test("reads everything again if deletions were pruned before they could be read", async () => {
	const storage = createMemoryStorage();
	const { terse, hold, letGo } = heldNotices(storage);
	const [here, there] = [newOutline({ storage: terse }), newOutline({ storage })];
	const { a, b } = await plant(there, "a #a\n  b #b\nc");
	const lives = [liveRows(here, { expanded: [a] }), liveRows(here, { root: a }), liveRows(here, { root: b })];
	const count = liveQuery(here, async () => (await here.list()).nodes.length, { concerns: () => false });
	await Promise.all([...lives, count].map(({ ready }) => ready));
	hold();
	await there.delete(b);
	await there.create({ name: "d", position: "bottom" });
	const { revision } = await there.changes({ since: 0 });
	await there.prune({ before: revision });
	letGo();
	await vi.waitFor(() => expect(shown(lives[0]!)).toEqual(["- a", "? c", "? d"]));
	await vi.waitFor(() => expect(lives[2]!.current.root).toBeUndefined());
	expect(shown(lives[1]!)).toEqual([]);
	await vi.waitFor(() => expect(count.current).toBe(3));
});

test("the last value that a listener gets is the current one, also if another listener changes it", async () => {
	const outline = newOutline();
	const live = await readRows(outline);
	live.subscribe(({ rows }) => {
		if (rows.length > 1) live.hide(({ name }) => name === "b");
	});
	const seen: string[][] = [];
	live.subscribe(({ rows }) => seen.push(rows.map(({ node }) => node.name)));
	await plant(outline, "a\nb");
	expect(seen).toEqual([["a"], ["a"]]);
	expect(shown(live)).toEqual(["? a"]);
	await outline.create({ name: "c", position: "bottom" });
	expect(seen.at(-1)).toEqual(["a", "c"]);
});

test("refuses options and arguments of another type", async () => {
	const outline = newOutline();
	const rows = (options: unknown) => () => Reflect.apply(liveRows, undefined, [outline, options]);
	for (const options of [
		null,
		5,
		{ hides: 5 },
		{ onError: "x" },
		{ expanded: 5 },
		{ expanded: "abc" },
		{ expanded: [{}] },
	]) {
		expect(rows(options), JSON.stringify(options)).toThrow(expect.objectContaining({ code: "invalid_argument" }));
	}
	const live = liveRows(outline);
	for (const ids of [5, [5], [{ id: "a" }]]) {
		await expect(Reflect.apply(live.expand, live, [ids])).rejects.toMatchObject({ code: "invalid_argument" });
	}
	expect(() => Reflect.apply(live.hide, live, [5])).toThrow(expect.objectContaining({ code: "invalid_argument" }));
	expect(() => live.subscribe(undefined as never)).toThrow(/subscribe's listener/);
	for (const rows of [undefined, [3], [null], [{ node: null }]]) {
		await expect(live.look(rows as never)).rejects.toMatchObject({ code: "invalid_argument" });
	}
});

test("rows that look know whether they have children, also after a commit and what was hidden", async () => {
	const { outline, a, b, c } = await planted("a #a\n  b #b\n    c #c\nd");
	const live = liveRows(outline, { look: true, expanded: [a, b], hides: ({ id }) => id === a });
	const drawn = () =>
		live.current.rows.map(({ node, hasChildren }) => `${node.name}${hasChildren ? ">" : hasChildren}`);
	await live.ready;
	expect(drawn()).toEqual(["dfalse"]);
	live.hide(({ id }) => id === c);
	await expect.poll(drawn).toEqual(["a>", "bfalse", "dfalse"]);
	live.hide(() => false);
	await outline.create({ parent: c, name: "e" });
	await expect.poll(drawn).toEqual(["a>", "b>", "c>", "dfalse"]);
	const seen: unknown[] = [];
	live.subscribe((now) => seen.push(now));
	await outline.delete(c);
	await expect.poll(drawn).toEqual(["a>", "bfalse", "dfalse"]);
	expect(seen.at(-1)).toBe(live.current);
});

test("rows load what was hidden and is expanded as soon as it shows", async () => {
	const { outline, a } = await planted("a #a\n  b");
	const live = await readRows(outline, { expanded: [a], hides: () => true });
	live.hide(() => false);
	await expect.poll(() => live.current.rows.map(({ node }) => node.name)).toEqual(["a", "b"]);
});

test("rows that look don't look at every row again after a commit", async () => {
	const outline = newOutline();
	const { id, children } = await outline.createTree({
		name: "list",
		children: Array.from({ length: 1000 }, (_, index) => ({ name: `${index}` })),
	});
	const live = await readRows(outline, { root: id, look: true });
	const looks = vi.spyOn(ChildLists.prototype, "of");
	onTestFinished(() => looks.mockRestore());
	await outline.update(children[500]!.id, { name: "renamed" });
	await outline.create({ name: "new", parent: id });
	await expect.poll(() => shown(live).slice(0, 2)).toEqual(["- new", "- 0"]);
	expect(looks.mock.calls.length).toBeLessThan(100);
});

test("rows of many levels give other work its turn while they load", async () => {
	const outline = newOutline();
	const ids: string[] = [];
	for (let node: OutlineTree | undefined = await outline.createTree(chain(300)); node; [node] = node.children) {
		ids.push(node.id);
	}
	const turns = await turnsDuring(() => readRows(outline, { expanded: ids }));
	expect(turns).toBeGreaterThan(100);
});
