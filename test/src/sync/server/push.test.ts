import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createMemoryStorage } from "../../../../adapters/memory.js";
import { createSqliteStorage } from "../../../../adapters/sqlite.js";
import { OutlineError } from "../../../../src/errors.js";
import { randomId } from "../../../../src/id.js";
import type { Outline } from "../../../../src/outline.js";
import type { StorageAdapter } from "../../../../src/storage.js";
import { openDatabase } from "../../../adapters/sqlite/open-database.js";
import { interrupted } from "../../../support/interrupted.js";
import { bound } from "../../../support/notices.js";
import { codeOf, exported, newOutline } from "../../../support/outline.js";
import { creation, digestOf, entryTime, pulled, SyncDevice, serverAndDevice } from "../../../support/sync-device.js";
import { temporaryFolder } from "../../../support/temporary.js";
import { turnsDuring } from "../../../support/turns.js";

/** The names of all nodes, in order. */
async function names(outline: Outline): Promise<string[]> {
	return (await exported(outline)).map(({ name }) => name).sort();
}

test("an entry is settled, and another device receives its node", async () => {
	const server = newOutline();
	const one = new SyncDevice();
	const two = new SyncDevice();
	const id = one.create({ name: "milk", note: "two" });
	await one.sync(server);
	await two.sync(server);
	expect(await server.get(id)).toMatchObject({ name: "milk", note: "two", createdAt: entryTime });
	expect(two.nodes.get(id)).toEqual({
		id,
		parentId: null,
		priority: 0,
		name: "milk",
		note: "two",
		createdAt: entryTime,
	});
	expect(two.nodes).toEqual(one.nodes);
	expect(one.outline).toBe(two.outline);
});

test("a pull changes nothing, so it makes no revision", async () => {
	const { server, device } = serverAndDevice();
	device.create();
	await device.sync(server);
	const { since } = device;
	await device.sync(server);
	await new SyncDevice().sync(server);
	await device.sync(server);
	expect(device.since).toBe(since);
});

test("an entry is settled once, however often its push arrives", async () => {
	const { server, device } = serverAndDevice();
	const id = device.create({ name: "a" });
	const first = device.push();
	const lost = await server.sync(first);
	device.rename(id, "a", "b");
	const second = device.push();
	await server.sync(second);
	await server.update(id, { name: "c" });
	for (const late of [first, second, first, second]) await server.sync(late);
	expect(await names(server)).toEqual(["c"]);
	await device.sync(server);
	expect(device.nodes.get(id)?.name).toBe("c");
	expect(lost.last).toBe(1);
});

test("pushes that arrive at the same time settle each entry once", async () => {
	const { server, device } = serverAndDevice();
	for (let count = 0; count < 20; count++) device.create({ name: `${count}`, priority: count });
	const pushes = [5, 20, 12, 20, 3].map((count) => device.push(device.entries.slice(0, count)));
	const answers = await Promise.all(pushes.map((push) => server.sync(push)));
	expect(await exported(server)).toHaveLength(20);
	for (const { last } of answers) expect([3, 5, 12, 20]).toContain(last);
	await device.sync(server);
	expect(device.pending).toEqual([]);
});

test("entries that the server hasn't seen may follow old ones", async () => {
	const { server, device } = serverAndDevice();
	device.create({ name: "a" });
	await server.sync(device.push());
	device.create({ name: "b", priority: 1 });
	// The answer to the first push was lost.
	await server.sync(device.push());
	expect(await names(server)).toEqual(["a", "b"]);
});

