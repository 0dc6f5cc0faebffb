import { beforeEach, describe, expect, test, vi } from "vitest";
import { createMemoryStorage } from "../../../../adapters/memory.js";
import { promiseOf, read } from "../../../../src/engine/protocol.js";
import type { Outline } from "../../../../src/outline.js";
import type { StorageAdapter } from "../../../../src/storage.js";
import type { NodeDelta } from "../../../../src/sync/delta.js";
import type { Remote } from "../../../../src/sync/index.js";
import { changesAfter } from "../../../../src/sync/replica/foreign-commits.js";
import { stateKey } from "../../../../src/sync/replica/journal.js";
import { createStandingStorage } from "../../../support/brief-feed.js";
import { codeOf, newOutline, noon, picture, plant } from "../../../support/outline.js";
import {
	contents,
	copyOf,
	type Device,
	directRemote,
	expectSame,
	newDevice,
	type SlowRemote,
	slowRemote,
} from "./direct-remote.js";

let storage: StorageAdapter;
let server: Outline;
let remote: SlowRemote;
/** The number of images that devices have asked for. */
let images: number;
let device: Device;
let other: Device;
let ids: Record<string, string>;

beforeEach(async () => {
	storage = createMemoryStorage();
	server = newOutline({ storage });
	const direct = directRemote(() => server);
	remote = slowRemote({
		...direct,
		image(...request) {
			images += 1;
			return direct.image(...request);
		},
	});
	device = newDevice(remote);
	other = newDevice(remote);
	ids = await plant(device.outline, "a #a\n  a1 #a1\nb #b\nc #c");
	await device.replica.sync();
	await other.replica.sync();
	images = 0;
});

/** An outline directly on the storage of the device. */
const foreign = () => newOutline({ storage: device.local });

/** The shortcuts of the server, with the ids of their nodes. */
async function shortcuts(): Promise<Record<string, string>> {
	const { keys } = await server.changes({ since: 0 });
	return Object.fromEntries(keys.flatMap(({ key, nodeId }) => (nodeId === null ? [] : [[key, nodeId]])));
}

