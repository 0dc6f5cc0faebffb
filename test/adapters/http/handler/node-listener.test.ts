import { once } from "node:events";
import { Agent, type IncomingMessage } from "node:http";
import { connect as connectHttp2, constants, createServer as createHttp2Server } from "node:http2";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { createHttpHandler, createNodeListener, type NodeMessage } from "../../../../adapters/http/index.js";
import { createMemoryStorage } from "../../../../adapters/memory.js";
import type { StorageAdapter, StoredNode } from "../../../../src/storage.js";
import { bound } from "../../../support/notices.js";
import { listening, openRequest, responseTo } from "../network.js";
import { listenersOf, service, testOutline } from "../service.js";

const key = { authorization: "Bearer ann" };
const json = { ...key, "content-type": "application/json" };

/** A memory storage with an endless scan, and the number of nodes read from it. */
function endlessStorage(afterChunk: (chunks: number) => void = () => {}): StorageAdapter & { chunks: number } {
	const storage = createMemoryStorage();
	const endless: StorageAdapter & { chunks: number } = {
		chunks: 0,
		...bound(storage),
		async *scan() {
			const { id } = await testOutline(storage).create({ name: "x".repeat(10_000) });
			const { results } = await storage.read([{ type: "node", at: { id } }]);
			for (;;) {
				yield [results[0]! as StoredNode];
				afterChunk(++endless.chunks);
			}
		},
	};
	return endless;
}

/** An export without an end to a client that reads nothing, once the listener waits for it. */
async function unreadExport() {
	const storage = endlessStorage();
	const listener = createNodeListener({ authenticate: () => testOutline(storage) });
	let sending: Promise<void> | undefined;
	const port = await listening((message, response) => {
		sending = listener(message, response);
	});
	const request = openRequest({ port, path: "/api/v1/nodes-export", headers: key });
	const response = await responseTo(request.end());
	response.pause();
	let read: number;
	do {
		read = storage.chunks;
		await new Promise((resolve) => setTimeout(resolve, 50));
	} while (storage.chunks > read);
	return { storage, read, request, response, sent: () => sending };
}

test.each([
	["GET", "/api/v1/nodes", key],
	["GET", "/api/v1/nodes?parent_id=inbox", key],
	["GET", "/api/v1/nodes/inbox?", key],
	["GET", "/api/v1/nodes/", { authorization: "bearer   ann" }],
	["GET", "/api/v1/nodes", {}],
	["GET", "/api/v1/nodes", { authorization: "Bearer nobody" }],
	["GET", "/api/v1/nodes", { ...key, origin: "https://notes.example" }],
	["GET", "/api/v1/nodes", { ...key, origin: "https://elsewhere.example" }],
	["OPTIONS", "/api/v1/nodes", { origin: "https://notes.example", "access-control-request-method": "POST" }],
	["GET", "/", key],
	["GET", "/api/v1", key],
	["GET", "/api/v1/nodes/%ZZ", key],
	["GET", "/api/v1/nodes/%E2%82%AC", key],
	["GET", "/api/v1/tree?depth=x", key],
	["GET", "/api/v1/tree?limit=2&completed=false", key],
	["GET", "/api/v1/changes?since=0", key],
	["GET", "/api/v1/openapi.json", {}],
	["GET", "/api/v1/nodes-export", key],
	["GET", "/api/v1/export?format=opml&root=inbox", key],
	["GET", "/api/v1/export?format=pdf", key],
	["PUT", "/api/v1/nodes", key],
	["PURGE", "/api/v1/nodes", key],
	["POST", "/api/v1/nodes", json, "{"],
	["POST", "/api/v1/nodes", json, "[]"],
	["POST", "/api/v1/nodes", json, '{"name":"a","parent_id":7}'],
	["POST", "/api/v1/nodes", json, new Uint8Array([0x22, 0xff, 0x22])],
	["POST", "/api/v1/nodes", json, "x".repeat(2000)],
	["POST", "/api/v1/nodes", { ...key, "content-type": "text/plain" }, "a"],
	["POST", "/api/v1/nodes", { ...json, "idempotency-key": "a".repeat(300) }, '{"name":"a"}'],
	["POST", "/api/v1/nodes/inbox/move", json, "{}"],
	["POST", "/api/v1/import?format=json", { ...key, "content-type": "application/jsonl" }, "{}\n"],
] as [string, string, Record<string, string>, (string | Uint8Array<ArrayBuffer>)?][])(
	"%s %s with %j and %j is answered as by the handler",
	async (method, path, headers, body) => {
		const { authenticate, outline } = service();
		await outline.create({ parent: "inbox", name: "**Grüße**", note: "a" });
		const options = { authenticate, maxBodyBytes: 1000, cors: { origins: ["https://notes.example"] } };
		const init = { method, headers, ...(body !== undefined && { body }) };
		const expected = await createHttpHandler(options)(new Request(`https://api.example${path}`, init));
		const port = await listening(createNodeListener(options));
		const request = openRequest({ port, method, path, headers });
		const response = await responseTo(request.end(body));
		const { date: _date, connection: _connection, "keep-alive": _keepAlive, ...given } = response.headers;
		const { "content-length": length, "transfer-encoding": encoding, ...own } = given;
		const answered = await text(response);
		expect([response.statusCode, own, answered]).toEqual([
			expected.status,
			Object.fromEntries(expected.headers),
			await expected.text(),
		]);
		expect(length ?? encoding).toBe(
			encoding === undefined && answered !== "" ? `${Buffer.byteLength(answered)}` : encoding,
		);
	},
);