test("a copied device is noticed by the digest of its last common entry", async () => {
	const { server, device } = serverAndDevice();
	device.create({ name: "common" });
	await device.sync(server);
	const copy = Object.assign(new SyncDevice(), { ...device, entries: [...device.entries] });
	copy.create({ name: "dropped" });
	copy.entries.pop();
	device.create({ name: "one" });
	copy.create({ name: "two" });
	await device.sync(server);
	const error = await server.sync(copy.push()).catch((error) => error);
	expect(error).toBeInstanceOf(OutlineError);
	expect(error.code).toBe("sync_forked");
	expect(error.journal.last).toBe(2);
	const common = error.journal.digests.filter(([seq, digest]: [number, string]) =>
		copy.entries.some((entry) => entry.seq === seq && entry.digest === digest),
	);
	expect(common).toEqual([[1, device.entries[0]!.digest]]);
	expect(await names(server)).toEqual(["common", "one"]);
	// A copy without entries of its own learns it from the answer.
	const idle = Object.assign(new SyncDevice(), { id: device.id, last: 1, digest: device.entries[0]!.digest });
	expect((await server.sync(idle.push())).last).toBe(2);
	// Its later entry doesn't continue the last one of the server.
	expect(await codeOf(server.sync(idle.push([{ seq: 3, digest: "", lines: ['{"seq":3,"at":1,"nodes":[]}'] }])))).toBe(
		"sync_forked",
	);
	expect(await codeOf(server.sync(idle.push([], { last: 2 })))).toBe("sync_forked");
});

test("a fork names the last 4,096 digests", async () => {
	const { server, device } = serverAndDevice();
	for (let count = 0; count < 5000; count++) device.add({});
	await device.sync(server);
	const error = await server.sync(device.push([], { last: 5000, digest: "0".repeat(16) })).catch((error) => error);
	expect(error.journal.digests).toEqual(device.entries.slice(-4096).map(({ seq, digest }) => [seq, digest]));
});

test("an entry may have several lines", async () => {
	const { server, device } = serverAndDevice();
	const [parent, child] = [creation({ name: "parent" }), creation({ name: "child" })];
	const nodes = [{ ...child, after: { ...child.after, parentId: parent.id } }];
	device.add(
		{ nodes: [parent] },
		{ nodes },
		{ keys: [{ key: "k", group: "shortcut", before: null, after: child.id }] },
	);
	await device.sync(server);
	expect(await server.get("k")).toMatchObject({ name: "child", parentId: parent.id });
	expect(device.keys.get("k")).toBe(child.id);
});

test("the server does other work between the lines of an entry, and between their parts", async () => {
	const { server, device } = serverAndDevice();
	const parts = Array.from({ length: 50 }, () => ({ closed: ["0000000000000042-0"] }));
	device.add({ known: Object.fromEntries(parts.map(() => [randomId(), { parentId: null }])) }, ...parts);
	expect(await turnsDuring(() => server.sync(device.push()))).toBeGreaterThanOrEqual(150);
});

test("a push that ends within an entry keeps the entries before", async () => {
	const { server, device } = serverAndDevice();
	device.create({ name: "whole" });
	device.add({ nodes: [creation()] }, {});
	expect(await codeOf(server.sync(device.push().slice(0, -1)))).toBe("invalid_argument");
	await device.sync(server);
	expect(await names(server)).toEqual(["new", "whole"]);
});

test("a push whose source breaks off rejects with the error of the source", async () => {
	const { server, device } = serverAndDevice();
	device.create();
	async function* broken() {
		yield* device.push();
		throw new Error("The connection is gone.");
	}
	await expect(server.sync(broken())).rejects.toThrow("The connection is gone.");
	await device.sync(server);
	expect(await exported(server)).toHaveLength(1);
});

test("a push for another outline changes nothing", async () => {
	const [server, other] = [newOutline(), newOutline()];
	const device = new SyncDevice();
	await device.sync(server);
	device.create();
	for (const outline of [other, newOutline()]) expect(await codeOf(outline.sync(device.push()))).toBe("wrong_outline");
	await new SyncDevice().sync(other);
	expect(await codeOf(other.sync(device.push()))).toBe("wrong_outline");
	expect(await exported(other)).toEqual([]);
	await device.sync(server);
	expect(await exported(server)).toHaveLength(1);
});

test("a server that is behind the device says so", async () => {
	const { server, device } = serverAndDevice();
	device.create();
	await device.sync(server);
	const { since, last, digest } = device;
	expect(await codeOf(server.sync(device.push([], { since: since + 1 })))).toBe("sync_reset");
	expect(await codeOf(server.sync(device.push([], { last: last + 1 })))).toBe("sync_reset");
	expect(await codeOf(server.sync(device.push([], { device: randomId() })))).toBe("sync_reset");
	expect(await codeOf(server.sync(device.push([], { since, last, digest })))).toBeUndefined();
});

