import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { FetchRequest } from "../../../../adapters/http/handler/fetch-handler.js";
import { jsonBody } from "../../../../adapters/http/server/json-body.js";
import { endless, pieces } from "../pieces.js";
import { problem, reply, service } from "../service.js";

const path = "/api/v1/nodes";

/** A request with a body. */
function sending(body: ReadableStream<Uint8Array>, headers: Record<string, string> = {}): Request {
	return new Request(`https://api.example${path}`, {
		method: "POST",
		headers: { authorization: "Bearer ann", "content-type": "application/json", ...headers },
		body,
		duplex: "half",
	} as RequestInit);
}

const inPieces = (given: Iterable<string | Uint8Array>, headers?: Record<string, string>) =>
	sending(pieces(given).stream, headers);

/** A body of a length in bytes that creates a node. */
function bodyOf(bytes: number): string {
	const shell = JSON.stringify({ name: "a", filler: "" });
	return shell.replace('""', `"${"x".repeat(bytes - shell.length)}"`);
}

test.each(["{", '{"name":"a"', "name=a", "'a'", " ", "{name: 'a'}", '{"name":"a"}}', "\u0000"])(
	"a body that isn't JSON is 400: %j",
	async (text) => {
		const { ann } = service();
		expect(await ann.ask("POST", path, text)).toMatchObject(problem(400, "invalid_argument"));
	},
);

test.each(["[]", '[{"name":"a"}]', "null", '"a"', "7", "true"])(
	"a body that isn't an object is 400, also where no field is needed: %s",
	async (text) => {
		const { ann } = service();
		const id = await ann.create({ name: "a" });
		expect(await ann.ask("POST", `${path}/${id}/complete`, text)).toMatchObject(problem(400, "invalid_argument"));
		expect((await ann.node(id)).completed).toBe(false);
	},
);

test("a body that isn't UTF-8 is 400", async () => {
	const { handle } = service();
	for (const bytes of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xe2, 0x82]]) {
		const response = await handle(inPieces(['{"name":"', Uint8Array.from(bytes), '"}']));
		expect(await reply(response)).toMatchObject(problem(400, "invalid_argument"));
	}
	const cutShort = await handle(inPieces(['{"name":"', Uint8Array.of(0xe2, 0x82)]));
	expect((await reply(cutShort)).body.detail).toMatch(/UTF-8/);
});

test("a missing body and an empty body are an empty object, with any type", async () => {
	const { ann, handle } = service();
	const id = await ann.create({ name: "a" });
	const complete = `${path}/${id}/complete`;
	expect((await ann.ask("POST", complete)).status).toBe(200);
	expect((await ann.ask("POST", complete, "")).status).toBe(200);
	expect((await ann.ask("POST", complete, "", { "content-type": "text/plain" })).status).toBe(200);
	expect(await reply(await handle(inPieces([])))).toMatchObject(problem(400, "invalid_argument"));
	expect((await reply(await handle(inPieces([new Uint8Array(0)])))).body.detail).toMatch(/name/);
});

test.each([
	["application/json", 200],
	["application/json; charset=utf-8", 200],
	["Application/JSON;charset=UTF-8", 200],
	["application/vnd.example+json", 200],
	["application/merge-patch+JSON ; a=b", 200],
	["text/plain", 415],
	["text/json", 415],
	["application/jsonp", 415],
	["application/x-www-form-urlencoded", 415],
	["application/json, text/plain", 415],
	["+json", 415],
	["application/+json", 415],
	["", 415],
])("a body of the type %j is %i", async (type, status) => {
	const { ann } = service();
	const { body, ...answer } = await ann.ask("POST", path, { name: "a" }, { "content-type": type });
	expect(answer.status).toBe(status);
	if (status === 415) expect(body.code).toBe("unsupported_media_type");
	expect(await ann.nodes()).toHaveLength(status === 200 ? 1 : 0);
});

test("a body without a type is 415", async () => {
	const { handle } = service();
	const untyped = new Request(`https://api.example${path}`, {
		method: "POST",
		headers: { authorization: "Bearer ann" },
		body: new TextEncoder().encode('{"name":"a"}'),
	});
	expect(untyped.headers.get("content-type")).toBe(null);
	expect(await reply(await handle(untyped))).toMatchObject(problem(415, "unsupported_media_type"));
});

