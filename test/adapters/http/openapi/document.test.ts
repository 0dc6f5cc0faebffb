import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import { routes } from "../../../../adapters/http/endpoints/routes.js";
import { openApiDocument } from "../../../../adapters/http/openapi/document.js";
import { statuses } from "../../../../adapters/http/server/problem.js";
import { asDescribed, forgetFindings } from "../described.js";
import { problem, reply, request, service } from "../service.js";

const path = "/api/v1/openapi.json";
const text = JSON.stringify(openApiDocument);
const operations = Object.values(openApiDocument.paths).flatMap((methods) => Object.values(methods));

describe("the OpenAPI document", () => {
	test("is valid OpenAPI 3.1", async () => {
		const validator = new Validator();
		expect(await validator.validate(JSON.parse(text))).toEqual({ valid: true });
		expect(validator.version).toBe("3.1");
	});

	test("has every route with every method, and nothing else", () => {
		const described = Object.entries(openApiDocument.paths).map(([path, methods]) => [
			path.replace("{id}", ":id"),
			Object.keys(methods).sort(),
		]);
		const routed = routes.map(({ path, methods }) => [
			path,
			Object.keys(methods)
				.map((method) => method.toLowerCase())
				.sort(),
		]);
		expect(described.sort()).toEqual(routed.sort());
		const open = routes.flatMap(({ path, methods }) =>
			Object.values(methods).some(({ kind }) => kind === "open") ? [path] : [],
		);
		const withoutKey = Object.entries(openApiDocument.paths).flatMap(([path, methods]) =>
			Object.values(methods).some(({ security }) => security !== undefined) ? [path] : [],
		);
		expect(withoutKey).toEqual(open);
	});

	test("names each operation once, and gives each node in a path its parameter", () => {
		const names = operations.map(({ operationId }) => operationId);
		expect(new Set(names).size).toBe(names.length);
		for (const [path, methods] of Object.entries(openApiDocument.paths)) {
			for (const { parameters = [] } of Object.values(methods)) {
				const inPath = parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name);
				expect(inPath, path).toEqual(path.includes("{id}") ? ["id"] : []);
			}
		}
	});

	test("has a part for each reference, and a reference for each part", () => {
		const references = new Set(Array.from(text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g), ([, name]) => name!));
		const { schemas, responses } = openApiDocument.components;
		const parts = [
			...Object.keys(schemas).map((name) => `schemas/${name}`),
			...Object.keys(responses).map((name) => `responses/${name}`),
		];
		expect([...references].sort()).toEqual(parts.sort());
	});

	test("has each code of the handler with its status", () => {
		const told = new Set<string>();
		for (const { responses } of operations) {
			for (const [status, { $ref }] of Object.entries(responses)) {
				if (status === "200") continue;
				const codes = ($ref as string).split("/").at(-1)!.split("-");
				for (const code of codes.filter((each) => each !== "batch")) {
					expect(statuses[code as keyof typeof statuses], code).toBe(Number(status));
					told.add(code);
				}
			}
		}
		const untold = Object.keys(statuses).filter((code) => !told.has(code));
		// An unknown method belongs to no operation, and HTTP has no undo.
		expect(untold).toEqual(["method_not_allowed", "undo_blocked"]);
	});

	test("is served with and without an API key", async () => {
		const authenticate = () => {
			throw new Error("authenticate was called");
		};
		const { handle } = service({ authenticate, cors: { origins: ["https://app.example"] } });
		for (const [apiKey, at] of [
			[null, path],
			["nobody", `${path}/`],
		] as const) {
			const response = await handle(request(apiKey, "GET", at, undefined, { origin: "https://app.example" }));
			expect(response.status).toBe(200);
			expect(Object.fromEntries(response.headers)).toMatchObject({
				"content-type": "application/json",
				"cache-control": "no-store",
				"x-content-type-options": "nosniff",
				"access-control-allow-origin": "https://app.example",
			});
			expect(await response.json()).toEqual(JSON.parse(text));
		}
		expect(await reply(await handle(request(null, "POST", path)))).toMatchObject(problem(405, "method_not_allowed"));
		expect(await reply(await handle(request(null, "GET", "/api/v1/targets")))).toMatchObject(
			problem(401, "unauthorized"),
		);
	});

	test.each(["https://api.example", "https://example.org/outlines"])(
		"leads from where it is served (%s) to where the endpoints are",
		(base) => {
			const [{ url }] = openApiDocument.servers as [{ url: string }];
			const server = new URL(url, base + path).href.replace(/\/$/, "");
			expect(`${server}/api/v1/nodes`).toBe(`${base}/api/v1/nodes`);
		},
	);
});