test("a device from before the horizon must load the image", async () => {
	const { server, device } = serverAndDevice();
	device.create({ name: "a" });
	await device.sync(server);
	const gone = await server.create({ name: "b" });
	await server.delete(gone.id);
	await server.prune({ before: device.since + 2 });
	device.create({ name: "c" });
	expect(await codeOf(server.sync(device.push()))).toBe("changes_expired");
	expect(await names(server)).toEqual(["a"]);
	device.since = 0;
	device.limit = 1;
	await device.sync(server);
	expect([...device.nodes.values()].map(({ name }) => name).sort()).toEqual(["a", "c"]);
});

test.each([undefined, null, 5, "line", {}])(
	"a push that is %j, and no list of lines, is an invalid argument",
	async (lines) => {
		expect(await codeOf(newOutline().sync(lines as never))).toBe("invalid_argument");
	},
);

test("another protocol is an upgrade, and a malformed header an invalid argument", async () => {
	const { server, device } = serverAndDevice();
	expect(await codeOf(server.sync(device.push([], { protocol: 2 })))).toBe("sync_upgrade");
	for (const wrong of [
		{ device: "x" },
		{ device: randomId().toUpperCase() },
		{ since: -1 },
		{ since: 1.5 },
		{ last: 1 },
		{ digest: "0".repeat(16) },
		{ digest: "x", last: 1 },
		{ limit: -1 },
		{ outline: 1 },
	]) {
		expect(await codeOf(server.sync(device.push([], wrong as object))), JSON.stringify(wrong)).toBe("invalid_argument");
	}
	for (const lines of [[], [""], ["x"], ["[]"], [1 as never]]) {
		expect(await codeOf(server.sync(lines))).toBe("invalid_argument");
	}
});

test("numbers of entries must ascend", async () => {
	const { server, device } = serverAndDevice();
	for (const seqs of [[0], [1, 1], [2, 1], [1.5], ["1"], [null]]) {
		const lines = seqs.map((seq) => JSON.stringify({ seq, at: 1, nodes: [] }));
		expect(await codeOf(server.sync([...device.push(), ...lines]))).toBe("invalid_argument");
	}
});

test("an answer has the limited number of changes, and a limit of 0 has none", async () => {
	const server = newOutline();
	for (let count = 0; count < 30; count++) await server.create({ name: `${count}` });
	const device = new SyncDevice();
	const none = await server.sync(device.push([], { limit: 0 }));
	expect(none).toMatchObject({ nodes: [], more: true, revision: 0 });
	const some = await server.sync(device.push([], { limit: 10 }));
	expect(some).toMatchObject({ more: true });
	expect(some.nodes).toHaveLength(10);
	device.limit = 7;
	await device.sync(server);
	expect(device.nodes.size).toBe(30);
});

test("an answer has deleted nodes and dropped keys", async () => {
	const { server, device } = serverAndDevice();
	const { id } = await server.create({ name: "a" });
	await server.setShortcut("k", id);
	await device.sync(server);
	expect(device.keys).toEqual(new Map([["k", id]]));
	await server.delete(id);
	await device.sync(server);
	expect([device.nodes.size, device.keys.size]).toEqual([0, 0]);
});

test("a prune while an answer is read hides no deletion", async () => {
	const storage = createMemoryStorage();
	const server = newOutline({ storage });
	const device = new SyncDevice();
	const ids = Array.from({ length: 200 }, (_, priority) => device.create({ name: "a", priority }));
	// Each in a commit of its own, so that an answer takes several pages.
	for (const { seq } of device.entries) await server.sync(device.push(device.entries.slice(0, seq)));
	const pruned = () =>
		newOutline({
			storage: interrupted(storage, async () => {
				await server.delete(ids.shift()!);
				await server.create({ name: "new" });
				const { since } = await pulled(server);
				await server.prune({ before: since });
			}),
		});
	const fresh = new SyncDevice();
	await fresh.sync(pruned());
	expect(fresh.nodes).toEqual((await pulled(server)).nodes);
	const behind = Object.assign(new SyncDevice(), { outline: fresh.outline, since: fresh.since });
	for (let count = 0; count < 100; count++) await server.create({ name: "more" });
	expect(await codeOf(behind.sync(pruned()))).toBe("changes_expired");
});

