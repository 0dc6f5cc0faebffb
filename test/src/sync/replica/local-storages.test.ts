import "../../../adapters/indexeddb/globals.js";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createFileStorage } from "../../../../adapters/file.js";
import { createIndexedDbStorage } from "../../../../adapters/indexeddb.js";
import { createMemoryStorage } from "../../../../adapters/memory.js";
import type { StorageAdapter } from "../../../../src/storage.js";
import { bound } from "../../../support/notices.js";
import { newOutline, picture, plant } from "../../../support/outline.js";
import { storages } from "../../../support/storages.js";
import { temporaryFolder } from "../../../support/temporary.js";
import { contents, directRemote, newDevice, slowRemote } from "./direct-remote.js";

let databases = 0;

const locals: readonly (readonly [name: string, create: () => StorageAdapter])[] = [
	...storages,
	["in a file", () => createFileStorage(join(temporaryFolder(), "outline"))],
	["in IndexedDB", () => createIndexedDbStorage(`replica ${databases++}`)],
];

describe.each(locals)("a replica on a storage %s", (_, create) => {
	test("exchanges, with commits meanwhile, and keeps its journal until then", async () => {
		const server = newOutline();
		const direct = directRemote(() => server);
		const remote = slowRemote(direct);
		const device = newDevice(remote, { local: create() });
		onTestFinished(() => device.outline.close());
		const other = newDevice(direct);
		const { a, b } = await plant<"a" | "b">(device.outline, "a #a\n  b #b\nc");
		await device.outline.setShortcut("key", b);
		await device.outline.create({ parent: "today", name: "in a day" });
		await device.replica.sync();
		await other.replica.sync();
		await other.outline.update(a, { name: "A" });
		await other.outline.create({ parent: "today", name: "in the same day", position: "bottom" });
		await other.outline.delete(b);
		await other.replica.sync();
		remote.during = async () => {
			remote.during = async () => {};
			await device.outline.update(b, { name: "B" });
			await device.outline.create({ parent: "inbox", name: "in the inbox" });
			await device.outline.undo();
		};
		for (let round = 0; round < 3; round++) for (const { replica } of [device, other]) await replica.sync();
		expect(await contents(device.outline)).toEqual(await contents(server));
		expect(await contents(other.outline)).toEqual(await contents(server));
		expect((await device.outline.verify()).problems).toEqual([]);
		expect((await picture(server)).split("\n").slice(0, 3)).toEqual(["A", "  B", "c"]);
		expect(device.replica.status.current).toMatchObject({ pending: 0, phase: "idle" });
	});

	test("resolves many conflicts that a program resolves at the same time", async () => {
		const server = newOutline();
		const remote = directRemote(() => server);
		const device = newDevice(remote, { local: create() });
		onTestFinished(() => device.outline.close());
		const other = newDevice(remote);
		await device.outline.batch(Array.from({ length: 40 }, () => ({ type: "create", name: "both" }) as const));
		for (const { replica } of [device, other]) await replica.sync();
		const children = (await other.outline.list()).nodes;
		await other.outline.batch(children.map(({ id }) => ({ type: "update", ref: id, name: "first" })));
		await device.outline.batch(children.map(({ id }) => ({ type: "update", ref: id, name: "second" })));
		for (const { replica } of [other, device]) await replica.sync();
		const conflicts = await device.replica.conflicts();
		expect(conflicts).toHaveLength(children.length);
		await Promise.all(
			conflicts.map(({ id }, index) => device.replica.resolve(id, index % 2 === 0 ? "other" : "shown")),
		);
		expect(await device.replica.conflicts()).toEqual([]);
		expect(device.replica.status.current).toMatchObject({ conflicts: 0, pending: 60 });
		for (const { replica } of [device, other]) await replica.sync();
		expect(await other.replica.conflicts()).toEqual([]);
		expect(await contents(other.outline)).toEqual(await contents(server));
		const names = (await server.list()).nodes.map(({ name }) => name);
		expect(names.filter((name) => name === "first")).toHaveLength(20);
	});
});