test("the host's functions receive the message, and a repeated header has both values", async () => {
	const { outline } = service();
	const asked: unknown[] = [];
	const listener = createNodeListener({
		authenticate(apiKey, message: IncomingMessage) {
			asked.push([apiKey, message.method, message.url, message.rawHeaders.filter((part) => part === "X-Twice").length]);
			if (apiKey === "broken") throw new Error("out of order");
			return outline;
		},
		onError: (error, message) => asked.push([(error as Error).message, message.url]),
	});
	const port = await listening(listener);
	for (const apiKey of ["ann", "broken"]) {
		const headers = { authorization: `Bearer ${apiKey}`, "X-Twice": ["a", "b"], "idempotency-key": ["a", "b"] };
		const request = openRequest({ port, path: "/api/v1/targets?a=b", headers });
		(await responseTo(request.end())).resume();
	}
	expect(asked).toEqual([
		["ann", "GET", "/api/v1/targets?a=b", 2],
		["broken", "GET", "/api/v1/targets?a=b", 2],
		["out of order", "/api/v1/targets?a=b"],
	]);
});

test.each([
	["GET http://elsewhere.example/api/v1/nodes?parent_id=None HTTP/1.1", 200],
	["GET /api/v1/nodes#top HTTP/1.1", 200],
	["GET //elsewhere.example/api/v1/nodes HTTP/1.1", 404],
	["GET /api/v1/../v1/nodes HTTP/1.1", 404],
	["OPTIONS * HTTP/1.1", 404],
	["TRACE /api/v1/nodes HTTP/1.1", 405],
	["HEAD /api/v1/nodes HTTP/1.1", 405],
])("%s is %i", async (line, status) => {
	const port = await listening(createNodeListener({ authenticate: service().authenticate }));
	const socket = connect(port, "127.0.0.1");
	socket.write(`${line}\r\nHost: localhost\r\nAuthorization: Bearer ann\r\nConnection: close\r\n\r\n`);
	expect(await text(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});

test("over HTTP/2, a cancelled request ends alone and the connection serves further requests", async () => {
	const storage = endlessStorage();
	const { authenticate, outline } = service({}, testOutline(storage));
	const errors: unknown[] = [];
	const listener = createNodeListener({ authenticate, onError: (error) => errors.push(error) });
	// For the listener, these requests and responses are like the ones of node:http. The compiler needs a cast.
	const server = createHttp2Server(
		(message, response) => void listener(message as unknown as NodeMessage, response as never),
	);
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const client = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
	onTestFinished(() => {
		client.destroy();
		server.close();
	});
	const download = client.request({ ":path": "/api/v1/nodes-export", ...key });
	await once(download, "data");
	download.close(constants.NGHTTP2_CANCEL);
	await once(download, "close");
	await expect.poll(() => storage.chunks).toBeGreaterThan(0);

	const upload = client.request({ ":method": "POST", ":path": "/api/v1/nodes", ...json });
	for (const piece of ['{"na', 'me":"a"}']) upload.write(piece);
	upload.end();
	const created = JSON.parse(await text(upload)) as { item_id: string };
	expect((await outline.get(created.item_id)).name).toBe("a");
	const { chunks } = storage;
	await new Promise((resolve) => setTimeout(resolve, 50));
	expect([storage.chunks, errors]).toEqual([chunks, []]);
});

test("clients that disconnect while their requests wait behind earlier ones leave no listeners", async () => {
	const { authenticate, outline } = service();
	const listeners = listenersOf(outline);
	const port = await listening(createNodeListener({ authenticate }));
	const socket = connect(port, "127.0.0.1");
	const request = "GET /api/v1/changes/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ann\r\n\r\n";
	socket.write(request.repeat(3));
	await expect.poll(() => listeners.count).toBe(3);
	socket.destroy();
	await expect.poll(() => listeners.count).toBe(0);
});

test("a body that is refused during its reading is discarded, and the connection serves further requests", async () => {
	const { authenticate, ann } = service();
	const port = await listening(createNodeListener({ authenticate, maxBodyBytes: 1000 }));
	const agent = new Agent({ keepAlive: true, maxSockets: 1 });
	onTestFinished(() => agent.destroy());
	const connections = new Set<unknown>();
	// The request has no content length, and the rest of its body is longer than the message's buffer.
	const headers = { ...json, "transfer-encoding": "chunked" };
	for (const length of [20_000, 66_000, 100_000, 132_000, 500_000, 1]) {
		const request = openRequest({ port, method: "POST", path: "/api/v1/nodes", headers, agent });
		request.on("socket", (socket) => connections.add(socket));
		const answer = await responseTo(request.end(JSON.stringify({ name: "x".repeat(length) })));
		await text(answer);
		expect(answer.statusCode).toBe(length === 1 ? 200 : 413);
	}
	expect(await ann.nodes()).toHaveLength(1);
	expect(connections.size).toBe(1);
});

test("the storage is read no faster than the client reads", async () => {
	const { storage, read, request, response } = await unreadExport();
	response.resume();
	await expect.poll(() => storage.chunks).toBeGreaterThan(read);
	request.destroy();
});

test("the listener ends its work if a client leaves that has taken nothing for some time", async () => {
	const { request, sent } = await unreadExport();
	request.destroy();
	await sent();
});

test("a response in many pieces adds one listener for the moments when the client can take more", async () => {
	const storage = endlessStorage((chunks) => {
		if (chunks === 100) throw new Error("The disk is gone.");
	});
	const listener = createNodeListener({ authenticate: () => testOutline(storage), onError: () => {} });
	const added: string[] = [];
	const port = await listening((message, response) => {
		// The middleware `compression` replaces this method too. It moves these listeners, and never removes them.
		const on = vi.spyOn(response, "on");
		response.once("close", () => added.push(...on.mock.calls.map(([event]) => event as string)));
		return listener(message, response);
	});
	const response = await responseTo(openRequest({ port, path: "/api/v1/nodes-export", headers: key }).end());
	await expect(text(response)).rejects.toMatchObject({ code: "ECONNRESET" });
	await expect.poll(() => added.filter((event) => event === "drain")).toHaveLength(1);
});

test("an export that breaks off closes the connection, so that the client knows that it is incomplete", async () => {
	const storage = endlessStorage((chunks) => {
		if (chunks === 50) throw new Error("The disk is gone.");
	});
	const errors: unknown[] = [];
	const port = await listening(
		createNodeListener({ authenticate: () => testOutline(storage), onError: (error) => errors.push(error) }),
	);
	const request = openRequest({ port, path: "/api/v1/nodes-export", headers: key });
	const response = await responseTo(request.end());
	await expect(text(response)).rejects.toMatchObject({ code: "ECONNRESET" });
	expect(errors).toEqual([new Error("The disk is gone.")]);
});

test("a response that the host has already sent stays unchanged, and the export doesn't begin", async () => {
	const storage = endlessStorage();
	const outline = testOutline(storage);
	const done: Promise<void>[] = [];
	const port = await listening((message, response) => {
		const listener = createNodeListener({
			async authenticate() {
				response.writeHead(503).write("too ");
				setTimeout(() => response.end("late"), 20);
				return outline;
			},
		});
		done.push(listener(message, response));
	});
	const response = await fetch(`http://127.0.0.1:${port}/api/v1/nodes-export`, { headers: key });
	expect([response.status, await response.text()]).toEqual([503, "too late"]);
	await Promise.all(done);
	const { chunks } = storage;
	await new Promise((resolve) => setTimeout(resolve, 50));
	expect(storage.chunks).toBe(chunks);
});

test("a body that a parser has read before is 500 with a reported reason, and changes nothing", async () => {
	const outline = testOutline();
	const { id } = await outline.create({ name: "a" });
	const errors: unknown[] = [];
	const options = { authenticate: () => outline, onError: (error: unknown) => errors.push(error) };
	const listener = createNodeListener(options);
	const port = await listening(async (message, response) => {
		await text(message);
		await listener(message, response);
	});
	const ask = (path: string, body?: string, headers: Record<string, string> = {}) =>
		fetch(`http://127.0.0.1:${port}/api/v1/nodes/${path}`, {
			method: "POST",
			headers: { ...json, ...headers },
			...(body !== undefined && { body }),
		});
	expect((await ask(id, '{"name":"b"}')).status).toBe(500);
	expect(String(errors.pop())).toContain("has been read before");
	expect((await outline.get(id)).name).toBe("a");
	// A request without a body isn't affected.
	expect((await ask(`${id}/complete`)).status).toBe(200);

	const request = new Request("http://127.0.0.1/api/v1/nodes", { method: "POST", headers: json, body: '{"name":"c"}' });
	await request.json();
	expect((await createHttpHandler(options)(request)).status).toBe(500);
	expect(String(errors.pop())).toContain("has been read before");
	expect(errors).toEqual([]);
});

test("an internal error is printed if the host has set no onError", async () => {
	const print = vi.spyOn(console, "error").mockImplementation(() => {});
	onTestFinished(() => print.mockRestore());
	const failure = new Error("no keys");
	const handler = createHttpHandler({ authenticate: () => Promise.reject(failure) });
	expect((await handler(new Request("http://127.0.0.1/api/v1/nodes", { headers: key }))).status).toBe(500);
	expect(print.mock.calls).toEqual([[failure]]);
});

test("a handler with the arguments of the other kind says which one to use", async () => {
	const options = { authenticate: () => null };
	const request = new Request("http://notes.example/api/v1/nodes");
	await expect(createNodeListener(options)(...([request] as unknown as [never, never]))).rejects.toMatchObject({
		code: "invalid_argument",
		message: expect.stringMatching(/ is undefined\. .* With a Request, use createHttpHandler\.$/),
	});
	await expect(createHttpHandler(options)({ headers: {} } as Request)).rejects.toMatchObject({
		code: "invalid_argument",
		message: expect.stringMatching(/ is an object\. .* With node:http, use createNodeListener\.$/),
	});
});
