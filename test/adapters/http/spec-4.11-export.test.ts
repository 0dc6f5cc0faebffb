import { expect, test } from "vitest";
import { exportStream } from "../../../adapters/http/endpoints/export.js";
import type { WireNode } from "../../../adapters/http/index.js";
import { createMemoryStorage } from "../../../adapters/memory.js";
import { OutlineError } from "../../../src/errors.js";
import type { OutlineNode } from "../../../src/node.js";
import type { StorageAdapter, StoredNode } from "../../../src/storage.js";
import { bound } from "../../support/notices.js";
import { problem, reply, request, service, testOutline } from "./service.js";

const path = "/api/v1/nodes-export";

function exampleNode(index: number, name = "x".repeat(500)): OutlineNode {
	return {
		id: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
		parentId: null,
		name,
		note: null,
		priority: index,
		layoutMode: "bullets",
		completed: false,
		createdAt: 1,
		modifiedAt: 1,
		completedAt: null,
		properties: {},
	};
}

/** Counts nodes as they are read. From `failAt` on, reading fails. */
function counted(total: number, failAt = Number.POSITIVE_INFINITY) {
	const source = { read: 0, returned: 0, nodes };
	async function* nodes(): AsyncGenerator<OutlineNode> {
		try {
			for (let index = 0; index < total; index++) {
				if (index >= failAt) throw new OutlineError("storage_unavailable", "the disk is gone");
				source.read++;
				yield exampleNode(index);
			}
		} finally {
			source.returned++;
		}
	}
	return source;
}

/** The memory storage with a scan in chunks of one node, and a count of them. */
function countedStorage() {
	const storage = createMemoryStorage();
	const scanned = { nodes: 0, ended: 0 };
	const adapter: StorageAdapter = {
		...bound(storage),
		async *scan(): AsyncGenerator<StoredNode[]> {
			try {
				for await (const chunk of storage.scan()) {
					for (const node of chunk) {
						scanned.nodes++;
						yield [node];
					}
				}
			} finally {
				scanned.ended++;
			}
		},
	};
	return { adapter, scanned };
}

const signal = new AbortController().signal;
const unexpected = (error: unknown) => {
	throw error;
};

test("§4.11 export returns each node once, in the same form as retrieve", async () => {
	const { ann } = service();
	const a = await ann.create({ name: "a", note: "n", layoutMode: "h1" });
	const b = await ann.create({ parent_id: a, name: "*b*" });
	const mirror = await ann.mirror(b, await ann.create({ name: "c" }));
	await ann.ask("POST", `/api/v1/nodes/${mirror}/complete`);
	const { status, headers, body } = await ann.ask("GET", path);
	expect(status).toBe(200);
	expect(headers.get("content-type")).toBe("application/json");
	const nodes = body.nodes as { id: string }[];
	expect(nodes).toHaveLength(4);
	for (const node of nodes) expect(node).toEqual(await ann.node(node.id));
});

test("§4.11 export of an empty outline is an empty list", async () => {
	const { handle } = service();
	expect(await (await handle(request("ann", "GET", path))).text()).toBe('{"nodes":[]}');
});

test("§4.11 export streams in chunks of about 64 KB that are the JSON of all nodes", async () => {
	const source = counted(1000);
	const chunks: Uint8Array[] = [];
	for await (const chunk of await exportStream(source.nodes(), signal, unexpected)) chunks.push(chunk);
	const sizes = chunks.map((chunk) => chunk.byteLength);
	for (const size of sizes.slice(0, -1)) {
		expect(size).toBeGreaterThanOrEqual(65_536);
		expect(size).toBeLessThan(67_000);
	}
	expect(sizes.length).toBeGreaterThan(9);
	const { nodes } = JSON.parse(Buffer.concat(chunks).toString()) as { nodes: WireNode[] };
	expect(nodes.map((node) => node.priority)).toEqual(Array.from({ length: 1000 }, (_, index) => index));
	expect(source).toMatchObject({ read: 1000, returned: 1 });
});

test("§4.11 export reads no further than the client does", async () => {
	const { adapter, scanned } = countedStorage();
	const { handle, outline } = service({}, testOutline(adapter));
	for (let index = 0; index < 400; index++) await outline.create({ name: "x".repeat(1000) });
	const response = await handle(request("ann", "GET", path));
	await new Promise((resolve) => setImmediate(resolve));
	expect(scanned.nodes).toBeLessThan(5);
	const reader = response.body!.getReader();
	await reader.read();
	await new Promise((resolve) => setImmediate(resolve));
	expect(scanned.nodes).toBeGreaterThan(40);
	expect(scanned.nodes).toBeLessThan(80);
	await reader.cancel();
	expect(scanned).toMatchObject({ ended: 1 });
	expect(scanned.nodes).toBeLessThan(80);
});

test("§4.11 a client that cancels ends the iteration, also in the middle of a chunk", async () => {
	const source = counted(10_000);
	const reader = (await exportStream(source.nodes(), signal, unexpected)).getReader();
	const pending = reader.read();
	await reader.cancel();
	await pending;
	expect(source.returned).toBe(1);
	expect(source.read).toBeLessThan(200);
});