test("the limit counts bytes, and is a mebibyte by default", async () => {
	const small = service({ maxBodyBytes: 30 });
	expect(await small.ann.ask("POST", path, { name: "ä".repeat(15) })).toMatchObject(problem(413, "payload_too_large"));
	const { ann } = service();
	expect((await ann.ask("POST", path, bodyOf(1_048_576))).status).toBe(200);
	expect((await ann.ask("POST", path, bodyOf(1_048_577))).status).toBe(413);
});

test("a body longer than any string is 413, even if the host allows it", async () => {
	const { handle } = service({ maxBodyBytes: Number.MAX_SAFE_INTEGER });
	const response = await handle(inPieces([], { "content-length": String(2 ** 29) }));
	expect(await reply(response)).toMatchObject(problem(413, "payload_too_large"));
});

test("a body that grows too long is released at once, with any Content-Length", async () => {
	for (const headers of [{}, { "content-length": "5" }] as Record<string, string>[]) {
		const { handle } = service({ maxBodyBytes: 100 });
		const { stream, counted } = pieces(endless(" ".repeat(10)));
		expect(await reply(await handle(sending(stream, headers)))).toMatchObject(problem(413, "payload_too_large"));
		expect(counted).toEqual({ read: 11, left: true });
	}
});

test("a body of another type is released at its first byte", async () => {
	const { handle } = service();
	const { stream, counted } = pieces(["", " ", " "]);
	expect((await handle(sending(stream, { "content-type": "text/plain" }))).status).toBe(415);
	expect(counted).toEqual({ read: 2, left: true });
});

test("a byte order mark before the JSON is ignored", async () => {
	const { ann } = service();
	expect((await ann.ask("POST", path, '\uFEFF{"name":"a"}')).status).toBe(200);
});

test("members of an object's prototype aren't fields of a body", async () => {
	const { ann } = service();
	const refused = await ann.ask("POST", path, '{"__proto__":{"name":"a"},"constructor":{"name":"a"}}');
	expect(refused).toMatchObject(problem(400, "invalid_argument"));
});

test("a deeply nested body is answered", async () => {
	const { ann } = service();
	const depth = 500_000;
	const { status } = await ann.ask("POST", path, `{"name":"a","x":${"[".repeat(depth)}${"]".repeat(depth)}}`);
	expect([200, 400]).toContain(status);
});

test("a body arrives unchanged in pieces of any size", async () => {
	const value = fc.dictionary(fc.string(), fc.jsonValue({ stringUnit: "grapheme" }));
	await fc.assert(
		fc.asyncProperty(value, fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1 }), async (object, cuts) => {
			const bytes = new TextEncoder().encode(JSON.stringify(object));
			const pieces: Uint8Array[] = [];
			for (let start = 0, turn = 0; start < bytes.length; turn++) {
				const size = turn >= cuts.length ? bytes.length : cuts[turn]!;
				pieces.push(bytes.subarray(start, start + size));
				start += size;
			}
			expect(await jsonBody(new FetchRequest(inPieces(pieces)), { maxBytes: bytes.length, timeout: 1000 })).toEqual(
				JSON.parse(JSON.stringify(object)),
			);
			await expect(
				jsonBody(new FetchRequest(inPieces(pieces)), { maxBytes: bytes.length - 1, timeout: 1000 }),
			).rejects.toMatchObject({
				code: "payload_too_large",
			});
		}),
	);
});

test("a body may be compressed, with the same limit for what comes out of it", async () => {
	const { handle } = service({ maxBodyBytes: 2000 });
	const sent = async (text: string, encoding: string, bytes = gzipSync(text)) =>
		reply(await handle(inPieces([bytes], { "content-encoding": encoding })));
	expect(await sent(bodyOf(2000), "gzip")).toMatchObject({ status: 200 });
	expect(await sent(bodyOf(2001), "gzip")).toMatchObject(problem(413, "payload_too_large"));
	expect(await sent("not JSON", "gzip")).toMatchObject(problem(400, "invalid_argument"));
	expect(await sent("", "gzip", Buffer.from(bodyOf(100)))).toMatchObject(problem(400, "invalid_argument"));
	expect(await sent(bodyOf(100), "br")).toMatchObject(problem(415, "unsupported_media_type"));
	expect(await sent("", "identity", Buffer.from(bodyOf(100)))).toMatchObject({ status: 200 });
});