describe("the check of the handler's answers", () => {
	const id = "01234567-89ab-4cde-8f01-23456789abcd";
	const node = {
		id,
		parent_id: null,
		name: "a",
		note: null,
		priority: 0,
		completed: false,
		createdAt: 1,
		modifiedAt: 1,
		completedAt: null,
		data: { layoutMode: "bullets" },
	};
	const mirror = { ...node, data: { layoutMode: "bullets", mirror: { origin_id: id } } };
	const refused = { type: "about:blank", title: "Conflict", status: 409, detail: "x", error: "x", message: "x" };
	const hasMirrors = { ...refused, code: "has_mirrors" };
	const limited = { ...refused, status: 429, title: "Too Many Requests", code: "rate_limited", retry_after: 7 };

	/** Whether the check accepts an answer to a request. Reads it to its end. */
	async function passes(asked: Request, status: number, body: unknown, headers: Record<string, string> = {}) {
		const type = status === 200 ? "application/json" : "application/problem+json";
		const answer = new Response(JSON.stringify(body), { status, headers: { "content-type": type, ...headers } });
		const handle = asDescribed(async () => answer);
		const read = await handle(asked)
			.then((response) => response.text())
			.catch(() => undefined);
		expect(forgetFindings()).toHaveLength(read === undefined ? 1 : 0);
		return read !== undefined;
	}

	const get = () => request("ann", "GET", `/api/v1/nodes/${id}`);
	const remove = () => request("ann", "DELETE", `/api/v1/nodes/${id}`);
	const post = (body: unknown) => request("ann", "POST", "/api/v1/nodes", body);
	const list = (query: string) => request("ann", "GET", `/api/v1/nodes${query}`);
	const exportAll = () => request("ann", "GET", "/api/v1/nodes-export");

	test.each<[what: string, asked: () => Request, status: number, body: unknown, headers?: Record<string, string>]>([
		["a node", get, 200, { node }],
		["a mirror", get, 200, { node: mirror }],
		["a list", () => list("?parent_id=None"), 200, { nodes: [node] }],
		["a list below a mirror", () => list(""), 200, { nodes: [node], mirror: { origin_id: null } }],
		["a request with a body", () => post({ name: "a", position: { after: id } }), 200, { item_id: id }],
		["a request with unknown fields", () => post({ name: "a", color: { red: 1 } }), 200, { item_id: id }],
		["a failure", remove, 409, { ...hasMirrors, mirror_ids: [id] }],
		["an export", exportAll, 200, { nodes: [node, mirror] }],
		["an export too many", exportAll, 429, limited, { "retry-after": "7" }],
	])("accepts %s", async (_, asked, status, body, headers) => {
		expect(await passes(asked(), status, body, headers)).toBe(true);
	});

	test.each<[what: string, asked: () => Request, status: number, body: unknown, headers?: Record<string, string>]>([
		["an undescribed member", get, 200, { node: { ...node, color: "red" } }],
		["another member of the answer", get, 200, { node, more: true }],
		["a member deep within", get, 200, { node: { ...node, data: { layoutMode: "bullets", x: 1 } } }],
		[
			"a mirror and an origin in one",
			get,
			200,
			{ node: { ...node, data: { layoutMode: "h1", mirror: { origin_id: id, mirror_ids: [] } } } },
		],
		["a node without its name", get, 200, { node: { ...node, name: undefined } }],
		["a time that is no integer", get, 200, { node: { ...node, createdAt: 1.5 } }],
		["an unknown layout mode", get, 200, { node: { ...node, data: { layoutMode: "h7" } } }],
		["an id in capitals", get, 200, { node: { ...node, id: id.toUpperCase() } }],
		["an undescribed status", get, 418, hasMirrors],
		["a code that the operation doesn't have", get, 409, { ...hasMirrors, mirror_ids: [id] }],
		["a code of another status", remove, 409, { ...hasMirrors, code: "not_found" }],
		["a body of another status", remove, 409, { ...hasMirrors, status: 400 }],
		["a failure with more members", remove, 409, { ...hasMirrors, stack: "x" }],
		["another media type", get, 200, { node }, { "content-type": "text/html" }],
		["a failure as plain JSON", remove, 409, hasMirrors, { "content-type": "application/json" }],
		["a limit without its header", exportAll, 429, limited],
		["a limit without its member", exportAll, 429, { ...limited, retry_after: undefined }, { "retry-after": "7" }],
		["an export with a member too many", exportAll, 200, { nodes: [{ ...node, color: "red" }] }],
		["an undescribed path", () => request("ann", "GET", "/api/v1/nowhere"), 200, {}],
		["an undescribed method", () => request("ann", "PUT", "/api/v1/nodes"), 404, refused],
		["an undescribed parameter", () => list("?parent=x"), 200, { nodes: [] }],
		[
			"a parameter of another type",
			() => request("ann", "GET", "/api/v1/tree?depth=x"),
			200,
			{ nodes: [], cursor: null },
		],
		["a request without a required field", () => post({ note: "a" }), 200, { item_id: id }],
		["a request without a body", () => post(""), 200, { item_id: id }],
		["a request with a field of another type", () => post({ name: "a", position: "middle" }), 200, { item_id: id }],
		[
			"a header of another form",
			() => request("ann", "POST", "/api/v1/nodes", { name: "a" }, { "idempotency-key": "ä" }),
			200,
			{ item_id: id },
		],
	])("rejects %s", async (_, asked, status, body, headers) => {
		expect(await passes(asked(), status, body, headers)).toBe(false);
	});

	test("checks each event of a stream", async () => {
		const keys = [{ key: "home", type: "shortcut", node_id: id }];
		const changes = { nodes: [node], deleted: [], keys, revision: 1, more: false };
		for (const [data, isRight] of [
			[changes, true],
			[{ ...changes, expired: true }, true],
			[{ ...changes, keys: [{ key: "home" }] }, false],
			[{ ...changes, more: 1 }, false],
			[{ ...changes, nodes: [{ ...node, color: "red" }] }, false],
		] as const) {
			const body = `id: 1\nevent: changes\ndata: ${JSON.stringify(data)}\n\n`;
			const answer = new Response(body, { headers: { "content-type": "text/event-stream" } });
			const response = await asDescribed(async () => answer)(request("ann", "GET", "/api/v1/changes/stream"));
			const read = response.text().then(
				() => true,
				() => false,
			);
			expect(await read).toBe(isRight);
			expect(forgetFindings()).toHaveLength(isRight ? 0 : 1);
		}
	});
});