test("§4.11 a client that disconnects ends the iteration", async () => {
	const controller = new AbortController();
	const source = counted(10_000);
	const reader = (await exportStream(source.nodes(), controller.signal, unexpected)).getReader();
	await reader.read();
	const { read } = source;
	controller.abort(new Error("gone"));
	await expect(reader.read()).rejects.toThrow("gone");
	expect(source).toMatchObject({ read, returned: 1 });
});

test("§4.11 if the client has already disconnected, the export reads nothing", async () => {
	const controller = new AbortController();
	controller.abort(new Error("gone"));
	const source = counted(10_000);
	const reader = (await exportStream(source.nodes(), controller.signal, unexpected)).getReader();
	await expect(reader.read()).rejects.toThrow("gone");
	expect(source).toMatchObject({ read: 1, returned: 1 });
});

test("§4.11 an export that is read to its end removes its abort listener", async () => {
	const controller = new AbortController();
	const { signal } = controller;
	const listeners = new Set<unknown>();
	const add = signal.addEventListener.bind(signal);
	const remove = signal.removeEventListener.bind(signal);
	signal.addEventListener = (...given: Parameters<typeof add>) => {
		listeners.add(given[1]);
		add(...given);
	};
	signal.removeEventListener = (...given: Parameters<typeof remove>) => {
		listeners.delete(given[1]);
		remove(...given);
	};
	const stream = await exportStream(counted(3).nodes(), signal, unexpected);
	expect(listeners.size).toBe(1);
	await new Response(stream).text();
	expect(listeners.size).toBe(0);
	controller.abort();
});

test("§4.11 an error in the middle breaks the stream off and is reported to the host", async () => {
	const seen: unknown[] = [];
	const source = counted(10_000, 300);
	const reader = (await exportStream(source.nodes(), signal, (error) => seen.push(error))).getReader();
	expect((await reader.read()).done).toBe(false);
	const failure = async () => {
		while (!(await reader.read()).done);
	};
	const error = await failure().catch((error: unknown) => error);
	expect(error).toEqual(new Error("The export broke off."));
	expect(seen).toEqual([expect.objectContaining({ message: "the disk is gone" })]);
	expect(source.returned).toBe(1);
});

test.each(["cancel", "abort"])(
	"§4.11 a read that fails after the client has left (%s) isn't reported",
	async (leave) => {
		const controller = new AbortController();
		let fail = (_: Error) => {};
		const answers: Promise<IteratorResult<OutlineNode>>[] = [
			Promise.resolve({ done: false, value: exampleNode(1) }),
			new Promise((_, reject) => {
				fail = reject;
			}),
		];
		const nodes = { [Symbol.asyncIterator]: () => ({ next: () => answers.shift()! }) };
		const seen: unknown[] = [];
		const stream = await exportStream(nodes, controller.signal, (error) => seen.push(error));
		const reader = stream.getReader();
		const pending = reader.read().then(
			({ done }) => done,
			(error: Error) => error.message,
		);
		// The stream may wait for its turn before it reads.
		await expect.poll(() => answers.length).toBe(0);
		if (leave === "abort") controller.abort();
		else await reader.cancel();
		fail(new Error("the disk is gone"));
		expect(await pending).toBe(leave === "abort" ? "The export broke off." : true);
		expect(seen).toEqual([]);
	},
);

test("§4.11 an error at the end of the iteration is reported to the host alone", async () => {
	const seen: unknown[] = [];
	const nodes: AsyncIterable<OutlineNode> = {
		[Symbol.asyncIterator]: () => ({
			next: async () => ({ done: false, value: exampleNode(1) }),
			return: () => Promise.reject(new Error("stuck")),
		}),
	};
	const stream = await exportStream(nodes, signal, (error) => seen.push(error));
	await stream.cancel();
	expect(seen).toEqual([expect.objectContaining({ message: "stuck" })]);
});

test("§4.11 a storage that fails at once is 503, and the export can be tried again", async () => {
	const storage = createMemoryStorage();
	let down = true;
	const adapter: StorageAdapter = {
		...bound(storage),
		async *scan() {
			if (down) throw new OutlineError("storage_unavailable", "10.0.0.7 is down");
			yield* storage.scan();
		},
	};
	const { handle } = service({}, testOutline(adapter));
	expect(await reply(await handle(request("ann", "GET", path)))).toMatchObject(problem(503, "storage_unavailable"));
	down = false;
	expect((await handle(request("ann", "GET", path))).status).toBe(200);
	expect((await handle(request("ann", "GET", path))).status).toBe(429);
});

test("§4.11 other requests run during an export, even if the storage never waits", async () => {
	const node = exampleNode(1);
	let left = 10_000;
	const nodes: AsyncIterable<OutlineNode> = {
		[Symbol.asyncIterator]: () => ({
			next: async () => (left-- > 0 ? { done: false, value: node } : { done: true, value: undefined }),
		}),
	};
	const stream = await exportStream(nodes, signal, () => {});
	let turns = 0;
	const timer = setInterval(() => turns++, 0);
	for await (const _ of stream) void 0;
	clearInterval(timer);
	expect(turns).toBeGreaterThan(3);
});