test("two tabs over two connections of one database share a journal", async () => {
	const server = newOutline();
	const remote = directRemote(() => server);
	const tabs = [0, 1].map(() => newDevice(remote, { local: createIndexedDbStorage("two tabs") }));
	onTestFinished(async () => {
		for (const { outline } of tabs) await outline.close();
	});
	for (let round = 0; round < 5; round++) {
		await Promise.all([
			...tabs.map(({ outline }, tab) => outline.create({ name: `${round}.${tab}` })),
			...tabs.map(({ replica }) => replica.sync()),
		]);
	}
	for (const { replica } of [...tabs, ...tabs]) await replica.sync();
	expect(new Set((await picture(server)).split("\n")).size).toBe(10);
	for (const { outline, replica } of tabs) {
		expect(await contents(outline)).toEqual(await contents(server));
		await expect.poll(() => replica.status.current.pending).toBe(0);
	}
});

test("a commit that had to wait isn't done on another tab's commit of the same revision", async () => {
	const name = `replica ${databases++}`;
	const remote = directRemote(() => newOutline());
	const ids = Array.from({ length: 9 }, (_, number) => `00000000-0000-4000-8000-00000000000${number}`);
	const generateId = () => ids.shift()!;
	const device = newDevice(remote, { local: createIndexedDbStorage(name), generateId });
	onTestFinished(() => device.outline.close());
	const tab = newDevice(remote, { local: createIndexedDbStorage(name) });
	onTestFinished(() => tab.outline.close());
	await device.outline.create({ name: "by the device" });
	await expect.poll(() => picture(tab.outline)).toBe("by the device");
	await tab.outline.create({ name: "first" });
	await expect.poll(() => picture(device.outline)).toBe("first\nby the device");

	const [one] = ids;
	const byTab = tab.outline.create({ name: "by the tab" });
	const created = device.outline.create({ name: "one" });
	// An exchange holds back commits while it applies an answer.
	const applying = new Promise<void>((resolve) => device.local.watch!(() => resolve(), false));
	(device.replica.storage as unknown as { hold(work: Promise<unknown>): void }).hold(applying);
	await Promise.all([byTab, created, device.outline.delete(one!)]);

	await expect.poll(() => picture(tab.outline)).toBe("by the tab\nfirst\nby the device");
	const later = newOutline({ storage: createIndexedDbStorage(name) });
	onTestFinished(() => later.close());
	expect(await picture(later)).toBe("by the tab\nfirst\nby the device");
});

test("a commit that had to wait is tried again only after the state that it is based on is durable", async () => {
	const memory = createMemoryStorage();
	let flush: (() => void) | undefined;
	let flushing: Promise<void> | undefined;
	const peek: NonNullable<StorageAdapter["peek"]> = (queries) => {
		const seen = memory.peek!(queries);
		return seen && { ...seen, durable: flushing === undefined };
	};
	const read: typeof memory.read = async (queries) => {
		await flushing;
		return memory.read(queries);
	};
	const { outline, replica } = newDevice(
		directRemote(() => newOutline()),
		{ local: { ...bound(memory), peek, read } },
	);
	await outline.create({ name: "a" });
	let attempts = 0;
	const { commit } = replica.storage;
	replica.storage.commit = (batch) => {
		attempts += 1;
		return commit.call(replica.storage, batch);
	};
	flushing = new Promise<void>((resolve) => {
		flush = resolve;
	});
	(replica.storage as unknown as { hold(work: Promise<unknown>): void }).hold(flushing);
	const created = outline.create({ name: "b" });
	await new Promise((resolve) => setTimeout(resolve, 200));
	expect(attempts).toBe(1);
	flushing = undefined;
	flush!();
	await created;
	expect(await picture(outline)).toBe("b\na");
});
