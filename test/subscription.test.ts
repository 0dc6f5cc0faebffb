import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../adapters/memory.js";
import type { OutlineEvent } from "../src/change.js";
import type { StorageAdapter } from "../src/storage.js";
import { exported, newOutline, plant } from "./plant.js";

describe("subscribe", () => {
	test("tells of each commit before the operation resolves, with the nodes before and after", async () => {
		const outline = newOutline();
		const events: OutlineEvent[] = [];
		outline.subscribe((event) => events.push(event));
		const created = await outline.create({ name: "a" });
		expect(events).toEqual([{ revision: 1, source: "local", changes: [{ id: created.id, after: created }] }]);
		const updated = await outline.update(created.id, { name: "b" });
		expect(events[1]).toEqual({
			revision: 2,
			source: "local",
			changes: [{ id: created.id, before: created, after: updated }],
		});
		await outline.delete(created.id);
		expect(events[2]).toEqual({ revision: 3, source: "local", changes: [{ id: created.id, before: updated }] });
	});

	test("tells of an origin whose mirrors change and of mirrors whose origin changes", async () => {
		const outline = newOutline();
		const { origin, mirror } = await plant<"origin" | "mirror">(outline, "a #origin\nplace\n  (mirror origin) #mirror");
		const events: OutlineEvent[] = [];
		outline.subscribe((event) => events.push(event));
		await outline.update(mirror, { name: "b" });
		expect(events[0]!.changes.map(({ id, after }) => [id, after!.name]).sort()).toEqual(
			[
				[origin, "b"],
				[mirror, "b"],
			].sort(),
		);
		const other = await outline.mirror(origin, { parent: (await outline.create({ name: "x" })).id });
		expect(events[2]!.changes).toContainEqual({ id: other.id, after: other });
		expect(events[2]!.changes.find(({ id }) => id === origin)?.after?.mirror).toEqual({
			mirrorIds: [mirror, other.id].sort(),
		});
		await outline.removeMirror(other.id);
		expect(events[3]!.changes.find(({ id }) => id === origin)?.after?.mirror).toEqual({ mirrorIds: [mirror] });
		expect(events[3]!.changes.length).toBe(2);
	});

	test("tells nothing of what changes nothing, and nothing after it ended", async () => {
		const outline = newOutline();
		const { id } = await outline.create({ name: "a" });
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

	test("tells other outlines on the same storage, in order, as remote", async () => {
		const storage = createMemoryStorage();
		const [here, there] = [newOutline({ storage }), newOutline({ storage })];
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

	test("tells everybody of a commit before anybody of one that a listener makes on hearing of it", async () => {
		const storage = createMemoryStorage();
		const [here, there] = [newOutline({ storage }), newOutline({ storage })];
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

	test("fetches what others did when the notices don't say it, and keeps the order of revisions", async () => {
		const storage = createMemoryStorage();
		const terse: StorageAdapter = {
			read: (queries) => storage.read(queries),
			commit: (batch) => storage.commit(batch),
			scan: () => storage.scan(),
			watch: (listener) => storage.watch!(({ revision }) => listener({ revision })),
			close: () => storage.close(),
		};
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

	test("works on a storage that can't be watched, for the outline's own commits", async () => {
		const { read, commit, scan, close } = bound(createMemoryStorage());
		const outline = newOutline({ storage: { read, commit, scan, close } });
		const events: OutlineEvent[] = [];
		outline.subscribe((event) => events.push(event));
		const node = await outline.create({ name: "a" });
		expect(events).toEqual([{ revision: 1, source: "local", changes: [{ id: node.id, after: node }] }]);
	});

	test("a listener may write, and one that throws disturbs neither the write nor the others", async () => {
		const outline = newOutline();
		const surfaced: unknown[] = [];
		const catching = (error: unknown) => surfaced.push(error);
		process.on("unhandledRejection", catching);
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
		await new Promise((resolve) => setImmediate(resolve));
		process.off("unhandledRejection", catching);
		expect(names).toEqual(["a", "from the listener", "b"]);
		expect(surfaced.map(String)).toEqual(["Error: listener", "Error: listener", "Error: listener"]);
	});
});

function bound(storage: StorageAdapter): StorageAdapter {
	return {
		read: (queries) => storage.read(queries),
		commit: (batch) => storage.commit(batch),
		scan: () => storage.scan(),
		close: () => storage.close(),
	};
}
