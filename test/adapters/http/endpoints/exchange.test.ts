import { describe, expect, test } from "vitest";
import type { ServedOutline, WireNode } from "../../../../adapters/http/index.js";
import { fileOf } from "../../../src/exchange/files.js";
import { pieces } from "../pieces.js";
import { problem, reply, request, service, testOutline } from "../service.js";

const formats = [
	["markdown", "text/markdown", "md"],
	["opml", "text/x-opml", "opml"],
	["text", "text/plain", "txt"],
	["json", "application/jsonl", "jsonl"],
] as const;

/** An outline with the node `trip` with two children, and another node. */
async function planted() {
	const served = service({ exportsPerMinute: Number.POSITIVE_INFINITY });
	const { body } = await served.ann.ask("POST", "/api/v1/trees", {
		name: "trip",
		children: [{ name: "boat", note: "at 10" }, { name: "Zürich" }],
	});
	await served.ann.create({ name: "other", position: "bottom" });
	return { ...served, trip: body.item_id as string };
}

/** A request to import a file, whole or in pieces. */
function upload(
	query: string,
	file: BodyInit,
	type?: string,
	headers: Record<string, string> = {},
	signal?: AbortSignal,
) {
	return new Request(`https://api.example/api/v1/import${query}`, {
		method: "POST",
		headers: {
			authorization: "Bearer ann",
			...(type !== undefined && { "content-type": type }),
			...headers,
		},
		body: file,
		duplex: "half",
		...(signal !== undefined && { signal }),
	} as RequestInit);
}

describe("GET /api/v1/export", () => {
	test.each(formats)("gives the outline as %s, in a file of the type %s", async (format, type, ending) => {
		const { handle, outline, trip } = await planted();
		for (const root of [undefined, trip, "None"]) {
			const query = new URLSearchParams({ format, ...(root !== undefined && { root }) });
			const response = await handle(request("ann", "GET", `/api/v1/export?${query}`));
			expect(response.status).toBe(200);
			expect(Object.fromEntries(response.headers)).toMatchObject({
				"content-type": `${type}; charset=utf-8`,
				"content-disposition": `attachment; filename="outline.${ending}"`,
				"cache-control": "no-store",
				"x-content-type-options": "nosniff",
			});
			const text = await response.text();
			expect(text).toBe(await fileOf(outline, format, { root }));
			expect([text.includes("Zürich"), text.includes("other")]).toEqual([true, root !== trip]);
		}
	});

	test("refuses another format, and an unknown node", async () => {
		const { ann } = await planted();
		for (const query of ["", "?format=", "?format=html", "?format=JSON", "?format=constructor"]) {
			expect(await ann.ask("GET", `/api/v1/export${query}`), query).toMatchObject(problem(400, "invalid_argument"));
		}
		for (const [format] of formats) {
			const path = `/api/v1/export?format=${format}`;
			expect(await ann.ask("GET", `${path}&root=nowhere`)).toMatchObject(problem(404, "not_found"));
			expect(await ann.ask("GET", `${path}&root=`)).toMatchObject(problem(400, "invalid_reference"));
		}
	});

	test("counts against the export limit, unless it exports one node", async () => {
		const { handle, ann } = service({ now: () => 0 });
		const id = await ann.create({ name: "a" });
		const status = async (path: string) => {
			const response = await handle(request("ann", "GET", path));
			await response.body?.cancel();
			return response.status;
		};
		expect(await status("/api/v1/export?format=html")).toBe(400);
		expect(await status(`/api/v1/export?format=json&root=${id}`)).toBe(200);
		expect(await status("/api/v1/export?format=json&root=nowhere")).toBe(404);
		expect(await status("/api/v1/export?format=json")).toBe(200);
		expect(await status("/api/v1/export?format=text")).toBe(429);
		expect(await status("/api/v1/export?format=json&root=None")).toBe(429);
		expect(await status("/api/v1/nodes-export")).toBe(429);
		expect(await status(`/api/v1/export?format=json&root=${id}`)).toBe(200);
	});

	test("that fails before its first byte doesn't count", async () => {
		const outline = testOutline();
		const { handle, ann } = service({ now: () => 0 }, outline);
		await outline.close();
		for (let twice = 0; twice < 2; twice++) {
			expect(await ann.ask("GET", "/api/v1/export?format=json")).toMatchObject(problem(503, "closed"));
		}
		expect((await handle(request("bob", "GET", "/api/v1/export?format=json"))).status).toBe(200);
	});

	test("is streamed, and ends when its client disconnects", async () => {
		const read = { pieces: 0, ended: false };
		const signals: AbortSignal[] = [];
		const outline = {
			async *exportAs(_: string, { signal }: { signal: AbortSignal }) {
				try {
					signals.push(signal);
					for (;;) {
						read.pieces += 1;
						yield "x".repeat(10_000);
					}
				} finally {
					read.ended = true;
				}
			},
		};
		const { handle } = service({ authenticate: () => outline as unknown as ServedOutline });
		const gone = new AbortController();
		const asked = new Request(request("ann", "GET", "/api/v1/export?format=text"), { signal: gone.signal });
		const reader = (await handle(asked)).body!.getReader();
		expect(read.pieces).toBe(1);
		expect((await reader.read()).value?.byteLength).toBe(70_000);
		expect(read).toEqual({ pieces: 8, ended: false });
		gone.abort();
		await expect(reader.read()).rejects.toThrow();
		expect(read).toEqual({ pieces: 8, ended: true });
		expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
	});
});

