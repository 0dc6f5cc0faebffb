import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import type { OutlineEvent } from "../../../src/engine/event.js";
import { OutlineError } from "../../../src/errors.js";
import type { Outline } from "../../../src/outline.js";
import type { StorageAdapter } from "../../../src/storage.js";
import { bound, heldNotices } from "../../support/notices.js";
import { exported, newOutline, planted, twoOutlines } from "../../support/outline.js";
import { turns } from "../../support/turns.js";
import { catchUnhandled } from "../../support/unhandled.js";

/** Two outlines on one storage. The notices of the first one have no details, and can be held back. */
function heldOutlines() {
	const storage = createMemoryStorage();
	const { terse, hold, letGo } = heldNotices(storage);
	return { here: newOutline({ storage: terse }), there: newOutline({ storage }), hold, letGo };
}

/** Two outlines, the events of the first one, and a deletion by the other one that was pruned behind held notices. */
async function prunedUnseen() {
	const { here, there, hold, letGo } = heldOutlines();
	const { id } = await there.create({ name: "deleted" });
	const events: OutlineEvent[] = [];
	here.subscribe((event) => events.push(event));
	await here.list();
	hold();
	await there.delete(id);
	const created = await there.create({ name: "created" });
	await there.prune({ before: 3 });
	return { here, events, created, letGo };
}

