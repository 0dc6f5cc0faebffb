import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { FetchRequest } from "../../../../adapters/http/handler/fetch-handler.js";
import { bodyPieces } from "../../../../adapters/http/server/body-reader.js";
import { jsonBody } from "../../../../adapters/http/server/json-body.js";
import { problem, reply, service } from "../service.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const nodes = "/api/v1/nodes";
const encoder = new TextEncoder();

/** A request with a body that the test sends in pieces. */
function slowly(path: string, type = "application/json") {
	let controller!: ReadableStreamDefaultController<Uint8Array>;
	let left: unknown;
	const gone = new AbortController();
	const body = new ReadableStream<Uint8Array>({
		start(given) {
			controller = given;
		},
		cancel(reason) {
			left = reason ?? "nothing";
		},
	});
	const request = new Request(`https://api.example${path}`, {
		method: "POST",
		headers: { authorization: "Bearer ann", "content-type": type },
		body,
		duplex: "half",
		signal: gone.signal,
	} as RequestInit);
	return {
		request,
		gone,
		send: (text: string) => controller.enqueue(encoder.encode(text)),
		end: () => controller.close(),
		/** The reason with which the reader cancelled the body; undefined before. */
		left: () => left,
	};
}

/** Waits until the handler waits for the body. */
async function waiting(): Promise<void> {
	while (vi.getTimerCount() === 0) await vi.advanceTimersByTimeAsync(0);
	expect(vi.getTimerCount()).toBe(1);
}

describe("a JSON body", () => {
	test("that doesn't arrive in time is 408, and the wait ends", async () => {
		const { handle, ann } = service();
		const { request, send, left } = slowly(nodes);
		const answer = handle(request);
		await waiting();
		await vi.advanceTimersByTimeAsync(29_000);
		// A further piece doesn't extend the time.
		send('{"name":"a"');
		await vi.advanceTimersByTimeAsync(999);
		expect(left()).toBeUndefined();
		await vi.advanceTimersByTimeAsync(1);
		const refused = await reply(await answer);
		expect(refused).toMatchObject(problem(408, "request_timeout"));
		expect(refused.body).toMatchObject({ title: "Request Timeout", detail: expect.stringContaining("within 30 s.") });
		expect(left()).toBeDefined();
		expect(vi.getTimerCount()).toBe(0);
		expect(await ann.nodes()).toEqual([]);
	});

	test("that arrives in time leaves no timer", async () => {
		const { handle, ann } = service({ bodyTimeout: 1000 });
		const { request, send, end } = slowly(nodes);
		const answer = handle(request);
		await waiting();
		await vi.advanceTimersByTimeAsync(999);
		send('{"name":"a"}');
		end();
		expect((await answer).status).toBe(200);
		expect(vi.getTimerCount()).toBe(0);
		expect(await ann.nodes()).toHaveLength(1);
	});

	test("that is refused leaves no timer", async () => {
		const { handle } = service();
		for (const [text, type, status] of [
			["{", "application/json", 400],
			["{}", "text/plain", 415],
		] as const) {
			const { request, send, end } = slowly(nodes, type);
			send(text);
			end();
			expect((await handle(request)).status).toBe(status);
			expect(vi.getTimerCount()).toBe(0);
		}
	});

	test("is awaited no longer when the client disconnects", async () => {
		const errors: unknown[] = [];
		const { handle, ann } = service({ onError: (error) => errors.push(error) });
		const { request, gone, send, left } = slowly(nodes);
		send('{"name":"a"}');
		const answer = handle(request);
		await waiting();
		gone.abort();
		expect(await reply(await answer)).toMatchObject(problem(400, "invalid_argument"));
		expect(left()).toBeDefined();
		expect(vi.getTimerCount()).toBe(0);
		expect([errors, await ann.nodes()]).toEqual([[], []]);
	});

	test("isn't read if the client has already disconnected", async () => {
		const { request, gone, send } = slowly(nodes);
		send("{}");
		gone.abort();
		const body = jsonBody(new FetchRequest(request), { maxBytes: 10, timeout: 10 });
		await expect(body).rejects.toMatchObject({ code: "invalid_argument" });
		expect(vi.getTimerCount()).toBe(0);
	});
});

describe("a file", () => {
	const bounds = { maxBytes: 10, timeout: 1000, timed: "pieces" as const, assertType: () => {} };

	test("has a time limit for each piece, which counts only while a reader waits", async () => {
		const { request, send, end } = slowly("/");
		const pieces = bodyPieces(new FetchRequest(request), bounds);
		for (const text of ["a", "b", "c"]) {
			const next = pieces.next();
			await waiting();
			await vi.advanceTimersByTimeAsync(999);
			send(text);
			expect(await next).toEqual({ done: false, value: encoder.encode(text) });
			expect(vi.getTimerCount()).toBe(0);
			await vi.advanceTimersByTimeAsync(5000);
		}
		const last = pieces.next();
		end();
		expect((await last).done).toBe(true);
		expect(vi.getTimerCount()).toBe(0);
	});

	test("is refused if its next piece doesn't arrive", async () => {
		const { request, send, left } = slowly("/");
		const pieces = bodyPieces(new FetchRequest(request), bounds);
		send("a");
		await pieces.next();
		const refused = expect(pieces.next()).rejects.toMatchObject({ code: "request_timeout" });
		await waiting();
		await vi.advanceTimersByTimeAsync(1000);
		await refused;
		expect(left()).toBeDefined();
	});

	test("is released if its reader stops before the end", async () => {
		const { request, send, left } = slowly("/");
		send("a");
		for await (const piece of bodyPieces(new FetchRequest(request), bounds)) {
			expect(piece).toEqual(encoder.encode("a"));
			break;
		}
		expect(left()).toBeDefined();
		expect(vi.getTimerCount()).toBe(0);
	});

	test("removes its abort listener at the end", async () => {
		const { request, send, end, gone } = slowly("/");
		const removed = vi.spyOn(request.signal, "removeEventListener");
		const added = vi.spyOn(request.signal, "addEventListener");
		send("a");
		end();
		for await (const _ of bodyPieces(new FetchRequest(request), bounds)) expect(added).toHaveBeenCalledOnce();
		expect(removed.mock.calls).toEqual(added.mock.calls.map(([type, listener]) => [type, listener]));
		gone.abort();
	});
});
