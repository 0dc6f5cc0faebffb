import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { createHttpHandler, createNodeListener, type ServedOutline } from "../../../../adapters/http/index.js";
import { OutlineError } from "../../../../src/errors.js";
import { randomId } from "../../../../src/id.js";
import type { SyncAnswer } from "../../../../src/sync/protocol.js";
import { exported } from "../../../support/outline.js";
import { SyncDevice } from "../../../support/sync-device.js";
import { listening } from "../network.js";
import { pieces } from "../pieces.js";
import { problem, reply, service, testOutline } from "../service.js";

const linesType = "application/x-ndjson";

/** A request that pushes lines, or any other body. */
function pushing(body: BodyInit | readonly string[], headers: Record<string, string> = {}): Request {
	return new Request("https://api.example/api/v1/sync", {
		method: "POST",
		headers: { authorization: "Bearer ann", "content-type": linesType, ...headers },
		body: Array.isArray(body) ? body.join("\n") : (body as BodyInit),
		duplex: "half",
	} as RequestInit);
}

const imageRequest = (query = "", headers: Record<string, string> = {}) =>
	new Request(`https://api.example/api/v1/sync/image${query}`, {
		headers: { authorization: "Bearer ann", ...headers },
	});

/** Bytes in pieces of a size. */
function* cut(bytes: Uint8Array, size: number): Generator<Uint8Array> {
	for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

/** The lines of an image. */
async function imageLines(response: Response): Promise<Record<string, unknown>[]> {
	expect(response.status).toBe(200);
	expect(response.headers.get("content-type")).toBe(linesType);
	const text = await response.text();
	expect(text.endsWith("\n")).toBe(true);
	return text
		.slice(0, -1)
		.split("\n")
		.map((line) => JSON.parse(line) as Record<string, unknown>);
}

test.each([
	["plain", (text: string) => text, {}],
	["with line ends of Windows, and blank lines", (text: string) => `${text.replaceAll("\n", "\r\n\r\n")}\r\n`, {}],
	["compressed", (text: string) => gzipSync(text), { "content-encoding": "gzip" }],
	[
		"as identity",
		(text: string) => text,
		{ "content-encoding": "identity", "content-type": `${linesType}; charset=utf-8` },
	],
])("a push is answered (%s)", async (_, encoded, headers) => {
	const { handle, outline } = service();
	const device = new SyncDevice();
	for (let count = 0; count < 300; count++) device.create({ name: `node ${count} ä😀`, priority: count });
	const { status, body } = await reply(await handle(pushing(encoded(device.push().join("\n")), headers)));
	expect(status).toBe(200);
	expect(body.digest).toBe(device.entries.at(-1)!.digest);
	device.take(body as unknown as SyncAnswer);
	expect(device.pending).toEqual([]);
	expect(device.nodes.size).toBe(300);
	expect(await exported(outline)).toHaveLength(300);
});

test("a push that arrives in any pieces is read", async () => {
	const { handle, outline } = service();
	const device = new SyncDevice();
	for (let count = 0; count < 40; count++) device.create({ name: `ä😀 ${count}`, priority: count });
	const bytes = new TextEncoder().encode(device.push().join("\n"));
	for (const [body, headers] of [
		[bytes, {}],
		[new Uint8Array(gzipSync(bytes)), { "content-encoding": "gzip" }],
	] as const) {
		for (const size of [1, 7, 1000]) {
			expect((await handle(pushing(pieces(cut(body, size)).stream, headers))).status).toBe(200);
		}
	}
	expect((await exported(outline)).map(({ name }) => name)).toContain("ä😀 39");
});

test("blank lines of a push are dropped as it is split", async () => {
	const read: string[] = [];
	const sync: ServedOutline["sync"] = async (lines) => {
		for await (const line of lines) read.push(line);
		throw new OutlineError("invalid_argument", "Only the lines count.");
	};
	const handle = createHttpHandler({ authenticate: () => ({ ...testOutline(), sync }) as ServedOutline });
	expect((await handle(pushing("\n\n{}\n\r\n\n[]\r\n\n"))).status).toBe(400);
	expect(read.filter((line) => line !== "")).toEqual(["{}", "[]\r"]);
	expect(read.length).toBeLessThanOrEqual(3);
});

test("a push with very many blank lines is refused when they begin", async () => {
	const { handle } = service();
	const device = new SyncDevice();
	const push = (blank: number) => `${device.push()[0]}${"\n\r".repeat(blank)}\n`;
	expect((await handle(pushing(push(1000)))).status).toBe(200);
	const { stream, counted } = pieces(cut(new TextEncoder().encode(push(100_000)), 10_000));
	const { status, body } = await reply(await handle(pushing(stream)));
	expect([status, body.detail]).toEqual([400, expect.stringContaining("more than 1000 blank lines in a row")]);
	expect(counted.read).toBeLessThan(5);
});

test("compression changes neither an answer nor an image", async () => {
	const outline = testOutline();
	await outline.createTree({ name: "tree", children: Array.from({ length: 2000 }, (_, at) => ({ name: `${at}` })) });
	const { handle } = service({}, outline);
	const compressing = createHttpHandler({ authenticate: () => outline });
	const device = new SyncDevice();
	const accepting = { "accept-encoding": "br, gzip;q=0.8" };
	for (const request of [
		(headers: Record<string, string>) => pushing(device.push([], { limit: 10_000 }), headers),
		(headers: Record<string, string>) => imageRequest("", headers),
	]) {
		const plain = await handle(request({}));
		expect(plain.headers.get("content-encoding")).toBeNull();
		for (const none of ["", "br", "gzip;q=0", "gzip; q=0.0, *"]) {
			const answer = await compressing(request({ "accept-encoding": none }));
			expect(answer.headers.get("content-encoding")).toBeNull();
			await answer.body!.cancel();
		}
		expect((await compressing(request({ "accept-encoding": "*" }))).headers.get("content-encoding")).toBe("gzip");
		const compressed = await compressing(request(accepting));
		expect(compressed.headers.get("content-encoding")).toBe("gzip");
		expect(gunzipSync(await compressed.arrayBuffer()).toString()).toBe(await plain.text());
	}
	const short = await compressing(pushing(device.push([], { limit: 0 }), accepting));
	expect(short.headers.get("content-encoding")).toBeNull();
	expect(await short.json()).toMatchObject({ more: true });
});

test("an image can be continued", async () => {
	const outline = testOutline();
	await outline.createTree({ name: "tree", children: Array.from({ length: 1500 }, (_, at) => ({ name: `${at}` })) });
	const { handle, ann } = service({}, outline);
	const whole = await imageLines(await handle(imageRequest()));
	const [{ revision, nodes }] = whole as [{ revision: number; nodes: number }];
	expect(nodes).toBe(1501);
	const rest = await imageLines(await handle(imageRequest(`?after=1000&revision=${revision}`)));
	expect(rest).toEqual([whole[0], ...whole.slice(2)]);
	await outline.create({ name: "new" });
	const image = "/api/v1/sync/image";
	expect(await ann.ask("GET", `${image}?after=1000&revision=${revision}`)).toMatchObject(problem(409, "sync_reset"));
	expect(await ann.ask("GET", `${image}?after=1000`)).toMatchObject(problem(400, "invalid_argument"));
	expect(await ann.ask("GET", `${image}?after=x`)).toMatchObject(problem(400, "invalid_argument"));
});

test("images have a limit of their own", async () => {
	const { ann } = service({ syncImagesPerMinute: 2 });
	const load = () => ann.ask("GET", "/api/v1/sync/image?after=9&revision=9");
	for (let count = 0; count < 3; count++)
		expect((await load()).status, "an image that fails doesn't count").not.toBe(429);
	const { handle } = service({ syncImagesPerMinute: 2 });
	for (let count = 0; count < 2; count++) await imageLines(await handle(imageRequest()));
	const refused = await reply(await handle(imageRequest()));
	expect(refused).toMatchObject(problem(429, "rate_limited"));
	expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
});

test("a key that opens a part of the outline may not synchronize", async () => {
	const outline = testOutline();
	const { id } = await outline.create({ name: "part" });
	const opened: Record<string, ServedOutline> = { ann: outline.scope(id, { write: true }), bob: outline };
	const { handle, ann } = service({ authenticate: (apiKey) => opened[apiKey] ?? null });
	expect(await reply(await handle(pushing(new SyncDevice().push())))).toMatchObject(problem(403, "forbidden"));
	expect(await ann.ask("GET", "/api/v1/sync/image")).toMatchObject(problem(403, "forbidden"));
	const unknown = await handle(pushing(new SyncDevice().push(), { authorization: "Bearer nobody" }));
	expect(await reply(unknown)).toMatchObject(problem(401, "unauthorized"));
});

test("each refusal of a push has its status", async () => {
	const { handle, outline } = service();
	const device = new SyncDevice();
	const post = async (lines: readonly string[]) => reply(await handle(pushing(lines)));
	device.create({ name: "a" });
	device.take((await post(device.push())).body as unknown as SyncAnswer);
	expect(await post(device.push([], { outline: randomId() }))).toMatchObject(problem(409, "wrong_outline"));
	expect(await post(device.push([], { since: 1000 }))).toMatchObject(problem(409, "sync_reset"));
	expect(await post(device.push([], { protocol: 2 }))).toMatchObject(problem(426, "sync_upgrade"));
	const forked = await post(device.push([], { digest: "0123456789abcdef" }));
	expect(forked).toMatchObject(problem(409, "sync_forked"));
	expect(forked.body).toMatchObject({ last: 1, digests: [[1, device.digest]] });
	await outline.delete((await outline.create({ name: "b" })).id);
	await outline.prune({ before: device.since + 2 });
	expect(await post(device.push())).toMatchObject(problem(410, "changes_expired"));
	const [header] = device.push([], { since: 0 }) as [string];
	for (const lines of [[], ["{"], [header, "[]"], [header, '{"seq":0}']]) {
		expect(await post(lines)).toMatchObject(problem(400, "invalid_argument"));
	}
});

test("conflicts, refusals, keys and deletions are as the document describes them", async () => {
	const { handle, outline } = service();
	const [one, two] = [new SyncDevice(), new SyncDevice()];
	const exchange = async (device: SyncDevice) => {
		const { status, body } = await reply(await handle(pushing(device.push())));
		expect(status).toBe(200);
		device.take(body as unknown as SyncAnswer);
	};
	const id = one.create({
		name: "a",
		note: "note",
		layoutMode: "h1",
		properties: '{"due":"2026-12-01"}',
		completedAt: 1,
	});
	one.create({ name: "<" });
	one.add({ keys: [{ key: "k", group: "shortcut", before: null, after: id }] });
	await exchange(one);
	await exchange(two);
	expect(one.refused).toHaveLength(1);
	for (const device of [one, two]) {
		const after = { name: device.id, properties: JSON.stringify({ due: device.id }) };
		device.add({ nodes: [{ id, before: { name: "a", properties: '{"due":"2026-12-01"}' }, after }] });
		await exchange(device);
	}
	expect([...two.conflicts.values()].map(({ field }) => field).sort()).toEqual(["name", "properties.due"]);
	two.add({ closed: [...two.conflicts.keys()] });
	await exchange(two);
	await outline.mirror(id, { parent: (await outline.create({ name: "b" })).id });
	await outline.deleteShortcut("k");
	await outline.delete((await outline.create({ name: "c" })).id);
	for (const device of [one, two]) await exchange(device);
	expect(one.nodes).toEqual(two.nodes);
	expect([one.keys.size, one.conflicts.size]).toEqual([0, 0]);
});

test("a body of another type or encoding is 415", async () => {
	const { handle } = service();
	const push = new SyncDevice().push().join("\n");
	for (const headers of [{ "content-type": "application/json" }, { "content-encoding": "br" }]) {
		expect(await reply(await handle(pushing(push, headers)))).toMatchObject(problem(415, "unsupported_media_type"));
	}
});

test("a body that isn't gzip or UTF-8 is 400", async () => {
	const { handle } = service();
	const compressed = gzipSync(new SyncDevice().push().join("\n"));
	const gzip = { "content-encoding": "gzip" };
	for (const [body, headers] of [
		["not gzip at all", gzip],
		[compressed.subarray(0, -12), gzip],
		[gzipSync(Uint8Array.of(0xff, 0xfe)), gzip],
		[Uint8Array.of(0xff, 0xfe), {}],
	] as const) {
		const answer = await reply(await handle(pushing(body as BodyInit, headers)));
		expect(answer).toMatchObject(problem(400, "invalid_argument"));
	}
});

test("a body that is too large is 413, also after decompression", async () => {
	const { handle, outline } = service({ maxSyncBytes: 100_000 });
	const device = new SyncDevice();
	for (let count = 0; count < 1000; count++) device.create({ name: "x".repeat(100) });
	const text = device.push().join("\n");
	for (const [body, headers] of [
		[text, {}],
		[gzipSync(text), { "content-encoding": "gzip" }],
	] as const) {
		const answer = await reply(await handle(pushing(body as BodyInit, headers)));
		expect(answer).toMatchObject(problem(413, "payload_too_large"));
	}
	// The entries that were read before the limit are settled. The device sends the rest in smaller pushes.
	while (device.pending.length > 0) {
		const { body } = await reply(await handle(pushing(device.push(device.pending.slice(0, 300)))));
		device.take(body as unknown as SyncAnswer);
	}
	expect(await exported(outline)).toHaveLength(1000);
});

test("a body that decompresses to very much is read no further than the limit", async () => {
	const { handle } = service({ maxSyncBytes: 1_000_000 });
	const bomb = new Uint8Array(gzipSync(new Uint8Array(200_000_000)));
	const { stream, counted } = pieces(cut(bomb, 1000));
	const answer = await reply(await handle(pushing(stream, { "content-encoding": "gzip" })));
	expect(answer).toMatchObject(problem(413, "payload_too_large"));
	// A thousand bytes hold a million.
	expect(1000 * counted.read).toBeLessThan(bomb.length / 2);
});

test("a compressed body that stops arriving is 408", async () => {
	const { handle } = service({ bodyTimeout: 50 });
	const compressed = gzipSync(new SyncDevice().push().join("\n"));
	const body = new ReadableStream({
		start: (controller) => controller.enqueue(new Uint8Array(compressed.subarray(0, 20))),
	});
	const answer = await reply(await handle(pushing(body, { "content-encoding": "gzip" })));
	expect(answer).toMatchObject(problem(408, "request_timeout"));
});

test("devices synchronize over a server of node:http", async () => {
	const outline = testOutline();
	const address = `http://127.0.0.1:${await listening(createNodeListener({ authenticate: () => outline }))}/api/v1`;
	const authorization = "Bearer ann";
	const [one, two] = [new SyncDevice(), new SyncDevice()];
	for (let count = 0; count < 2000; count++) one.create({ name: `node ${count}`, priority: count });
	for (const device of [one, two]) {
		for (let more = true; more; ) {
			const headers = { authorization, "content-type": linesType, "content-encoding": "gzip" };
			const response = await fetch(`${address}/sync`, {
				method: "POST",
				headers,
				body: new Uint8Array(gzipSync(device.push().join("\n"))),
			});
			const answer = (await response.json()) as SyncAnswer;
			device.take(answer);
			({ more } = answer);
		}
	}
	expect(two.nodes).toEqual(one.nodes);
	const image = await fetch(`${address}/sync/image`, { headers: { authorization } });
	expect(image.headers.get("content-encoding")).toBe("gzip");
	expect((await imageLines(image))[0]).toMatchObject({ nodes: 2000, outline: one.outline });
});
