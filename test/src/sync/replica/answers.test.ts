import { expect, test } from "vitest";
import type { SyncAnswer } from "../../../../src/index.js";
import type { Remote } from "../../../../src/sync/index.js";
import { codeOf, newOutline } from "../../../support/outline.js";
import { directRemote, expectSame, newDevice } from "./direct-remote.js";

/** A remote whose answers and images change on their way, while it is `changed`. */
function changing(change: { answer?: object; image?: (line: string) => string }) {
	const server = newOutline();
	const direct = directRemote(() => server);
	const remote: Remote & { changed: boolean } = {
		changed: true,
		async push(...request) {
			const answer = await direct.push(...request);
			return remote.changed ? ({ ...answer, ...change.answer } as SyncAnswer) : answer;
		},
		async *image(...request) {
			for await (const line of direct.image(...request)) {
				yield remote.changed && change.image !== undefined ? change.image(line) : line;
			}
		},
	};
	return { server, remote };
}

const id = "5b6c1c0e-7c1d-4f43-9a0e-2f6a8a1d3c57";
const node = { id, parentId: null, priority: 0, name: "a", createdAt: 0 };

test.each<object>([
	{ revision: 0.5 },
	{ revision: -1 },
	{ mark: 1 },
	{ last: "1" },
	{ more: "" },
	{ digest: null },
	{ nodes: [null] },
	{ nodes: [{ ...node, id: 1 }] },
	{ nodes: [{ ...node, priority: "0" }] },
	{ nodes: [{ ...node, name: ["a"] }] },
	{ nodes: [{ ...node, note: 1 }] },
	{ nodes: [{ ...node, parentId: {} }] },
	{ nodes: [{ ...node, originId: 1 }] },
	{ nodes: [{ ...node, properties: {} }] },
	{ nodes: [{ ...node, layoutMode: 1 }] },
	{ nodes: [{ ...node, createdAt: Number.POSITIVE_INFINITY }] },
	{ nodes: [{ ...node, modifiedAt: "0" }] },
	{ nodes: [{ ...node, completedAt: true }] },
	{ deleted: [1] },
	{ keys: [null] },
	{ keys: [{ key: "a", group: "shortcut", nodeId: 1 }] },
	{ droppedKeys: [{}] },
	{ conflicts: [{ id: 1, kind: "text", nodeId: id }] },
	{ closed: [null] },
	{ refused: [null] },
	{ refused: [{ seq: "1", code: "a", message: "b" }] },
	{ refused: [{ seq: 1, code: "a" }] },
])("an answer with %j counts as no network, and changes nothing", async (answer) => {
	const { server, remote } = changing({ answer });
	const device = newDevice(remote);
	remote.changed = false;
	await device.replica.sync();
	const { id } = await device.outline.create({ name: "pending" });
	remote.changed = true;
	expect(await codeOf(device.replica.sync())).toBe("storage_unavailable");
	expect(device.replica.status.current).toMatchObject({ phase: "offline", pending: 1 });
	expect((await device.outline.get(id)).name).toBe("pending");
	remote.changed = false;
	await expectSame(server, device);
});

test.each<[string, string, string]>([
	["a head", '"protocol":', '"a":'],
	["an outline", '"outline":"', '"outline":1,"a":"'],
	["a revision", '"revision":', '"revision":0.5,"a":'],
	["a mark", '"mark":"', '"mark":1,"a":"'],
	["a number of nodes", '"nodes":', '"nodes":1'],
	["columns", '"names"', '"a"'],
	["times", '"created":[', '"created":["",'],
	["names", '"names":["', '"names":[1,"'],
	["ids", '"ids":"', '"ids":1,"a":"'],
	["a key", '"nodeId":"', '"nodeId":1,"a":"'],
	["a list of keys", '"keys":[', '"keys":1,"a":['],
	["a conflict", '{"end"', '{"conflicts":[{}]}\n{"end"'],
])("an image with %s of another form counts as no network, and changes nothing", async (_, text, other) => {
	const { server, remote } = changing({ image: (line) => line.replace(text, other) });
	await server.setShortcut("s", (await server.create({ name: "there" })).id);
	const device = newDevice(remote);
	await device.outline.create({ name: "pending" });
	expect(await codeOf(device.replica.sync())).toBe("storage_unavailable");
	expect(device.replica.status.current).toMatchObject({ phase: "offline", pending: 1 });
	remote.changed = false;
	await expectSame(server, device);
});