describe("subscribe", () => {
	test("notifies of each commit before the operation resolves, with the nodes before and after", async () => {
		const outline = newOutline();
		const events: OutlineEvent[] = [];
		outline.subscribe((event) => events.push(event));
		const created = await outline.create({ name: "a" });
		expect(events).toEqual([{ revision: 1, source: "local", changes: [{ id: created.id, after: created }], keys: [] }]);
		const updated = await outline.update(created.id, { name: "b" });
		expect(events[1]).toEqual({
			revision: 2,
			source: "local",
			changes: [{ id: created.id, before: created, after: updated }],
			keys: [],
		});
		await outline.delete(created.id);
		const gone = [{ id: created.id, before: updated }];
		expect(events[2]).toEqual({ revision: 3, source: "local", changes: gone, keys: [] });
	});

	test("doesn't notify of operations without changes, nor after it has ended", async () => {
		const { outline, id } = await planted("a #id");
		const events: OutlineEvent[] = [];
		const end = outline.subscribe((event) => events.push(event));
		await outline.update(id, { name: "a" });
		await outline.move(id);
		await outline.uncomplete(id);
		await outline.create({ parent: "nowhere", name: "x" }).catch(() => {});
		expect(events).toEqual([]);
		end();
		end();
		await outline.create({ name: "b" });
		expect(events).toEqual([]);
	});

	test("notifies other outlines on the same storage, in order, with the source remote", async () => {
		const [here, there] = twoOutlines();
		const events: OutlineEvent[] = [];
		here.subscribe((event) => events.push(event));
		const held = new Map<string, unknown>();
		here.subscribe(({ changes }) => {
			for (const { id, before, after } of changes) {
				expect(held.get(id)).toEqual(before);
				if (after === undefined) held.delete(id);
				else held.set(id, after);
			}
		});
		const nodes = await Promise.all(
			Array.from({ length: 30 }, (_, index) => [here, there][index % 2]!.create({ name: `${index}` })),
		);
		await Promise.all(nodes.map(({ id }, index) => [here, there][(index >> 1) % 2]!.update(id, { note: "n" })));
		await there.delete(nodes[0]!.id);
		expect(events.map(({ revision }) => revision)).toEqual(Array.from({ length: 61 }, (_, index) => index + 1));
		expect(new Set(events.map(({ source }) => source))).toEqual(new Set(["local", "remote"]));
		expect(events.at(-1)).toMatchObject({ source: "remote" });
		expect([...held.values()].length).toBe(29);
		expect(new Map(held)).toEqual(new Map((await exported(here)).map((node) => [node.id, node])));
	});

	test("notifies all listeners of a commit before the first one of a commit that a listener then makes", async () => {
		const [here, there] = twoOutlines();
		const heard: [string, number, string][] = [];
		here.subscribe(({ revision, source }) => {
			heard.push(["here", revision, source]);
			if (revision === 1) void here.create({ name: "on hearing" });
		});
		there.subscribe(({ revision, source }) => heard.push(["there", revision, source]));
		await there.create({ name: "a" });
		await there.create({ name: "b" });
		expect(heard).toEqual([
			["here", 1, "remote"],
			["there", 1, "local"],
			["here", 2, "local"],
			["there", 2, "remote"],
			["here", 3, "remote"],
			["there", 3, "local"],
		]);
	});

	test("fetches the changes of other writers if the notices lack them, and keeps the order of revisions", async () => {
		const storage = createMemoryStorage();
		const { terse } = heldNotices(storage);
		const [here, there] = [newOutline({ storage: terse }), newOutline({ storage })];
		const events: OutlineEvent[] = [];
		here.subscribe((event) => events.push(event));
		const a = await here.create({ name: "a" });
		const b = await there.create({ name: "b" });
		await there.update(a.id, { name: "c" });
		await there.delete(b.id);
		await here.create({ name: "d" });
		for (let turns = 0; turns < 50; turns++) await Promise.resolve();
		expect(events.map(({ revision }) => revision)).toEqual(
			[...events.map(({ revision }) => revision)].sort((x, y) => x - y),
		);
		const told = new Map<string, unknown>();
		for (const { changes } of events) {
			for (const { id, after } of changes) {
				if (after === undefined) told.delete(id);
				else told.set(id, after);
			}
		}
		expect(told).toEqual(new Map((await exported(here)).map((node) => [node.id, node])));
	});

	test("has the changes of other writers before and after an own commit, each at its revision", async () => {
		const { here, there, hold, letGo } = heldOutlines();
		const x = await there.create({ name: "x" });
		const heard: string[] = [];
		here.subscribe(({ revision, source, changes }) => {
			heard.push(`${revision} ${source} ${changes.map(({ after }) => after?.name).join()}`);
		});
		// The storage has returned its revision by now.
		await here.list();
		hold();
		const parent = await there.create({ name: "parent" });
		await here.create({ parent: parent.id, name: "child" });
		await here.update(x.id, { name: "own" });
		await there.update(x.id, { name: "final" });
		letGo();
		for (let turns = 0; turns < 100; turns++) await Promise.resolve();
		expect(heard).toEqual(["2 remote parent", "3 local child", "4 local own", "5 remote final"]);
	});

	test("has the content of a mirror of this outline whose origin another writer changes at once", async () => {
		const { here, there, hold, letGo } = heldOutlines();
		const origin = await there.create({ name: "before" });
		const parent = await there.create({ name: "parent" });
		const told = new Map<string, string | undefined>();
		here.subscribe(({ changes }) => {
			for (const { id, after } of changes) told.set(id, after?.name);
		});
		await here.list();
		hold();
		await there.create({ name: "other" });
		const mirror = await here.mirror(origin.id, { parent: parent.id });
		await there.update(origin.id, { name: "now" });
		letGo();
		await turns();
		expect(told.get(origin.id)).toBe("now");
		expect(told.get(mirror.id)).toBe("now");
	});

	test("has the keys that other writers set and drop, with and without their changes in the notices", async () => {
		const storage = createMemoryStorage();
		const { terse, hold, letGo } = heldNotices(storage);
		const there = newOutline({ storage });
		const x = await there.create({ name: "x" });
		const heard: unknown[][] = [[], []];
		for (const [index, each] of [storage, terse].entries()) {
			const outline = newOutline({ storage: each });
			outline.subscribe(({ revision, keys }) => {
				if (keys.length > 0) heard[index]!.push([revision, keys.map(({ key, nodeId }) => [key, nodeId]).sort()]);
			});
			await outline.list();
		}
		hold();
		await there.setShortcut("home", x.id);
		const inbox = await there.ensure("inbox");
		await there.setShortcut("work", inbox.id);
		await there.delete("inbox");
		letGo();
		await turns();
		const dropped = [
			5,
			[
				["inbox", null],
				["work", null],
			],
		];
		expect(heard[0]).toEqual([[2, [["home", x.id]]], [3, [["inbox", inbox.id]]], [4, [["work", inbox.id]]], dropped]);
		expect(heard[1]).toEqual([[2, [["home", x.id]]], dropped]);
	});

	test("is told if deletions were pruned before they could be read", async () => {
		const { events, created, letGo } = await prunedUnseen();
		letGo();
		await turns();
		expect(events).toMatchObject([
			{ revision: 3, changes: [{ id: created.id }] },
			{ revision: 4, changes: [], keys: [], expired: true },
		]);
	});

	test("is told of pruned deletions although a commit of this outline is the last one", async () => {
		const { here, events, letGo } = await prunedUnseen();
		await here.create({ name: "own" });
		letGo();
		await turns();
		expect(events.at(-1)).toMatchObject({ source: "local", expired: true });
	});

	test("recognizes an own commit even if its notice comes before its acknowledgement", async () => {
		const storage = createMemoryStorage();
		const terse: StorageAdapter = {
			...heldNotices(storage).terse,
			commit: (batch) => storage.commit(batch).then((revision) => pause(5, revision)),
		};
		const outline = newOutline({ storage: terse });
		const heard: string[] = [];
		outline.subscribe(({ revision, source, changes }) =>
			heard.push(`${revision} ${source} ${changes[0]?.after?.name}`),
		);
		await outline.create({ name: "a" });
		await outline.create({ name: "b" });
		expect(heard).toEqual(["1 local a", "2 local b"]);
	});

	test("notifies before the operation resolves although the storage tells its revision late", async () => {
		const storage = createMemoryStorage();
		let tell = () => {};
		const told = new Promise<void>((resolve) => {
			tell = resolve;
		});
		const slow: StorageAdapter = {
			...bound(storage),
			read: async (queries) => {
				const answer = await storage.read(queries);
				if (queries.length === 0) await told;
				return answer;
			},
			watch: () => () => {},
		};
		const outline = newOutline({ storage: slow });
		const order: string[] = [];
		outline.subscribe(({ revision }) => order.push(`revision ${revision}`));
		const created = outline.create({ name: "a" }).then(() => order.push("resolved"));
		await turns(20);
		tell();
		await created;
		await outline.create({ name: "b" });
		expect(order).toEqual(["revision 1", "resolved", "revision 2"]);
	});

	test.each([
		["a read", async (outline: Outline) => (await outline.list()).nodes],
		["an export", exported],
	] as const)(
		"notifies of a commit that %s after subscribe doesn't show, although the storage tells its revision late",
		async (_, answer) => {
			const storage = createMemoryStorage();
			let tell = () => {};
			const told = new Promise<void>((resolve) => {
				tell = resolve;
			});
			const slow: StorageAdapter = {
				...bound(storage),
				read: (queries) => (queries.length === 0 ? told.then(() => storage.read(queries)) : storage.read(queries)),
				watch: (listener) => storage.watch!(({ revision }) => listener({ revision })),
			};
			const outline = newOutline({ storage: slow });
			const heard: (string | undefined)[] = [];
			outline.subscribe(({ changes }) => heard.push(...changes.map(({ after }) => after?.name)));
			const answered = answer(outline);
			await turns();
			await newOutline({ storage }).create({ name: "a" });
			tell();
			const nodes = await answered;
			await turns();
			expect([...nodes.map(({ name }) => name), ...heard]).toEqual(["a"]);
		},
	);

	test("and reads continue on a storage that threw an error at first", async () => {
		const storage = createMemoryStorage();
		let failing = true;
		const faulty: StorageAdapter = {
			...bound(storage),
			read: (queries) => {
				if (failing) throw new OutlineError("storage_unavailable", "not now");
				return storage.read(queries);
			},
			watch: (listener) => storage.watch!(listener),
		};
		const outline = newOutline({ storage: faulty });
		const heard: number[] = [];
		outline.subscribe(({ revision }) => heard.push(revision));
		await expect(outline.list()).rejects.toThrow("not now");
		failing = false;
		expect((await outline.list()).nodes).toEqual([]);
		await newOutline({ storage }).create({ name: "a" });
		await turns();
		expect(heard).toEqual([1]);
	});

	test("continues if the changes of other writers can't be read for a while", async () => {
		const storage = createMemoryStorage();
		const { terse, feed } = withFailingFeed(storage);
		const [here, there] = [newOutline({ storage: terse }), newOutline({ storage })];
		const heard: string[] = [];
		here.subscribe(({ source, changes }) => heard.push(`${source} ${changes.map(({ after }) => after?.name).join()}`));
		await here.create({ name: "a" });
		feed.fails = true;
		await there.create({ name: "unheard" });
		await here.create({ name: "b" });
		for (let turns = 0; turns < 50; turns++) await Promise.resolve();
		feed.fails = false;
		await there.create({ name: "c" });
		for (let turns = 0; turns < 50; turns++) await Promise.resolve();
		expect(heard.filter((each) => each.startsWith("local"))).toEqual(["local a", "local b"]);
		expect(heard.at(-1)).toContain("c");
		// It comes late, but it comes.
		expect(heard.filter((each) => each.startsWith("remote")).join()).toContain("unheard");
	});

	test("notifies of changes that couldn't be read for a while, although no commit follows", async () => {
		const storage = createMemoryStorage();
		const { terse, feed } = withFailingFeed(storage);
		const [here, there] = [newOutline({ storage: terse }), newOutline({ storage })];
		const events: OutlineEvent[] = [];
		const { id } = await there.create({ name: "old" });
		const gone = await there.create({ name: "gone" });
		here.subscribe((event) => events.push(event));
		await here.list();
		feed.fails = true;
		const changed = await there.update(id, { name: "new" });
		await there.delete(gone.id);
		await expect.poll(() => feed.failures, { timeout: 5000 }).toBeGreaterThan(1);
		feed.fails = false;
		await expect.poll(() => events, { timeout: 5000 }).toHaveLength(1);
		expect(events).toEqual([
			{ revision: 4, source: "remote", changes: [{ id, after: changed }, { id: gone.id }], keys: [] },
		]);
		await there.create({ name: "next" });
		await turns();
		expect(events.map(({ revision }) => revision)).toEqual([4, 5]);
		await here.close();
	});

	test("notifies of any number of changes that couldn't be read for a while, also after commits of its own", async () => {
		const storage = createMemoryStorage();
		const { terse, feed } = withFailingFeed(storage);
		feed.fails = true;
		const [here, there] = [newOutline({ storage: terse }), newOutline({ storage })];
		const heard = new Set<string | undefined>();
		const revisions: number[] = [];
		here.subscribe(({ revision, changes }) => {
			revisions.push(revision);
			for (const { after } of changes) heard.add(after?.name);
		});
		await here.list();
		for (let number = 0; number < 2500; number++) await there.create({ name: `${number}`, position: "bottom" });
		await here.create({ name: "own" });
		await turns(5);
		feed.fails = false;
		await here.create({ name: "last" });
		await expect.poll(() => heard.size, { timeout: 5000 }).toBe(2502);
		expect(revisions).toEqual([...revisions].sort((left, right) => left - right));
		await here.close();
	});

	test("begins again for a new listener, without earlier commits", async () => {
		const outline = newOutline();
		const heard: number[] = [];
		const end = outline.subscribe(() => {});
		await outline.create({ name: "one" });
		end();
		await outline.create({ name: "two" });
		outline.subscribe(({ revision, source }) => heard.push(revision, source === "local" ? 0 : -1));
		await outline.create({ name: "three" });
		expect(heard).toEqual([3, 0]);
	});

	test("doesn't call a listener that another one has just removed", async () => {
		const outline = newOutline();
		const heard: string[] = [];
		outline.subscribe(() => {
			heard.push("first");
			end();
		});
		const end = outline.subscribe(() => heard.push("second"));
		await outline.create({ name: "x" });
		expect(heard).toEqual(["first"]);
	});

	test("notifies of a commit that only sets a shortcut, without changes", async () => {
		const { outline, id } = await planted("x #id");
		const events: OutlineEvent[] = [];
		outline.subscribe((event) => events.push(event));
		await outline.setShortcut("key", id);
		const keys = [{ key: "key", type: "shortcut", nodeId: id }];
		expect(events).toEqual([{ revision: 2, source: "local", changes: [], keys }]);
		await outline.deleteShortcut("key");
		expect(events[1]!.keys).toEqual([{ key: "key", type: "shortcut", nodeId: null, previousId: id }]);
	});

	test("works for the outline's own commits on a storage without watch", async () => {
		const { read, commit, scan, close } = bound(createMemoryStorage());
		const outline = newOutline({ storage: { read, commit, scan, close } });
		const events: OutlineEvent[] = [];
		outline.subscribe((event) => events.push(event));
		const node = await outline.create({ name: "a" });
		expect(events).toEqual([{ revision: 1, source: "local", changes: [{ id: node.id, after: node }], keys: [] }]);
	});

	test("a listener may write, and one that throws disturbs neither the write nor other listeners", async () => {
		const outline = newOutline();
		const surfaced = catchUnhandled();
		const names: string[] = [];
		outline.subscribe(() => {
			throw new Error("listener");
		});
		outline.subscribe(({ revision, changes }) => {
			names.push(changes[0]!.after!.name);
			if (revision === 1) void outline.create({ name: "from the listener" });
		});
		await outline.create({ name: "a" });
		await outline.create({ name: "b" });
		await turns();
		expect(names).toEqual(["a", "from the listener", "b"]);
		expect(surfaced.map(String)).toEqual(["Error: listener", "Error: listener", "Error: listener"]);
	});
});

/** A storage whose notices have only the revision, and whose feed of changes fails as long as the test wants. */
function withFailingFeed(storage: StorageAdapter) {
	const feed = { fails: false, failures: 0 };
	const terse: StorageAdapter = {
		...heldNotices(storage).terse,
		read: async (queries) => {
			if (!feed.fails || queries[0]?.type !== "changes") return storage.read(queries);
			feed.failures += 1;
			throw new OutlineError("storage_unavailable", "away");
		},
	};
	return { terse, feed };
}
