import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createMemoryStorage } from "../../../../adapters/memory.js";
import { OutlineError } from "../../../../src/errors.js";
import type { Document, StorageAdapter } from "../../../../src/storage.js";
import type { Remote } from "../../../../src/sync/index.js";
import { idOf } from "../../../conformance/records.js";
import { asideAndElsewhere, dense, places } from "../../../support/dense.js";
import { bound } from "../../../support/notices.js";
import { codeOf, exported, newOutline, picture, plant } from "../../../support/outline.js";
import { turnsDuring } from "../../../support/turns.js";
import { copyOf, directRemote, expectSame, newDevice, slowRemote } from "./direct-remote.js";

describe("an exchange", () => {
	test("sends a long journal in several requests", async () => {
		const server = newOutline();
		let pushes = 0;
		const direct = directRemote(() => server);
		const remote: Remote = { ...direct, push: (...request) => direct.push(...request).finally(() => pushes++) };
		const device = newDevice(remote);
		for (let count = 0; count < 2500; count++) await device.outline.create({ name: `${count}`, position: "bottom" });
		await device.replica.sync();
		// Three for the journal, and one for the rest of the answer.
		expect(pushes).toBe(4);
		await expectSame(server, device);
	});

	test("takes a commit with many nodes in slices, and so does the server", async () => {
		const server = newOutline();
		const [device, other] = [newDevice(directRemote(() => server)), newDevice(directRemote(() => server))];
		await expectSame(server, device, other);
		const children = Array.from({ length: 3000 }, (_, at) => ({ name: `${at}` }));
		await device.outline.createTree({ name: "whole", children });
		await device.replica.sync();
		// The server chooses the nodes of the answer one by one, and the device reads them one by one.
		expect(await turnsDuring(() => other.replica.sync())).toBeGreaterThan(2 * 3000);
		await expectSame(server, device, other);
	});

	test("reads a journal with long texts in small pages", async () => {
		const server = newOutline();
		let longest = 0;
		const memory = createMemoryStorage();
		const local: StorageAdapter = {
			...bound(memory),
			async read(queries) {
				const answer = await memory.read(queries);
				for (const [at, { type }] of queries.entries()) {
					if (type !== "documents") continue;
					const page = answer.results[at] as readonly Document[];
					longest = Math.max(
						longest,
						page.reduce((sum, { value }) => sum + value.length, 0),
					);
				}
				return answer;
			},
		};
		const device = newDevice(
			directRemote(() => server),
			{ local },
		);
		for (let count = 0; count < 60; count++) await device.outline.create({ name: "long", note: "n".repeat(40_000) });
		await expectSame(server, device);
		expect(longest).toBeLessThan(300_000);
	});

	test.each([1, 2])("of a long journal goes on after its answer %i was lost", async (answers) => {
		const server = newOutline();
		const direct = directRemote(() => server);
		let left = Number.POSITIVE_INFINITY;
		const remote: Remote = {
			...direct,
			async push(...request) {
				const answer = await direct.push(...request);
				if (left-- <= 0) throw new Error("The answer is lost.");
				return answer;
			},
		};
		const device = newDevice(remote);
		await device.replica.sync();
		for (let count = 0; count < 2500; count++) await device.outline.create({ name: `${count}`, position: "bottom" });
		left = answers;
		expect(await codeOf(device.replica.sync())).toBe("storage_unavailable");
		await device.outline.create({ name: "later", position: "bottom" });
		left = Number.POSITIVE_INFINITY;
		await expectSame(server, device);
		expect(await exported(server)).toHaveLength(2501);
	});

	test("sends entries of several lines whole, and less at once to a server that takes no more", async () => {
		const server = newOutline();
		const direct = directRemote(() => server);
		const pushed: number[] = [];
		const remote: Remote = {
			...direct,
			async push(lines, signal) {
				const length = lines.join("\n").length;
				if (length > 700_000) throw new OutlineError("too_large", "That is too much.");
				pushed.push(length);
				return direct.push(lines, signal);
			},
		};
		const device = newDevice(remote);
		const name = "x".repeat(1000);
		for (let tree = 0; tree < 5; tree++) {
			await device.outline.createTree({ name, children: Array.from({ length: 300 }, () => ({ name })) });
			await device.outline.create({ name: "between" });
		}
		await device.replica.sync();
		expect(pushed.length).toBeGreaterThan(4);
		await expectSame(server, device);
		expect((await exported(server)).length).toBe(5 * 302);
	});

	test("keeps a move to the very priority to which the same batch had moved the node aside", async () => {
		const { another: server } = await dense(asideAndElsewhere.records);
		const device = newDevice(directRemote(() => server));
		await device.replica.sync();
		await device.outline.batch(asideAndElsewhere.operations);
		await expectSame(server, device);
		expect((await places(server))[idOf(3)]).toEqual(asideAndElsewhere.place);
	});

	test("a copy without entries of its own is noticed too", async () => {
		const server = newOutline();
		const remote = directRemote(() => server);
		const device = newDevice(remote);
		await plant(device.outline, "a");
		await device.replica.sync();
		const copy = newDevice(remote, { local: await copyOf(device.local) });
		await device.outline.create({ name: "b", position: "bottom" });
		await device.replica.sync();
		await copy.replica.sync();
		await copy.outline.create({ name: "c", position: "bottom" });
		await expectSame(server, copy, device);
		expect(await picture(server)).toBe("a\nb\nc");
	});

	test("a copy sends again what the server has lost, although it has learnt that both had it", async () => {
		const storage = createMemoryStorage();
		let server = newOutline({ storage });
		const direct = directRemote(() => server);
		let requests = Number.POSITIVE_INFINITY;
		const push: Remote["push"] = (...request) =>
			requests-- > 0 ? direct.push(...request) : Promise.reject(new Error("The request is lost."));
		const device = newDevice({ ...direct, push });
		await device.replica.sync();
		const backup = await copyOf(storage);
		await device.outline.create({ name: "one" });
		const copy = newDevice(direct, { local: await copyOf(device.local) });
		await copy.outline.create({ name: "of the copy" });
		await copy.replica.sync();
		await device.outline.create({ name: "two" });
		requests = 1;
		expect(await codeOf(device.replica.sync())).toBe("storage_unavailable");
		requests = Number.POSITIVE_INFINITY;
		server = newOutline({ storage: backup });
		await expectSame(server, device);
		expect(await picture(server)).toBe("two\none");
	});

	test("a line that is too long to be read doesn't keep back the entries after it", async () => {
		const server = newOutline();
		const device = newDevice(directRemote(() => server));
		await device.outline.create({ name: "before" });
		await device.replica.sync();
		// The characters take six bytes of JSON each.
		const texts = { name: "&".repeat(1_000_000), format: "text", note: "\u0001".repeat(1_000_000) } as const;
		await device.outline.batch([
			{ type: "create", ...texts },
			{ type: "create", name: "beside" },
		]);
		await device.outline.create({ name: "after" });
		await expectSame(server, device);
		expect((await device.replica.conflicts()).map(({ kind }) => kind)).toEqual(["refused"]);
		expect(await picture(server)).toBe("after\nbefore");
	});

	test("an entry that is refused may be longer than the documents of its storage", async () => {
		const server = newOutline();
		const direct = directRemote(() => server);
		let isSmall = true;
		const remote: Remote = {
			...direct,
			async push(lines, signal) {
				if (isSmall && lines.join().length > 100_000) throw new OutlineError("too_large", "That is too much.");
				return direct.push(lines, signal);
			},
		};
		const storage = createMemoryStorage();
		const commit: typeof storage.commit = async (batch) => {
			for (const { value } of batch.documents?.put ?? []) {
				if (value.length > 5_000_000) throw new OutlineError("too_large", "A document has more bytes than allowed.");
				if (/\p{Surrogate}/u.test(value)) throw new Error("A document ends within a character.");
			}
			return storage.commit(batch);
		};
		const device = newDevice(remote, { local: { ...bound(storage), commit } });
		await device.replica.sync();
		const note = "😀".repeat(499_000);
		const children = Array.from({ length: 9 }, (_, index) => ({ name: `${index}`, note: "x".repeat(index) + note }));
		await device.outline.createTree({ name: "large", children });
		await device.outline.create({ name: "small" });
		await device.replica.sync();
		expect(await picture(server)).toBe("small");
		expect(device.replica.status.current).toMatchObject({ pending: 0, conflicts: 1 });
		const [refused, ...others] = await device.replica.conflicts();
		expect(refused).toMatchObject({ kind: "refused", shown: { code: "too_large" } });
		expect(others).toEqual([]);
		isSmall = false;
		await device.replica.resolve(refused!.id, "other");
		expect(device.replica.status.current).toMatchObject({ pending: 1, conflicts: 0 });
		await expectSame(server, device);
		const { nodes } = await server.list((await server.list()).nodes.find(({ name }) => name === "large")!.id);
		expect(nodes.map((node) => node.note)).toEqual(children.map((child) => child.note));
		const [left] = (await storage.read([{ type: "documents", prefix: "replica/refused/" }])).results;
		expect(left).toEqual([]);
	});

	test("a device that was away for too long loads everything, and keeps its entries", async () => {
		const server = newOutline();
		const remote = directRemote(() => server);
		const [first, second] = [newDevice(remote), newDevice(remote)];
		const { b } = await plant<"b">(first.outline, "a\nb #b");
		await expectSame(server, first, second);
		await second.outline.create({ name: "pending", position: "bottom" });
		await first.outline.delete(b);
		await first.outline.create({ name: "new" });
		await first.replica.sync();
		await server.create({ name: "newer" });
		await server.prune({ before: (await server.changes({ since: 0 })).revision });
		await second.replica.sync();
		await expectSame(server, first, second);
		expect(await picture(server)).toBe("newer\nnew\na\npending");
	});

	test("an answer is stored before other work if the state that it goes on top of isn't durable", async () => {
		const server = newOutline({ limits: { name: 10 } });
		const memory = createMemoryStorage();
		let isSameTurn = false;
		const seen: boolean[] = [];
		const peek: NonNullable<StorageAdapter["peek"]> = (queries) => {
			isSameTurn = true;
			setImmediate(() => {
				isSameTurn = false;
			});
			const found = memory.peek!(queries);
			return found && { ...found, durable: false };
		};
		const commit: typeof memory.commit = (batch) => {
			if (batch.nodes.length > 100) seen.push(isSameTurn);
			return memory.commit(batch);
		};
		const device = newDevice(
			directRemote(() => server),
			{ local: { ...bound(memory), peek, commit } },
		);
		await device.replica.sync();
		// No slice of the work ends by its time.
		const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now());
		onTestFinished(() => clock.mockRestore());
		const children = Array.from({ length: 150 }, (_, at) => ({ name: `${at}` }));
		await device.outline.createTree({ name: "longer than allowed", children });
		// The server refuses the entry, so all of its nodes go again.
		await device.replica.sync();
		expect(await picture(device.outline)).toBe("");
		expect(seen.slice(1)).toEqual([true]);
	});

	test("a local storage that fails after it has the answer isn't taken for a lost network", async () => {
		const server = newOutline();
		const memory = createMemoryStorage();
		let [fails, isBroken] = [false, false];
		const local: StorageAdapter = {
			...bound(memory),
			read: (queries) => (isBroken ? Promise.reject(new Error("EIO")) : memory.read(queries)),
			commit: (batch) =>
				memory.commit(batch).finally(() => {
					isBroken = fails;
				}),
		};
		const device = newDevice(
			directRemote(() => server),
			{ local },
		);
		await device.replica.sync();
		await server.create({ name: "a" });
		fails = true;
		expect(await codeOf(device.replica.sync())).toBe("storage_unavailable");
		const error = { code: "storage_unavailable", message: "The local storage failed: EIO" };
		expect(device.replica.status.current).toMatchObject({ phase: "idle", error });
		fails = isBroken = false;
		await device.replica.sync();
		await expectSame(server, device);
	});

	test("a remote that rejects without an error is offline", async () => {
		const server = newOutline();
		const remote = { ...directRemote(() => server) };
		const device = newDevice(remote);
		await device.replica.sync();
		remote.push = () => Promise.reject();
		expect(await codeOf(device.replica.sync())).toBe("storage_unavailable");
		expect(device.replica.status.current).toMatchObject({ phase: "offline", error: { code: "storage_unavailable" } });
	});

	test("a refused entry leaves what others have changed meanwhile", async () => {
		const server = newOutline({ limits: { name: 10 } });
		const direct = directRemote(() => server);
		const remote = slowRemote(direct);
		const device = newDevice(remote);
		const { a } = await plant<"a">(device.outline, "a #a");
		await device.replica.sync();
		await server.update(a, { name: "theirs" });
		// With another change, the device reaches the new revision, and must keep the name as the server has it.
		await server.create({ name: "b" });
		remote.during = async () => {
			remote.during = async () => {};
			await device.outline.update(a, { name: "much too long for the server" });
		};
		await device.replica.sync();
		await device.replica.sync();
		expect((await device.outline.get(a)).name).toBe("theirs");
		await expectSame(server, device);
		const [refused, ...others] = await device.replica.conflicts();
		expect(refused).toMatchObject({ kind: "refused", nodeId: a, shown: { code: "invalid_argument" } });
		expect(others).toEqual([]);
		await device.replica.resolve(refused!.id, "shown");
		expect(await device.replica.conflicts()).toEqual([]);
		await expectSame(server, device);
	});

	test("a refused entry can be tried again, on the outline as it is by then", async () => {
		const storage = createMemoryStorage();
		let server = newOutline({ storage, limits: { name: 10 } });
		const device = newDevice(directRemote(() => server));
		const { a } = await plant<"a">(device.outline, "a #a");
		await device.replica.sync();
		await device.outline.update(a, { name: "a name that is too long" });
		const long = await device.outline.create({ name: "another name that is too long", position: "bottom" });
		await device.outline.create({ parent: a, name: "below" });
		await device.replica.sync();
		await server.update(a, { note: "theirs" });
		const ids = (await device.replica.conflicts()).map(({ id }) => id);
		expect(ids).toHaveLength(2);
		await device.replica.resolve(ids[0]!, "other");
		expect(device.replica.status.current).toMatchObject({ conflicts: 1, pending: 1 });
		expect((await device.outline.get(a)).name).toBe("a name that is too long");
		await device.replica.sync();
		const again = (await device.replica.conflicts()).map(({ id }) => id);
		expect(again).toHaveLength(2);
		expect(again).not.toContain(ids[0]);
		server = newOutline({ storage });
		for (const id of again) await device.replica.resolve(id, "other");
		await expectSame(server, device);
		expect(await picture(server)).toBe("a name that is too long\n  below\nanother name that is too long");
		expect(await server.get(a)).toMatchObject({ note: "theirs" });
		expect((await server.get(long.id)).id).toBe(long.id);
		expect(await device.replica.conflicts()).toEqual([]);
	});

	test("a refused entry that is tried again tells of later texts that give way to its own", async () => {
		const storage = createMemoryStorage();
		let server = newOutline({ storage, limits: { name: 10 } });
		const remote = directRemote(() => server);
		const [device, second] = [newDevice(remote), newDevice(remote)];
		const { a } = await plant<"a">(device.outline, "a #a");
		await device.replica.sync();
		await device.outline.batch([
			{ type: "update", ref: a, name: "first", note: "first" },
			{ type: "create", name: "a name that is too long" },
		]);
		await device.replica.sync();
		const [refused] = await device.replica.conflicts();
		await device.outline.update(a, { name: "later", properties: { due: 1 } });
		await device.replica.sync();
		server = newOutline({ storage });
		await device.replica.resolve(refused!.id, "other");
		await expectSame(server, device, second);
		expect(await second.outline.get(a)).toMatchObject({ name: "first", note: "first", properties: { due: 1 } });
		for (const { replica } of [device, second]) {
			expect(await replica.conflicts()).toMatchObject([
				{ kind: "text", nodeId: a, field: "name", shown: "first", other: "later" },
			]);
		}
	});
});
