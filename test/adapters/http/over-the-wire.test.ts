import { Agent, type OutgoingHttpHeaders, type RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { getRequestListener } from "@hono/node-server";
import { describe, expect, onTestFinished, test } from "vitest";
import { createNodeListener, type HttpHandlerOptions } from "../../../adapters/http/index.js";
import type { Outline } from "../../../src/outline.js";
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

		async function ask(method: string, path: string): Promise<unknown> {
			return JSON.parse(await text(await responseTo(open(method, path).end())));
		}

		return { ann, errors, open, ask };
	}

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
		expect(await ask("GET", "/api/v1/nodes")).toEqual({ nodes: [] });
		expect(errors).toEqual([]);
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
		expect(await ask("GET", "/api/v1/nodes")).toEqual({ nodes: [] });
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