describe("POST /api/v1/import", () => {
	test.each(formats)("creates what an export as %s holds", async (format, type) => {
		const { handle, ann, bob, trip } = await planted();
		const file = await (await handle(request("ann", "GET", `/api/v1/export?format=${format}&root=${trip}`))).text();
		const place = await ann.create({ name: "place" });
		const query = `?format=${format}&parent_id=${place}`;
		const answer = await reply(await handle(upload(query, file, `${type}; charset=utf-8`)));
		expect(answer.status).toBe(200);
		const { report } = answer.body as { report: { nodes: number; root_ids: [string] } };
		expect(report).toMatchObject({ nodes: 3, root_ids: [expect.any(String)], lost: expect.any(Object) });
		expect((await ann.nodes(place)).map(({ id, name }) => [id, name])).toEqual([[report.root_ids[0], "trip"]]);
		expect((await ann.nodes(report.root_ids[0])).map(({ name }) => name)).toEqual(["boat", "Zürich"]);
		expect(await bob.nodes()).toEqual([]);
	});

	test("puts the nodes at the given position, or at the bottom", async () => {
		const { handle, ann } = service();
		await ann.create({ name: "old" });
		for (const [name, query] of [
			["a", ""],
			["b", "&position=top"],
			["c", "&position=bottom&parent_id=None"],
			["d", "&parent_id=2026-11-21"],
		]) {
			expect((await handle(upload(`?format=text${query}`, name!, "text/plain"))).status).toBe(200);
		}
		const names = (nodes: WireNode[]) => nodes.map(({ name }) => name);
		expect(names(await ann.nodes())).toEqual(["b", "old", "a", "c", "Calendar"]);
		expect(names(await ann.nodes("2026-11-21"))).toEqual(["d"]);
	});

	test.each([
		["text/markdown", 200],
		["TEXT/Markdown ; charset=UTF-8", 200],
		["text/x-opml", 200],
		["text/plain", 200],
		["application/jsonl", 200],
		["application/octet-stream", 200],
		["application/json", 415],
		["multipart/form-data; boundary=x", 415],
		["text/html", 415],
		["", 415],
	])("answers a file of the type %j with %i", async (type, status) => {
		const { handle, ann } = service();
		const response = await handle(upload("?format=text", "a", type));
		expect(response.status).toBe(status);
		if (status === 415) expect((await reply(response)).body.detail).toContain("application/octet-stream");
		expect(await ann.nodes()).toHaveLength(status === 200 ? 1 : 0);
	});

	test("refuses wrong parameters before it reads the file", async () => {
		const { handle } = service();
		for (const [query, status, code] of [
			["", 400, "invalid_argument"],
			["?format=html", 400, "invalid_argument"],
			["?format=text&position=middle", 400, "invalid_argument"],
			["?format=text&parent_id=", 400, "invalid_reference"],
			["?format=text&parent_id=2026-13", 400, "invalid_reference"],
		] as const) {
			const { stream, counted } = pieces(["a"]);
			expect(await reply(await handle(upload(query, stream, "text/plain")))).toMatchObject(problem(status, code));
			expect(counted.read, query).toBe(0);
		}
		const { stream } = pieces(["a"]);
		const unknown = await handle(upload("?format=text&parent_id=nowhere", stream, "text/plain"));
		expect(await reply(unknown)).toMatchObject(problem(404, "not_found"));
	});

	test("accepts an empty file of any type", async () => {
		const { handle, ann } = service();
		for (const file of ["", new Uint8Array(0)]) {
			const { body } = await reply(await handle(upload("?format=text", file, "image/png")));
			expect(body).toEqual({ report: { nodes: 0, root_ids: [], lost: {} } });
		}
		expect((await handle(request("ann", "POST", "/api/v1/import?format=text"))).status).toBe(200);
		expect(await ann.nodes()).toEqual([]);
	});

	test("a file of exactly maxImportBytes is accepted, one more byte is 413, with any maxBodyBytes", async () => {
		const { handle, ann } = service({ maxImportBytes: 100, maxBodyBytes: 5 });
		expect((await handle(upload("?format=text", "x".repeat(100), "text/plain"))).status).toBe(200);
		const refused = await reply(await handle(upload("?format=text", "x".repeat(101), "text/plain")));
		expect(refused).toMatchObject(problem(413, "payload_too_large"));
		expect(refused.body.detail).toContain("100");
		expect(await ann.nodes()).toHaveLength(1);
	});

	test("is at most 16 MiB unless the host sets another limit", async () => {
		const { handle } = service();
		for (const [length, status] of [
			["16777216", 200],
			["16777217", 413],
		] as const) {
			const { stream } = pieces(["a"]);
			const headers = { "content-length": length };
			expect((await handle(upload("?format=text", stream, "text/plain", headers))).status).toBe(status);
		}
	});

	test("creates nothing if its client disconnects, and reports no error", async () => {
		const errors: unknown[] = [];
		const { handle, ann } = service({ onError: (error) => errors.push(error) });
		const gone = new AbortController();
		const { stream, counted } = pieces(["a\n", "b\n"], () => gone.abort());
		expect((await handle(upload("?format=text", stream, "text/plain", {}, gone.signal))).status).toBe(400);
		expect(counted.read).toBe(2);
		function* broken() {
			yield "a\n";
			throw new Error("connection reset");
		}
		const answer = await reply(await handle(upload("?format=text", pieces(broken()).stream, "text/plain")));
		expect(answer).toMatchObject(problem(400, "invalid_argument"));
		expect(answer.body.detail).not.toContain("reset");
		expect([errors, await ann.nodes()]).toEqual([[], []]);
	});

	test("with an unreadable body is answered with the body's error, even if the outline wraps it", async () => {
		const outline = {
			async import(source: AsyncIterable<Uint8Array>) {
				try {
					for await (const _ of source);
				} catch (cause) {
					throw new Error("The source failed.", { cause });
				}
			},
		};
		const authenticate = () => outline as unknown as ServedOutline;
		const { handle } = service({ authenticate, maxImportBytes: 1 });
		const refused = await handle(upload("?format=text", "ab", "text/plain"));
		expect(await reply(refused)).toMatchObject(problem(413, "payload_too_large"));
	});

	test("passes the client's signal to the outline", async () => {
		const seen: unknown[] = [];
		const outline = {
			async import(_: unknown, { signal }: { signal: AbortSignal }) {
				gone.abort(new Error("gone"));
				seen.push(signal.aborted);
				throw signal.reason;
			},
		};
		const gone = new AbortController();
		const onError = (error: unknown) => seen.push(error);
		const { handle } = service({ authenticate: () => outline as unknown as ServedOutline, onError });
		await handle(upload("?format=text", "a", "text/plain", {}, gone.signal));
		expect(seen).toEqual([true]);
	});
});
