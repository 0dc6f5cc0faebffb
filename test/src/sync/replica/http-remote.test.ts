import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createHttpHandler } from "../../../../adapters/http/index.js";
import type { OutlineError } from "../../../../src/errors.js";
import { createHttpRemote } from "../../../../src/sync/index.js";
import { codeOf, newOutline, picture } from "../../../support/outline.js";
import { contents, newDevice } from "./direct-remote.js";

/** A server over HTTP without a network. A portal may answer in its place. */
function newServer() {
	const server = newOutline();
	const portal = { page: undefined as string | undefined, status: 200 };
	const handler = createHttpHandler({ authenticate: () => server });
	const fetch = async (url: string, options: object) =>
		portal.page === undefined
			? handler(new Request(url, options))
			: new Response(portal.page, { status: portal.status });
	const remote = createHttpRemote({ url: "https://notes.example/api/v1/", apiKey: "key", fetch: fetch as never });
	return { server, remote, portal };
}

describe("a remote over HTTP", () => {
	test("continues an image that breaks off", async () => {
		const outline = newOutline();
		await outline.createTree({ name: "tree", children: Array.from({ length: 2500 }, (_, at) => ({ name: `${at}` })) });
		const { revision } = await outline.changes({ since: 0, limit: 1 });
		const handler = createHttpHandler({ authenticate: () => outline });
		const asked: string[] = [];
		const fetch = async (url: string, options: object) => {
			const response = await handler(new Request(url, options));
			if (!url.includes("image")) return response;
			asked.push(new URL(url).search);
			const text = await response.text();
			return new Response(asked.length === 1 ? text.slice(0, text.length / 2) : text, response);
		};
		const remote = createHttpRemote({ url: "https://notes.example/api/v1", apiKey: "key", fetch: fetch as never });
		const device = newDevice(remote);
		expect(await codeOf(device.replica.sync())).toBe("storage_unavailable");
		await device.replica.sync();
		// The first image writes a mark.
		expect(asked).toEqual(["", `?revision=${revision + 1}&after=1000`]);
		expect(await contents(device.outline)).toEqual(await contents(outline));
	});

	test.each([
		[new Error("no route"), "no route"],
		[new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED ::1:80") }), "connect ECONNREFUSED ::1:80"],
		[
			new TypeError("fetch failed", { cause: Object.assign(new AggregateError([]), { code: "ENOTFOUND" }) }),
			"ENOTFOUND",
		],
		["lost", "lost"],
	])("says why the server can't be reached", async (reason, said) => {
		const fetch = () => Promise.reject(reason);
		const { replica } = newDevice(createHttpRemote({ url: "https://notes.example/api/v1", apiKey: "key", fetch }));
		await expect(replica.sync()).rejects.toMatchObject({
			code: "storage_unavailable",
			message: `The server can't be reached: ${said}`,
		});
	});

	test.each([undefined, "<p>Not found</p>"])(
		"says which address it expects if the server has nothing there",
		async (page) => {
			const handler = createHttpHandler({ authenticate: () => newOutline() });
			const fetch = async (url: string, options: object) =>
				page === undefined ? handler(new Request(url, options)) : new Response(page, { status: 404 });
			const remote = createHttpRemote({ url: "https://notes.example/api", apiKey: "key", fetch: fetch as never });
			const { replica } = newDevice(remote);
			await expect(replica.sync()).rejects.toMatchObject({
				code: "storage_unavailable",
				message: expect.stringMatching(/url is "https:\/\/notes\.example\/api"\. It must be .*\/api\/v1"/),
			});
		},
	);

	test.each([
		[429, "7", 7],
		[503, new Date(Date.now() + 30_000).toUTCString(), 30],
		[503, "soon", undefined],
		[429, null, undefined],
		[500, "7", undefined],
	])("reads Retry-After of status %i (case %#)", async (status, text, seconds) => {
		const headers = new Headers(text === null ? {} : { "retry-after": text });
		const fetch = async () => new Response("busy", { status, headers });
		const remote = createHttpRemote({ url: "https://notes.example", apiKey: "key", fetch: fetch as never });
		const error = (await newDevice(remote)
			.replica.sync()
			.catch((error) => error)) as OutlineError & { retryAfter?: number };
		expect(error.code).toBe("storage_unavailable");
		if (seconds === undefined) expect(error.retryAfter).toBeUndefined();
		else expect(Math.abs(error.retryAfter! - seconds)).toBeLessThan(10);
	});

	test.each(["{}", "[]", '"ok"', "null", "<p>Log in</p>"])(
		"the answer %s of a portal counts as no network",
		async (page) => {
			const { server, remote, portal } = newServer();
			const { outline, replica } = newDevice(remote);
			for (const name of ["a", "b"]) {
				await outline.create({ name, position: "bottom" });
				portal.page = page;
				expect(await codeOf(replica.sync())).toBe("storage_unavailable");
				expect(replica.status.current).toMatchObject({ phase: "offline", pending: 1 });
				portal.page = undefined;
				await replica.sync();
			}
			expect(await picture(server)).toBe("a\nb");
		},
	);

	test("a bare status 400, with which Node answers a push that was cut, counts as no network", async () => {
		const { server, remote, portal } = newServer();
		const { outline, replica } = newDevice(remote);
		await replica.sync();
		await outline.create({ name: "a" });
		Object.assign(portal, { page: "", status: 400 });
		expect(await codeOf(replica.sync())).toBe("storage_unavailable");
		expect(replica.status.current).toMatchObject({ phase: "offline", pending: 1 });
		portal.page = undefined;
		await replica.sync();
		expect(await picture(server)).toBe("a");
	});

	test("hears of the server's commits without what they have changed, which it pulls", async () => {
		const server = newOutline();
		await server.create({ name: "before" });
		const handler = createHttpHandler({ authenticate: () => server });
		const texts: string[] = [];
		const fetch = async (url: string, options: object) => {
			const { body, ...response } = await handler(new Request(url, options));
			const decoder = new TextDecoderStream();
			const seen = new TransformStream({
				transform(text: string, controller) {
					texts.push(text);
					controller.enqueue(text);
				},
			});
			return new Response(body!.pipeThrough(decoder).pipeThrough(seen).pipeThrough(new TextEncoderStream()), response);
		};
		const { watch } = createHttpRemote({ url: "https://notes.example/api/v1", apiKey: "key", fetch: fetch as never });
		const stop = new AbortController();
		const told: number[] = [];
		const watching = watch!(0, (revision) => told.push(revision), stop.signal);
		await vi.waitFor(() => expect(told).toEqual([1]));
		await server.create({ name: "later" });
		await vi.waitFor(() => expect(told).toEqual([1, 2]));
		expect(texts.join("")).not.toMatch(/before|later/);
		stop.abort();
		await watching.catch(() => {});
	});

	test.each([400, 415])("status %i is shown as refused, because it is a bug, and nothing is lost", async (status) => {
		const { server, remote, portal } = newServer();
		const { outline, replica } = newDevice(remote);
		await replica.sync();
		await outline.create({ name: "a" });
		Object.assign(portal, { page: '{"code":"unsupported_media_type","detail":"The body is wrong."}', status });
		const error = { code: "invalid_argument", message: "The body is wrong." };
		await expect(replica.sync()).rejects.toMatchObject(error);
		expect(replica.status.current).toMatchObject({ phase: "refused", pending: 1, error });
		portal.page = undefined;
		await replica.sync();
		expect(replica.status.current).toMatchObject({ phase: "idle", pending: 0, error: null });
		expect(await picture(server)).toBe("a");
	});
});

describe("the time of a push", () => {
	const never = new AbortController().signal;

	/** Pushes a line with fake timers. Resolves when `fetch` has been called. */
	async function pushing(line: string, answer: Promise<unknown>) {
		vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
		onTestFinished(() => void vi.useRealTimers());
		let ended: unknown;
		let pushed!: Promise<void>;
		const size = await new Promise<number>((resolve) => {
			const fetch = (_url: string, { body }: { body: string | ArrayBuffer }) => {
				resolve(typeof body === "string" ? 3 * body.length : body.byteLength);
				return answer;
			};
			const remote = createHttpRemote({ url: "https://notes.example", apiKey: "key", fetch: fetch as never });
			const end = (value: unknown) => {
				ended = value;
			};
			pushed = remote.push([line], never).then(end, ({ code }) => end(code));
		});
		return { size, pushed, ended: () => ended };
	}

	/** A response whose body the test sends in pieces. */
	function slowResponse() {
		let controller!: ReadableStreamDefaultController<Uint8Array>;
		const body = new ReadableStream<Uint8Array>({
			start(given) {
				controller = given;
			},
		});
		const send = (text: string) => controller.enqueue(new TextEncoder().encode(text));
		return { response: new Response(body), send, end: () => controller.close() };
	}

	test.each([
		["a short line", "a"],
		["a long line", Array.from({ length: 100_000 }, (_, at) => (at * 7919) % 65_521).join(" ")],
	])("is a minute, and the time of the body at 8 kB/s, for %s", async (_, line) => {
		const { size, pushed, ended } = await pushing(line, new Promise(() => {}));
		await vi.advanceTimersByTimeAsync(60_000 + Math.floor(size / 8) - 2);
		expect(ended()).toBeUndefined();
		await vi.advanceTimersByTimeAsync(3);
		await pushed;
		expect(ended()).toBe("storage_unavailable");
		expect(vi.getTimerCount()).toBe(0);
	});

	test("is a minute for each piece of the answer", async () => {
		const { response, send, end } = slowResponse();
		const { pushed, ended } = await pushing("a", Promise.resolve(response));
		for (const piece of ['{"revision"', ":", "7"]) {
			await vi.advanceTimersByTimeAsync(59_000);
			send(piece);
		}
		await vi.advanceTimersByTimeAsync(59_000);
		send("}");
		end();
		await pushed;
		expect(ended()).toEqual({ revision: 7 });
		expect(vi.getTimerCount()).toBe(0);
	});

	test.each([200, 500])("ends if the answer of status %i stops", async (status) => {
		const { response, send } = slowResponse();
		const { pushed, ended } = await pushing("a", Promise.resolve(new Response(response.body, { status })));
		send("{");
		await vi.advanceTimersByTimeAsync(59_000);
		expect(ended()).toBeUndefined();
		await vi.advanceTimersByTimeAsync(2000);
		await pushed;
		expect(ended()).toBe("storage_unavailable");
	});

	test.each([undefined, null, { pipe() {} }])("reads an answer without a stream of bytes (case %#)", async (body) => {
		const json = () => Promise.resolve({ revision: 7 });
		const { pushed, ended } = await pushing("a", Promise.resolve({ ok: true, status: 200, body, json }));
		await pushed;
		expect(ended()).toEqual({ revision: 7 });
	});
});