test("a sync isn't in the server's undo history, and listeners receive it", async () => {
	const server = newOutline();
	const seen: string[] = [];
	server.subscribe(({ changes }) => seen.push(...changes.map(({ after }) => after!.name)));
	const device = new SyncDevice();
	device.create({ name: "a" });
	await device.sync(server);
	expect(await server.undo()).toBeNull();
	expect(seen).toEqual(["a"]);
});

/** Storages for three servers: one that they share, or three connections to one database. */
const shared: readonly (readonly [name: string, create: () => readonly StorageAdapter[]])[] = [
	["in memory", () => new Array<StorageAdapter>(3).fill(createMemoryStorage())],
	["in SQLite", connections],
];

function connections(): StorageAdapter[] {
	const file = join(temporaryFolder(), "outline.db");
	return [1, 2, 3].map(() => {
		const database = openDatabase("libsql", file);
		onTestFinished(() => void database.close());
		return createSqliteStorage(database);
	});
}

test.each(shared)("several servers over one storage settle each entry once (%s)", async (_, create) => {
	const servers = create().map((storage) => newOutline({ storage }));
	const devices = [1, 2, 3, 4].map(() => new SyncDevice());
	for (const device of devices) {
		for (let count = 0; count < 25; count++) device.create({ name: `${count}`, priority: count });
	}
	const pushes = devices.flatMap((device) =>
		[7, 25, 13].flatMap((count) =>
			servers.map((server) => () => server.sync(device.push(device.entries.slice(0, count)))),
		),
	);
	const outlines = new Set((await Promise.all(pushes.map((push) => push()))).map(({ outline }) => outline));
	expect(outlines.size).toBe(1);
	expect(await exported(servers[0]!)).toHaveLength(100);
	for (const [index, device] of devices.entries()) {
		await device.sync(servers[index % 3]!);
		expect(device.nodes.size).toBe(100);
	}
	expect((await servers[2]!.verify()).total).toBe(0);
});

test("the digest of an answer is that of the journal", async () => {
	const { server, device } = serverAndDevice();
	device.create();
	device.create({ name: "ä 😀" });
	const [first, second] = device.entries;
	const answer = await server.sync(device.push());
	expect(answer.digest).toBe(digestOf(digestOf("", first!.lines), second!.lines));
});

test("new siblings at an end or in a gap take few reads, however many they are", async () => {
	const { siblings: there, server, reads, device } = await withSiblings(20);
	const add = (priority: number, above: string | null, below: string | null) => {
		const node = { ...creation({ name: "new", priority }), above, below };
		device.add({ nodes: [node] });
		return node.id;
	};
	let [top, last, inGap] = [there[0]!, there.at(-1)!, there[4]!];
	for (let at = 1; at <= 30; at++) top = add(-at, null, top);
	for (let at = 1; at <= 30; at++) last = add(20_000 + at, last, null);
	for (let at = 1; at <= 30; at++) inGap = add(4000 + at, inGap, there[5]!);
	await device.sync(server);
	expect(reads()).toBeLessThan(10);
	const { nodes } = await server.list();
	const expected = ["there", "new", "there", "new", "there", "new"].flatMap((name, at) =>
		Array.from({ length: [0, 30, 5, 30, 15, 30][at]! }, () => name),
	);
	expect(nodes.map(({ name }) => name)).toEqual(expected);
});

