import { once } from "node:events";
import { Agent, type OutgoingHttpHeaders, type RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { getRequestListener } from "@hono/node-server";
import { describe, expect, onTestFinished, test } from "vitest";
import { createNodeListener, type HttpHandlerOptions } from "../../../adapters/http/index.js";
import { createMemoryStorage } from "../../../adapters/memory.js";
import type { Outline } from "../../../src/outline.js";
import type { StorageAdapter, StoredNode } from "../../../src/storage.js";
import { bound } from "../../support/notices.js";
import { listening, openRequest, responseTo } from "./network.js";
import { service, testOutline } from "./service.js";

type Options = Partial<HttpHandlerOptions<unknown>>;

/** Serves ann's outline on a server of Node. */
const ways: [string, (options: Options, outline?: Outline) => RequestListener][] = [
	["the handler behind an adapter", (options, outline) => getRequestListener(service(options, outline).handle)],
	[
		"the listener",
		(options, outline) => createNodeListener({ authenticate: service({}, outline).authenticate, ...options }),
	],
];

describe.each(ways)("%s:", (_, listenerOf) => {
	/** An outline behind a real server, until the end of the test. */
	async function served(options: Options = {}, outline = testOutline()) {
		const errors: unknown[] = [];
		const { ann } = service({}, outline);
		const port = await listening(listenerOf({ onError: (error) => errors.push(error), ...options }, outline));

		/** A request of ann's with unchanged path and headers. */
		function open(method: string, path: string, headers: OutgoingHttpHeaders = {}, agent?: Agent) {
			const all = { authorization: "Bearer ann", ...headers };
			return openRequest({ port, method, path, headers: all, ...(agent !== undefined && { agent }) });
		}

		async function ask(method: string, path: string, body?: string) {
			const request = open(method, path, body === undefined ? {} : { "content-type": "application/json" });
			const response = await responseTo(request.end(body));
			const { statusCode: status, headers } = response;
			return { status, headers, body: JSON.parse(await text(response)) as Record<string, unknown> };
		}

		return { ann, errors, open, ask };
	}

	test("it serves the outline", async () => {
		const { ask, ann } = await served();
		const created = await ask("POST", "/api/v1/nodes", '{"name":"Grüße"}');
		expect(created.status).toBe(200);
		expect(created.headers).toMatchObject({ "content-type": "application/json", "cache-control": "no-store" });
		const node = await ann.node(created.body.item_id as string);
		expect(node.name).toBe("Grüße");
		expect((await ask("GET", `/api/v1/nodes/${node.id}`)).body).toEqual({ node });
		expect((await ask("POST", `/api/v1/nodes/${node.id}/complete`)).body).toEqual({ status: "ok" });
		expect((await ask("DELETE", `/api/v1/nodes/${node.id}/mirror`)).body.code).toBe("not_a_mirror");
		expect((await ask("GET", "/api/v1/nodes-export")).body).toEqual({ nodes: [await ann.node(node.id)] });
		expect((await ask("GET", "/api/v1/nodes-export")).headers["retry-after"]).toMatch(/^\d+$/);
		expect((await ask("PUT", "/api/v1/nodes")).headers.allow).toBe("GET, POST");
	});

	test.each([
		["/api/v1/nodes/%ZZ", 400],
		["/api/v1/nodes/%00", 404],
		["/api/v1/nodes/..%2f..%2fetc", 404],
		["/api/v1/nodes/../../../etc/passwd", 404],
		["//api/v1/nodes", 404],
		["/api//v1/nodes", 404],
		["/api/v1/nodes?parent_id=%", 404],
		["/api/v1/nodes/a%0d%0ab", 404],
	])("the raw path %s is %i", async (path, status) => {
		const { ask, errors } = await served();
		expect((await ask("GET", path)).status).toBe(status);
		expect(errors).toEqual([]);
	});

	test("an upload that grows too long is 413 before its end", async () => {
		const { open, ann } = await served({ maxBodyBytes: 1000 });
		const headers = { "content-type": "application/json", "transfer-encoding": "chunked" };
		const endless = open("POST", "/api/v1/nodes", headers);
		endless.write(" ".repeat(2000));
		expect((await responseTo(endless)).statusCode).toBe(413);
		endless.destroy();
		expect(await ann.nodes()).toEqual([]);
	});

	test("a body that doesn't arrive is 408 while the connection is open, and the server continues", async () => {
		const { open, ask, errors } = await served({ bodyTimeout: 20 });
		for (const [path, type] of [
			["/api/v1/nodes", "application/json"],
			["/api/v1/import?format=text", "text/plain"],
		] as const) {
			const stuck = open("POST", path, { "content-type": type, "content-length": "5000" });
			stuck.write("a");
			const refused = await responseTo(stuck);
			expect(refused.statusCode).toBe(408);
			expect(JSON.parse(await text(refused))).toMatchObject({ code: "request_timeout" });
			stuck.destroy();
		}
		expect((await ask("GET", "/api/v1/nodes")).body).toEqual({ nodes: [] });
		expect(errors).toEqual([]);
	});

	test("an imported file can be exported again", async () => {
		const { open, ask } = await served();
		const up = open("POST", "/api/v1/import?format=opml", { "content-type": "text/x-opml" });
		for (const piece of [
			"<opml version='2.0'><bo",
			"dy><outline text='Gr\u00fc\u00dfe'>",
			"<outline text='b'/></outline></body></opml>",
		]) {
			up.write(piece);
		}
		const created = await responseTo(up.end());
		expect(created.statusCode).toBe(200);
		expect(JSON.parse(await text(created))).toMatchObject({ report: { nodes: 2, lost: {} } });
		expect((await ask("GET", "/api/v1/nodes")).body.nodes).toMatchObject([{ name: "Gr\u00fc\u00dfe" }]);
		const file = await responseTo(open("GET", "/api/v1/export?format=text").end());
		expect(file.headers).toMatchObject({
			"content-type": "text/plain; charset=utf-8",
			"content-disposition": 'attachment; filename="outline.txt"',
		});
		expect(await text(file)).toMatch(/^Gr\u00fc\u00dfe\n\s+b\n$/);
	});

	test("an upload that the client breaks off changes nothing, and the server continues", async () => {
		let arrived = () => {};
		const arrival = new Promise<void>((resolve) => {
			arrived = resolve;
		});
		const outline = testOutline();
		const authenticate = () => {
			arrived();
			return outline;
		};
		const { open, ask, errors } = await served({ authenticate }, outline);
		const upload = open("POST", "/api/v1/nodes", { "content-type": "application/json", "content-length": "5000" });
		upload.write('{"name":"a"');
		await arrival;
		const closed = new Promise((resolve) => upload.once("close", resolve));
		upload.destroy();
		await closed;
		expect((await ask("GET", "/api/v1/nodes")).body).toEqual({ nodes: [] });
		expect(errors).toEqual([]);
	});

	test("the storage is read no further when a client disconnects during an export", async () => {
		const storage = createMemoryStorage();
		let left = () => {};
		const leaving = new Promise<void>((resolve) => {
			left = resolve;
		});
		const endless: StorageAdapter = {
			...bound(storage),
			async *scan() {
				const outline = testOutline(storage);
				const { id } = await outline.create({ name: "x".repeat(10_000) });
				const { results } = await storage.read([{ type: "node", at: { id } }]);
				const chunk = Array<StoredNode>(100).fill(results[0]!);
				try {
					for (;;) yield chunk;
				} finally {
					left();
				}
			},
		};
		const { open, ask, errors } = await served({}, testOutline(endless));
		const download = open("GET", "/api/v1/nodes-export");
		const response = await responseTo(download.end());
		response.on("error", () => {});
		await once(response, "data");
		download.destroy();
		await leaving;
		expect((await ask("GET", "/api/v1/nodes")).status).toBe(200);
		expect(errors).toEqual([]);
	});

	test("bodies of all lengths arrive, also in pieces and in sequence on one connection", async () => {
		const { open, ann } = await served();
		const agent = new Agent({ keepAlive: true, maxSockets: 1 });
		onTestFinished(() => agent.destroy());
		for (const length of [1, 1000, 65_535, 65_536, 200_000]) {
			const body = JSON.stringify({ name: "x".repeat(length) });
			for (const headers of [{ "content-length": String(body.length) }, { "transfer-encoding": "chunked" }]) {
				const request = open("POST", "/api/v1/nodes", { "content-type": "application/json", ...headers }, agent);
				request.write(body.slice(0, 10));
				await new Promise((resolve) => setImmediate(resolve));
				const created = await responseTo(request.end(body.slice(10)));
				const { item_id } = JSON.parse(await text(created)) as { item_id: string };
				expect((await ann.node(item_id)).name).toHaveLength(length);
			}
		}
	});

	test("the connection is usable after a request without a body, and after one refused before its body is read", async () => {
		const { open, ann } = await served();
		const agent = new Agent({ keepAlive: true, maxSockets: 1 });
		onTestFinished(() => agent.destroy());
		const id = await ann.create({ name: "a" });
		for (const [path, headers, body, status] of [
			[`/api/v1/nodes/${id}/complete`, { "content-length": "0" }, undefined, 200],
			["/api/v1/nodes", { authorization: "Bearer nobody" }, '{"name":"b"}', 401],
			["/api/v1/nodes", { "content-type": "text/plain" }, '{"name":"b"}', 415],
			["/api/v1/nodes", { "content-type": "application/json" }, '{"name":"b"}', 200],
		] as const) {
			const answer = await responseTo(open("POST", path, { ...headers }, agent).end(body));
			await text(answer);
			expect(answer.statusCode).toBe(status);
		}
		expect(await ann.nodes()).toHaveLength(2);
	});
});