describe("commits to the storage of a replica that it didn't make", () => {
	test("reach the server and the other devices", async () => {
		const outline = foreign();
		await outline.create({ name: "new", parent: ids.a! });
		await outline.update(ids.b!, { name: "B", note: "by a script" });
		await outline.move(ids.c!, { parent: ids.a! });
		await outline.complete(ids.a1!);
		await outline.setShortcut("shop", ids.b!);
		await expectSame(server, device, other);
		expect(await picture(server)).toBe("a\n  c\n  new\n  a1\nB");
		expect((await server.get(ids.a1!)).completedAt).toBe(noon / 1000);
		expect(await server.targets()).toContainEqual(expect.objectContaining({ key: "shop" }));
		expect(await other.replica.conflicts()).toEqual([]);
		expect(images).toBe(1);
		await device.outline.create({ name: "later", position: "bottom" });
		await expectSame(server, device, other);
		expect(images).toBe(1);
	});

	test("come between the pending ones, in their order", async () => {
		await device.outline.delete(ids.c!);
		const script = await foreign().create({ name: "of a script" });
		await device.outline.create({ name: "below it", parent: script.id });
		await device.outline.update(ids.b!, { name: "B" });
		await expectSame(server, device, other);
		expect(await picture(server)).toBe("of a script\n  below it\na\n  a1\nB");
		expect(await other.replica.conflicts()).toEqual([]);
	});

	test("come before pending ones that need their nodes, and after those whose nodes they need", async () => {
		const outline = foreign();
		const tree = await outline.createTree({ name: "tree", children: [{ name: "inner" }] });
		const inner = tree.children[0]!;
		const own = await device.outline.create({ name: "own", parent: inner.id });
		const mirror = await device.outline.mirror(inner.id, { parent: ids.b! });
		await device.outline.update(tree.id, { name: "tree, renamed" });
		await device.outline.setShortcut("inner", inner.id);
		await outline.create({ name: "last", parent: own.id });
		const copy = await outline.mirror(own.id, { parent: ids.c! });
		await outline.update(own.id, { name: "own, renamed" });
		const push = vi.spyOn(remote, "push");
		await expectSame(server, device, other);
		const sent = push.mock.calls.flatMap(([lines]) =>
			lines.flatMap((line): NodeDelta[] => JSON.parse(line).nodes ?? []),
		);
		expect(sent.flatMap(({ id, before }) => (before === null ? id : [])).sort()).toEqual(
			[tree.id, inner.id, own.id, mirror.id, copy.id, (await server.list(own.id)).nodes[0]!.id].sort(),
		);
		expect(await device.replica.conflicts()).toEqual([]);
		expect((await server.get(mirror.id)).mirror).toMatchObject({ originId: inner.id });
		expect((await server.get(copy.id)).mirror).toMatchObject({ originId: own.id });
		expect((await server.get("inner")).id).toBe(inner.id);
		const pathTo = async (id: string | null): Promise<string> => {
			if (id === null) return "";
			const { name, parentId } = await server.get(id);
			return `${await pathTo(parentId)}/${name}`;
		};
		const [last] = (await server.list(own.id)).nodes;
		expect(await pathTo(last!.id)).toBe("/tree, renamed/inner/own, renamed/last");
	});

	test("reach the server if later ones hide them", async () => {
		const script = await foreign().create({ name: "of a script" });
		await device.outline.complete(script.id);
		await foreign().update(ids.b!, { name: "B" });
		await device.outline.update(ids.b!, { layoutMode: "h1" });
		await expectSame(server, device, other);
		expect(await picture(server)).toBe("of a script\na\n  a1\nB\nc");
		expect((await server.get(script.id)).completedAt).toBe(noon / 1000);
		expect((await server.get(ids.b!)).layoutMode).toBe("h1");
	});

	test("stay if a pending change of the same field comes before a further one", async () => {
		const outline = foreign();
		await outline.update(ids.a!, { properties: { script: 1 } });
		await outline.update(ids.c!, { name: "c of a script" });
		await device.outline.update(ids.a!, { properties: { own: 2 } });
		await device.outline.update(ids.c!, { name: "the c of a script" });
		await outline.create({ name: "last" });
		await expectSame(server, device, other);
		expect((await server.get(ids.a!)).properties).toEqual({ script: 1, own: 2 });
		expect((await server.get(ids.c!)).name).toBe("the c of a script");
		expect(await device.replica.conflicts()).toEqual([]);
	});

	test("leave what others have changed meanwhile", async () => {
		await other.outline.update(ids.c!, { name: "C" });
		await other.outline.delete(ids.a!);
		await other.replica.sync();
		await foreign().create({ name: "of a script" });
		await expectSame(server, device, other);
		expect(await picture(server)).toBe("of a script\nb\nC");
		expect(await device.replica.conflicts()).toEqual([]);
	});

	test("are in a conflict with another text of the same node", async () => {
		await other.outline.update(ids.b!, { name: "from the other" });
		await other.replica.sync();
		await foreign().update(ids.b!, { name: "of a script" });
		await expectSame(server, device, other);
		expect((await server.get(ids.b!)).name).toBe("of a script");
		expect(await device.replica.conflicts()).toMatchObject([{ kind: "text", other: "from the other" }]);
	});

	test("may delete what nobody else has changed since", async () => {
		await device.outline.setShortcut("shop", ids.b!);
		await device.replica.sync();
		await other.replica.sync();
		await other.outline.update(ids.c!, { name: "C" });
		await other.replica.sync();
		const outline = foreign();
		await outline.delete(ids.a!);
		await outline.delete(ids.c!);
		await outline.deleteShortcut("shop");
		await expectSame(server, device, other);
		expect(await picture(server)).toBe("b\nC");
		expect((await server.targets()).map((target) => target.key)).not.toContain("shop");
		expect(await device.replica.conflicts()).toEqual([]);
	});

	test("bring back what another has deleted", async () => {
		await other.outline.delete(ids.a!);
		await other.replica.sync();
		const outline = foreign();
		await outline.update(ids.a1!, { name: "A1" });
		await outline.create({ name: "new", parent: ids.a! });
		await expectSame(server, device, other);
		const names = (await picture(server)).split("\n").map((line) => line.trim());
		expect(names).toEqual(expect.arrayContaining(["A1", "new"]));
		expect(names).not.toContain("a1");
	});

	test("reach the server also if they come before the first exchange", async () => {
		const third = newDevice(remote);
		const { id } = await third.outline.create({ name: "d" });
		await newOutline({ storage: third.local }).update(id, { name: "D" });
		await third.outline.complete(id);
		await third.replica.sync();
		await expectSame(server, device, other);
		expect((await server.get(id)).name).toBe("D");
		expect(await contents(third.outline)).toEqual(await contents(server));
	});

	test("are noticed if they come during an exchange", async () => {
		await other.outline.create({ name: "of the other" });
		await other.replica.sync();
		await device.outline.create({ name: "pending" });
		let count = 0;
		remote.during = async () => {
			count += 1;
			if (count > 1) return;
			await foreign().create({ name: "of a script" });
			await device.outline.create({ name: "later", position: "bottom" });
		};
		await device.replica.sync();
		await expectSame(server, device, other);
		expect((await picture(server)).split("\n").sort()).toEqual(
			["  a1", "a", "b", "c", "later", "of a script", "of the other", "pending"].sort(),
		);
	});

	test("take back pending changes", async () => {
		await device.outline.setShortcut("home", ids.a!);
		await device.replica.sync();
		await device.outline.update(ids.b!, { note: "a note" });
		const { id } = await device.outline.create({ name: "new", note: "a note" });
		await device.outline.setShortcut("shop", ids.b!);
		await device.outline.deleteShortcut("home");
		const outline = foreign();
		for (const each of [id, ids.b!]) await outline.update(each, { note: null });
		await outline.deleteShortcut("shop");
		await outline.setShortcut("home", ids.a!);
		await expectSame(server, device, other);
		for (const each of [id, ids.b!]) expect((await server.get(each)).note).toBeNull();
		expect(await shortcuts()).toEqual({ home: ids.a });
		expect(await device.replica.conflicts()).toEqual([]);
	});

	test("may set or drop a shortcut, and nothing else", async () => {
		await foreign().setShortcut("shop", ids.b!);
		await expectSame(server, device, other);
		expect(await shortcuts()).toEqual({ shop: ids.b });
		await foreign().deleteShortcut("shop");
		await expectSame(server, device, other);
		expect(await shortcuts()).toEqual({});
	});

	test("are in a conflict with another node of the same shortcut, but don't drop that one", async () => {
		for (const key of ["home", "shop"]) await device.outline.setShortcut(key, ids.a!);
		await device.replica.sync();
		await other.replica.sync();
		for (const key of ["home", "shop"]) await other.outline.setShortcut(key, ids.b!);
		await other.replica.sync();
		const outline = foreign();
		await outline.setShortcut("home", ids.c!);
		await outline.deleteShortcut("shop");
		await expectSame(server, device, other);
		expect(await shortcuts()).toEqual({ home: ids.c, shop: ids.b });
		expect(await device.replica.conflicts()).toMatchObject([{ kind: "shortcut", shown: ids.c, other: ids.b }]);
	});

	test("lose and delete nothing if the server doesn't know any more what others have changed", async () => {
		await other.outline.update(ids.b!, { name: "from the other" });
		await other.outline.delete(ids.a!);
		await other.replica.sync();
		await other.outline.setShortcut("shop", ids.b!);
		await other.replica.sync();
		await server.prune({ before: (await server.changes({ since: 0 })).revision });
		const outline = foreign();
		await outline.update(ids.b!, { name: "of a script" });
		await outline.delete(ids.c!);
		const { id } = await outline.create({ name: "new", position: "bottom" });
		await outline.setShortcut("shop", id);
		await expectSame(server, device, other);
		expect(await picture(server)).toBe("of a script\nnew\nc");
		expect(await shortcuts()).toEqual({ shop: id });
		expect(await device.replica.conflicts()).toMatchObject([
			{ kind: "text", other: "from the other" },
			{ kind: "shortcut", other: ids.b },
		]);
	});
});

