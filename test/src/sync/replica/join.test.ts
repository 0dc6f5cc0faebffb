import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../../../../adapters/memory.js";
import { OutlineError } from "../../../../src/errors.js";
import type { StorageAdapter } from "../../../../src/storage.js";
import type { Remote } from "../../../../src/sync/index.js";
import { createBriefStorage } from "../../../support/brief-feed.js";
import { codeOf, exported, newOutline, noon, picture, plant } from "../../../support/outline.js";
import { copyOf, directRemote, expectSame, newDevice } from "./direct-remote.js";

/** A remote whose pushes are lost after it has sent the image. */
function cutAfterImage(direct: Remote): Remote {
	let isCut = false;
	return {
		async push(...request) {
			if (isCut) throw new Error("The request is lost.");
			return direct.push(...request);
		},
		image: (...request) => {
			isCut = true;
			return direct.image(...request);
		},
	};
}

/** A server that can go back to a copy of itself, and two devices of it. */
function restorable() {
	const storage = createMemoryStorage();
	const remote = directRemote(() => scene.server);
	const scene = {
		server: newOutline({ storage }),
		remote,
		first: newDevice(remote),
		second: newDevice(remote),
		copy: () => copyOf(storage),
		restore(copy: StorageAdapter) {
			scene.server = newOutline({ storage: copy });
		},
	};
	return scene;
}