test("new nodes in many gaps of a list take few reads, from its first to its last", async () => {
	const { siblings: there, server, reads, device } = await withSiblings(200);
	for (let at = 0; at < 199; at += 3) {
		const node = creation({ name: "new", priority: at * 1000 + 1 });
		device.add({ nodes: [{ ...node, above: there[at]!, below: there[at + 1]! }] });
	}
	await device.sync(server);
	expect(reads()).toBeLessThan(20);
	const { nodes } = await server.list();
	expect(nodes.slice(0, 6).map(({ name }) => name)).toEqual(["there", "new", "there", "there", "there", "new"]);
});

test("new and moved nodes under many parents take few reads", async () => {
	const { siblings: parents, children, server, reads, device } = await withSiblings(40);
	for (let at = 0; at < 39; at++) {
		const [parentId, next, id, above] = [parents[at]!, parents[at + 1]!, children[at]!, children[at + 1]!];
		device.add({ nodes: [{ ...creation({ parentId, priority: -1000 }), above: null, below: id }] });
		const [before, after] = [
			{ parentId, priority: 0 },
			{ parentId: next, priority: 1000 },
		];
		device.add({ nodes: [{ id, before, after, above, below: null }] });
	}
	await device.sync(server);
	expect(reads()).toBeLessThan(30);
	const { nodes } = await server.list(parents[20]!);
	expect(nodes.map(({ name, id }) => (name === "new" ? name : id))).toEqual(["new", children[19]]);
});

test("the server does other work between the reads of very many places", async () => {
	const { siblings: parents, children, server, reads, device } = await withSiblings(200);
	for (const [at, parentId] of parents.entries()) {
		const id = children[(at + 1) % children.length]!;
		const before = { parentId: parents[(at + 1) % parents.length]!, priority: 0 };
		device.add({ nodes: [{ id, before, after: { parentId, priority: -1 }, above: null, below: children[at]! }] });
	}
	let [atLastTurn, most] = [0, 0];
	await turnsDuring(
		() => device.sync(server),
		() => {
			most = Math.max(most, reads() - atLastTurn);
			atLastTurn = reads();
		},
	);
	expect(most).toBeLessThan(10);
});

/** A server with siblings at the top, which have a child each, and a device that knows nothing of it. */
async function withSiblings(count: number) {
	const storage = createMemoryStorage();
	const earlier = new SyncDevice();
	const siblings = Array.from({ length: count }, (_, at) => earlier.create({ name: "there", priority: at * 1000 }));
	const children = siblings.map((parentId) => earlier.create({ name: "child", parentId }));
	await earlier.sync(newOutline({ storage }));
	return { siblings, children, device: new SyncDevice(), ...countingReads(storage) };
}

/** Returns an outline that must wait for each answer of the storage, and a function that returns their number. */
function countingReads(storage: StorageAdapter) {
	let reads = 0;
	const { peek: _, ...asynchronous } = bound(storage);
	const server = newOutline({
		storage: {
			...asynchronous,
			read(queries) {
				reads += 1;
				return storage.read(queries);
			},
		},
	});
	return { server, reads: () => reads };
}

test("a push of many entries gets through while another server commits again and again", async () => {
	const storage = createMemoryStorage();
	const other = newOutline({ storage });
	const earlier = new SyncDevice();
	for (let at = 0; at < 1000; at++) earlier.create({ name: "other", priority: at * 2 });
	await earlier.sync(other);
	let [reads, commits] = [0, 0];
	const server = newOutline({
		storage: {
			...bound(storage),
			async read(queries) {
				reads += 1;
				// The other server stops at some time, so that the test ends.
				if (reads % 30 === 0 && commits < 500) await other.create({ name: `other ${++commits}` });
				return storage.read(queries);
			},
		},
	});
	const device = new SyncDevice();
	// Many have a taken place, so that each takes several reads.
	for (let at = 0; at < 600; at++) device.create({ name: `${at}`, priority: (at * 7919) % 1009 });
	await device.sync(server);
	expect(commits).toBeLessThan(500);
	// Once some entries were too many for one commit, as many aren't tried again.
	expect(reads).toBeLessThan(2500);
	expect(device.refused).toEqual([]);
	expect((await names(server)).filter((name) => !name.startsWith("other"))).toHaveLength(600);
});