test.each([
	["what another copy of the device has changed stays", false],
	["what another copy of the device has changed stays, also if a commit without an entry comes between", true],
])("%s", async (_, prunes) => {
	let isCut = false;
	let cuts = 0;
	const flaky: Remote = {
		...remote,
		async push(...request) {
			if (isCut) throw new Error("The request is lost.");
			return remote.push(...request).catch((error) => {
				isCut = error.code === "sync_forked" && cuts++ === 0;
				throw error;
			});
		},
	};
	const { id } = await device.outline.create({ name: "x" });
	const copy = newDevice(flaky, { local: await copyOf(device.local) });
	await copy.outline.create({ name: "of the copy" });
	for (const each of ["newer", "new"]) await device.outline.update(id, { name: each });
	await other.outline.delete(ids.b!);
	for (const { replica } of [other, device]) await replica.sync();
	await server.prune({ before: (await server.changes({ since: 0 })).revision });
	// The copy has the image, and has learnt that it is one, but has no answer to its own entries.
	expect(await codeOf(copy.replica.sync())).toBe("storage_unavailable");
	expect((await copy.outline.get(id)).name).toBe("x");
	isCut = false;
	if (prunes) await copy.outline.prune({ before: (await copy.outline.changes({ since: 0 })).revision });
	await copy.outline.update(id, { note: "of the copy" });
	await expectSame(server, copy, device, other);
	expect(await server.get(id)).toMatchObject({ name: "new", note: "of the copy" });
	expect(await other.replica.conflicts()).toEqual([]);
});

