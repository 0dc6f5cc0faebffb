import { expect, test } from "vitest";
import { createMemoryStorage } from "../../../../adapters/memory.js";
import { OutlineError } from "../../../../src/errors.js";
import type { StorageAdapter } from "../../../../src/storage.js";
import { codeOf, newOutline } from "../../../support/outline.js";
import { SyncDevice, serverAndDevice } from "../../../support/sync-device.js";
import { copyOf } from "../replica/direct-remote.js";

/** The keys and values of the stored marks. */
async function marksOf(storage: StorageAdapter) {
	return (await storage.read([{ type: "documents", prefix: "sync/mark/" }])).results[0];
}

async function headOf(server: ReturnType<typeof newOutline>) {
	for await (const line of server.syncImage()) return JSON.parse(line) as { revision: number; mark?: string };
	throw new Error("The image is empty.");
}

test("a server restored from a copy is noticed after its revision has passed that of the device", async () => {
	const storage = createMemoryStorage();
	const server = newOutline({ storage });
	const [writer, reader] = [new SyncDevice(), new SyncDevice()];
	writer.create();
	await writer.sync(server);
	const copy = await copyOf(storage);
	writer.create({ name: "lost" });
	await writer.sync(server);
	await reader.sync(server);
	const restored = newOutline({ storage: copy });
	for (let count = 0; count < 3; count++) await restored.create({ name: `${count}` });
	// Without marks between, and then with the same numbers of marks.
	expect(await codeOf(restored.sync(reader.push()))).toBe("sync_reset");
	for (let count = 0; count < 3; count++) {
		await restored.create({ name: `${count}` });
		await new SyncDevice().sync(restored);
	}
	expect(await codeOf(restored.sync(reader.push()))).toBe("sync_reset");
	reader.create();
	expect(await codeOf(restored.sync(reader.push()))).toBe("sync_reset");
});

test("after commits of plain clients, one pull writes one mark, also through several servers", async () => {
	const storage = createMemoryStorage();
	const servers = [newOutline({ storage }), newOutline({ storage })];
	const devices = [1, 2, 3, 4, 5, 6].map(() => new SyncDevice());
	const syncAll = () => Promise.all(devices.map((device, index) => device.sync(servers[index % 2]!)));
	await syncAll();
	await servers[0]!.create({ name: "a" });
	await servers[1]!.create({ name: "b" });
	await syncAll();
	const { revision } = await storage.read([]);
	await syncAll();
	await headOf(servers[1]!);
	expect((await storage.read([])).revision).toBe(revision);
	expect(await marksOf(storage)).toHaveLength(2);
	expect(new Set(devices.map(({ mark }) => mark)).size).toBe(1);
	expect(devices[0]!.mark).toMatch(/^2-[0-9a-f]{8}$/);
});

test("the head of an image has the mark of its revision, and continuing it writes none", async () => {
	const server = newOutline();
	await server.create({ name: "a" });
	const head = await headOf(server);
	const device = new SyncDevice();
	await device.sync(server);
	expect(head).toMatchObject({ revision: device.since, mark: device.mark });
	await server.create({ name: "b" });
	const { revision } = await server.changes({ since: 0 });
	for await (const _ of server.syncImage({ after: 1, revision })) break;
	expect((await server.changes({ since: 0 })).revision).toBe(revision);
});

test("an answer that ends before the mark leaves the device with its own", async () => {
	const { server, device } = serverAndDevice();
	await device.sync(server);
	const { mark } = device;
	for (let count = 0; count < 5; count++) await server.create({ name: `${count}` });
	const answer = await server.sync(device.push([], { limit: 2 }));
	expect([answer.more, answer.mark]).toEqual([true, mark]);
	const fresh = await server.sync(new SyncDevice().push([], { limit: 2 }));
	expect([fresh.more, fresh.mark]).toEqual([true, undefined]);
	await device.sync(server);
	expect(device.mark).not.toBe(mark);
});

test("4,096 marks stay, and every older one is accepted", async () => {
	const storage = createMemoryStorage();
	const server = newOutline({ storage });
	const [old, writer] = [new SyncDevice(), new SyncDevice()];
	await old.sync(server);
	for (let count = 0; count < 4095; count++) {
		writer.add({});
		writer.take(await server.sync(writer.push()));
	}
	expect(await marksOf(storage)).toHaveLength(4096);
	const wrong = { mark: old.mark!.replace(/-.*/, "-00000000") };
	expect(await codeOf(server.sync(old.push([], wrong)))).toBe("sync_reset");
	writer.add({});
	await writer.sync(server);
	expect(await marksOf(storage)).toHaveLength(4096);
	expect(await codeOf(server.sync(old.push([], wrong)))).toBeUndefined();
	expect(await codeOf(server.sync(writer.push([], { mark: "4097-00000000" })))).toBe("sync_reset");
	expect(await codeOf(server.sync(writer.push([], { mark: "9999-00000000" })))).toBe("sync_reset");
	expect(await codeOf(server.sync(writer.push([], { mark: "x" })))).toBe("invalid_argument");
});

test("a device without a mark, as earlier versions are, is served as before", async () => {
	const { server, device } = serverAndDevice();
	await device.sync(server);
	device.mark = undefined;
	await server.create({ name: "a" });
	await device.sync(server);
	expect(device.nodes.size).toBe(1);
});

test("a full storage still answers pulls, and requests for images", async () => {
	const storage = createMemoryStorage();
	const server = newOutline({ storage });
	const device = new SyncDevice();
	await device.sync(server);
	await server.create({ name: "a" });
	const full = newOutline({
		storage: {
			read: (queries) => storage.read(queries),
			scan: () => storage.scan(),
			close: async () => {},
			commit: () => Promise.reject(new OutlineError("quota_exceeded", "The disk is full.")),
		},
	});
	await device.sync(full);
	expect(device.nodes.size).toBe(1);
	expect(await headOf(full)).toMatchObject({ revision: device.since, mark: device.mark });
});