describe("an outline that joins a server, or comes back to a restored one", () => {
	test("brings all of its nodes if its storage returns them in parts, as long texts", async () => {
		const local = createBriefStorage();
		const alone = newOutline({ storage: local });
		for (let count = 0; count < 6; count++) await alone.create({ name: `own ${count}`, position: "bottom" });
		await alone.ensure("today");
		const server = newOutline();
		await server.create({ name: "theirs" });
		const device = newDevice(
			directRemote(() => server),
			{ local },
		);
		await expectSame(server, device);
		const named = (await server.list()).nodes.map(({ name }) => name);
		expect(named).toEqual(expect.arrayContaining(["theirs", ...[0, 1, 2, 3, 4, 5].map((count) => `own ${count}`)]));
		// Commits without a journal are found in the same way.
		for (let count = 6; count < 10; count++) await newOutline({ storage: local }).create({ name: `own ${count}` });
		await expectSame(server, device);
		expect((await server.list()).nodes).toHaveLength(named.length + 4);
	});

	test.each([
		["joins", false],
		["comes back to a restored server", true],
	])("an outline that %s loses no node but the one that the server refuses", async (_, isRestored) => {
		const storage = createMemoryStorage();
		const note = "x".repeat(51);
		let server = newOutline({ storage, limits: { note: isRestored ? 51 : 50 } });
		await server.create({ name: "of the server" });
		const remote = directRemote(() => server);
		const local = createMemoryStorage();
		// One that joins was made before it had a replica.
		let device = isRestored ? newDevice(remote, { local }) : undefined;
		await device?.replica.sync();
		const backup = await copyOf(storage);
		const outline = device?.outline ?? newOutline({ storage: local });
		const { bad } = await plant<"bad">(outline, "a\n  b\n  bad #bad\n    c\n      d\ne");
		await outline.update(bad, { note });
		await device?.replica.sync();
		if (isRestored) server = newOutline({ storage: backup, limits: { note: 50 } });
		device ??= newDevice(remote, { local });
		await expectSame(server, device);
		const conflicts = await device.replica.conflicts();
		const [refused, ...others] = conflicts.filter(({ kind }) => kind === "refused");
		expect(refused).toMatchObject({ kind: "refused", nodeId: bad, other: { nodes: [{ id: bad, after: { note } }] } });
		expect(others).toEqual([]);
		for (const name of ["a", "  b", "c", "  d", "e", "of the server"]) {
			expect((await picture(server)).split("\n")).toContainEqual(expect.stringContaining(name.trim()));
		}
		await device.replica.resolve(refused!.id, "other");
		await device.outline.update(bad, { note: "short enough" });
		await expectSame(server, device);
		expect((await server.get(bad)).note).toBe("short enough");
	});

	test("an outline that joins stays as it is if it is too large for the host", async () => {
		const server = newOutline();
		const remote: Remote = {
			...directRemote(() => server),
			async push(lines) {
				if (lines.join().length > 500) throw new OutlineError("too_large", "The push has more bytes than allowed.");
				return server.sync(lines);
			},
		};
		await server.create({ name: "of the server" });
		const local = createMemoryStorage();
		await plant(newOutline({ storage: local }), "a\nb\nc\nd");
		const device = newDevice(remote, { local });
		expect(await codeOf(device.replica.sync())).toBe("too_large");
		expect((await picture(device.outline)).split("\n").sort()).toEqual(["a", "b", "c", "d", "of the server"]);
		expect(device.replica.status.current.pending).toBe(1);
	});

	test("a calendar that was deleted, made again and brought back joins a restored server as one", async () => {
		const scene = restorable();
		const { first, second } = scene;
		const { id } = await first.outline.ensure("calendar");
		await expectSame(scene.server, first, second);
		const backup = await scene.copy();
		await second.outline.update(id, { note: "written elsewhere meanwhile", properties: { a: 1 } });
		await first.outline.delete(id);
		await expectSame(scene.server, first, second);
		await first.outline.create({ parent: "2026-11-25", name: "an entry" });
		await first.outline.update("calendar", {
			name: "Calendar made again",
			note: "made again",
			properties: { a: 3, b: 2 },
		});
		await expectSame(scene.server, first, second);
		const nodes = await exported(scene.server);
		expect(nodes.filter((node) => node.id === id)).toHaveLength(1);
		expect((await scene.server.get("calendar")).id).not.toBe(id);
		scene.restore(backup);
		await expectSame(scene.server, first, second);
		expect((await scene.server.get("calendar")).id).toBe(id);
		expect(await picture(scene.server)).toContain("an entry");
		const { name, note, properties } = await scene.server.get(id);
		expect([name, note, properties]).toEqual([
			"Calendar made again",
			"written elsewhere meanwhile\nmade again\na: 3",
			{ a: 1, b: 2 },
		]);
		expect(await first.replica.conflicts()).not.toContainEqual(expect.objectContaining({ kind: "refused" }));
	});

	test.each([true, false])(
		"tells of a shortcut to another node than the server's (restored: %s)",
		async (isRestored) => {
			const storage = createMemoryStorage();
			let server = newOutline({ storage });
			const b = await server.create({ name: "b" });
			const local = createMemoryStorage();
			const { a } = await plant<"a">(newOutline({ storage: local }), "a #a");
			if (!isRestored) await newOutline({ storage: local }).setShortcut("home", a);
			const device = newDevice(
				directRemote(() => server),
				{ local },
			);
			if (isRestored) await expectSame(server, device);
			const backup = await copyOf(storage);
			if (isRestored) {
				await device.outline.setShortcut("home", a);
				await expectSame(server, device);
			}
			server = newOutline({ storage: backup });
			await server.setShortcut("home", b.id);
			await expectSame(server, device);
			expect((await server.get("home")).id).toBe(a);
			expect(await device.replica.conflicts()).toMatchObject([
				{ kind: "shortcut", shown: a, other: b.id, field: "home" },
			]);
		},
	);

	test("a restored server gets back the texts of conflicts that it lost, once", async () => {
		const scene = restorable();
		const { first, second } = scene;
		const { a } = await plant<"a">(first.outline, "a #a");
		await expectSame(scene.server, first, second);
		const backup = await scene.copy();
		await first.outline.update(a, { name: "one", note: "one", properties: { due: 1 } });
		await second.outline.update(a, { name: "two", note: "two", properties: { due: 2 } });
		await expectSame(scene.server, first, second);
		scene.restore(backup);
		await expectSame(scene.server, first, second);
		for (const { replica } of [first, second]) {
			const told = (await replica.conflicts()).map(({ nodeId, field, other }) => [nodeId, field, other]);
			expect(told.sort()).toEqual([
				[a, "name", "a"],
				[a, "name", "one"],
				[a, "note", "one"],
				[a, "properties.due", 1],
			]);
		}
	});

	test("a restored server gets back a text that gave way in a node that is deleted", async () => {
		const scene = restorable();
		const { first, second } = scene;
		await plant(first.outline, "kept");
		await expectSame(scene.server, first, second);
		const backup = await scene.copy();
		const { a } = await plant<"a">(first.outline, "a #a");
		await expectSame(scene.server, first, second);
		await first.outline.update(a, { name: "one", note: "one", properties: { due: 1 } });
		await second.outline.update(a, { name: "two", note: "two", properties: { due: 2 } });
		await expectSame(scene.server, first, second);
		await first.outline.delete(a);
		await expectSame(scene.server, first, second);
		const told = async ({ replica }: typeof first) =>
			(await replica.conflicts()).map(({ kind, nodeId, field, other }) => [kind, nodeId, field, other]);
		const before = await told(first);
		scene.restore(backup);
		await expectSame(scene.server, first, second);
		expect(await picture(scene.server)).toBe("kept");
		expect(before).toHaveLength(3);
		for (const device of [first, second]) expect(await told(device)).toEqual(before);
		const [conflict] = await first.replica.conflicts();
		expect(await codeOf(first.replica.resolve(conflict!.id, "other"))).toBe("not_found");
		await first.replica.resolve(conflict!.id, "shown");
		await expectSame(scene.server, first, second);
		expect(await told(second)).toEqual(before.slice(1));
	});

	test("an inbox and a calendar with their first names in another language join without a conflict", async () => {
		const server = newOutline();
		const remote = directRemote(() => server);
		const second = newDevice(remote);
		await second.outline.create({ name: "b", parent: "inbox" });
		await second.outline.ensure("today");
		await second.replica.sync();
		const local = createMemoryStorage();
		const names = { inbox: "Posteingang & mehr", calendar: "Kalender" };
		const before = newOutline({ storage: local, names });
		await before.create({ name: "a", parent: "inbox" });
		await before.ensure("tomorrow");
		await expectSame(server, newDevice(remote, { local, names }), second);
		expect(await second.replica.conflicts()).toEqual([]);
		expect((await server.get("inbox")).name).toBe("Inbox");
		expect((await server.get("calendar")).name).toBe("Calendar");
	});

	test("an inbox that its user has named joins with a conflict", async () => {
		const server = newOutline();
		const remote = directRemote(() => server);
		await server.ensure("inbox");
		const local = createMemoryStorage();
		let now = noon;
		const before = newOutline({ storage: local, now: () => now });
		await before.ensure("inbox");
		await before.update("inbox", { name: "mine" });
		now += 1000;
		await before.update("inbox", { name: "Posteingang" });
		const { replica } = newDevice(remote, { local, names: { inbox: "Posteingang" } });
		await replica.sync();
		expect(await replica.conflicts()).toMatchObject([{ field: "name", shown: "Posteingang", other: "Inbox" }]);
	});

	test("an outline that joins keeps the name of an inbox that is as old as its edit", async () => {
		const server = newOutline();
		const direct = directRemote(() => server);
		const second = newDevice(direct);
		await plant(second.outline, "a");
		await second.replica.sync();
		const local = createMemoryStorage();
		const before = newOutline({ storage: local });
		await before.create({ name: "c", parent: "inbox" });
		await before.update("inbox", { name: "mine" });
		const first = newDevice(cutAfterImage(direct), { local });
		expect(await codeOf(first.replica.sync())).toBe("storage_unavailable");
		await second.outline.create({ name: "b", parent: "inbox" });
		await second.replica.sync();
		await expectSame(server, newDevice(direct, { local }), second);
		const told = (await second.replica.conflicts()).map(({ field, shown, other }) => ({ field, shown, other }));
		expect(told).toEqual([{ field: "name", shown: "Inbox", other: "mine" }]);
	});

	test("a restored server gets back the name of an inbox that was as old as its edit", async () => {
		const storage = createMemoryStorage();
		let server = newOutline({ storage });
		const direct = directRemote(() => server);
		const remote = cutAfterImage(direct);
		const second = newDevice(direct);
		await plant(second.outline, "a");
		await second.replica.sync();
		const first = newDevice(direct);
		await first.replica.sync();
		const backup = await copyOf(storage);
		await second.outline.create({ name: "b", parent: "inbox" });
		await expectSame(server, second, first);
		const { local } = first;
		const { outline, replica } = newDevice(remote, { local });
		await outline.update("inbox", { name: "mine" });
		server = newOutline({ storage: backup });
		// It has the image, without an inbox, before another device makes one.
		expect(await codeOf(replica.sync())).toBe("storage_unavailable");
		await second.replica.sync();
		await expectSame(server, first, second);
		const told = (await second.replica.conflicts()).map(({ field, shown, other }) => ({ field, shown, other }));
		expect(told).toEqual([{ field: "name", shown: "Inbox", other: "mine" }]);
	});
});