test("a server that was restored from a copy gets foreign commits with all else that it lost", async () => {
	const copy = await copyOf(storage);
	await device.outline.create({ name: "lost at the server", position: "bottom" });
	await device.replica.sync();
	server = newOutline({ storage: copy });
	await device.outline.update(ids.a!, { name: "A" });
	await foreign().update(ids.b!, { name: "B" });
	await expectSame(server, other, device);
	expect(await picture(server)).toBe("A\n  a1\nB\nc\nlost at the server");
});

describe("no image is loaded", () => {
	test("after a commit without changes of nodes and keys", async () => {
		await device.outline.create({ name: "pending" });
		const { revision } = await device.outline.changes({ since: 0 });
		await device.outline.prune({ before: revision });
		expect((await device.outline.changes({ since: 0 })).revision).toBe(revision + 1);
		await expectSame(server, device, other);
		expect(images).toBe(0);
	});

	test("for the state of an earlier release, which knows no local revision", async () => {
		const [[document]] = (await device.local.read([{ type: "documents", prefix: stateKey }])).results;
		const { revision, ...state } = JSON.parse(document!.value);
		expect(revision).toBeGreaterThan(0);
		const put = [{ key: stateKey, value: JSON.stringify(state) }];
		const { revision: base } = await device.local.read([]);
		await device.local.commit({ base, nodes: [], keys: [], documents: { put, dropped: [] } });
		await device.outline.create({ name: "pending" });
		await expectSame(server, device, other);
		expect(images).toBe(0);
		await foreign().create({ name: "of a script" });
		await expectSame(server, device, other);
		expect(await picture(server)).toContain("of a script");
	});
});

test("the changes of a broken storage, which never goes on from a revision, are read once", async () => {
	const broken = createStandingStorage();
	await newOutline({ storage: broken }).create({ name: "a" });
	const answers = await promiseOf(await read(broken, () => changesAfter(0)));
	expect(answers.map(({ nodes }) => nodes.length)).toEqual([1]);
});
