import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { statusOf } from "../../../adapters/http/index.js";
import { createMemoryStorage } from "../../../adapters/memory.js";
import { OutlineError, type OutlineErrorCode } from "../../../src/errors.js";
import type { Outline } from "../../../src/outline.js";
import type { StorageAdapter } from "../../../src/storage.js";
import { bound } from "../../support/notices.js";
import { problem, reply, request, service, testOutline } from "./service.js";

/** A storage that fails in each call. */
function failingStorage(error: unknown): StorageAdapter {
	const fail = () => Promise.reject(error);
	return { read: fail, commit: fail, scan: () => ({ [Symbol.asyncIterator]: () => ({ next: fail }) }), close: fail };
}

test("§7 an error body is a problem with further members that clients of such services read", async () => {
	const { ann } = service();
	const { status, headers, body } = await ann.ask("GET", "/api/v1/nodes/nowhere");
	expect(status).toBe(404);
	expect(headers.get("content-type")).toBe("application/problem+json");
	expect(headers.get("cache-control")).toBe("no-store");
	expect(headers.get("x-content-type-options")).toBe("nosniff");
	expect(body).toEqual({
		type: "about:blank",
		title: "Not Found",
		status: 404,
		detail: expect.stringMatching(/^[A-Z].*"nowhere".*\.$/),
		code: "not_found",
		error: body.detail,
		message: body.detail,
	});
});

test("§7 an unknown path is 404", async () => {
	const { ann } = service();
	const paths = [
		"/",
		"/api/v1",
		"/api/v1/node",
		"/api/v2/nodes",
		"/api/v1/nodes/a/b",
		"/api/v1/nodes/a/move/b",
		"/API/v1/nodes",
	];
	for (const path of paths) {
		const refused = await ann.ask("GET", path);
		expect(refused, path).toMatchObject(problem(404, "not_found"));
		const hint = path.startsWith("/api/v1/") ? "" : ' All paths begin with "/api/v1/".';
		expect(refused.body.detail).toBe(`There is no endpoint at ${JSON.stringify(path)}.${hint}`);
	}
});

test.each([
	["/api/v1/nodes", "GET, POST"],
	["/api/v1/nodes/a", "GET, POST, DELETE"],
	["/api/v1/nodes/a/move", "POST"],
	["/api/v1/nodes/a/mirror", "POST, DELETE"],
	["/api/v1/nodes/a/complete", "POST"],
	["/api/v1/nodes/a/uncomplete", "POST"],
	["/api/v1/nodes-export", "GET"],
	["/api/v1/targets", "GET"],
])("§7 at %s every method but %s is 405", async (path, allowed) => {
	const { handle } = service();
	for (const method of [
		"GET",
		"POST",
		"DELETE",
		"PUT",
		"PATCH",
		"OPTIONS",
		"HEAD",
		"PURGE",
		"constructor",
		"__proto__",
	]) {
		if (allowed.split(", ").includes(method)) continue;
		const response = await handle(request("ann", method, path));
		expect(response.headers.get("allow"), method).toBe(allowed);
		expect(await reply(response), method).toMatchObject(problem(405, "method_not_allowed"));
	}
});

test.each([
	["storage_unavailable", 503],
	["closed", 503],
	["quota_exceeded", 507],
	["storage_corrupt", 500],
] as const)("§7 %s is %i, and only the host receives the message", async (code, status) => {
	const seen: unknown[] = [];
	const error = new OutlineError(code, "/var/data/ann.db is broken", { cause: new Error("sector 7") });
	const { handle } = service(
		{ onError: (given, { url }) => seen.push(given, url) },
		testOutline(failingStorage(error)),
	);
	const response = await handle(request("ann", "POST", "/api/v1/nodes", { name: "a" }));
	const text = await response.text();
	expect({ status: response.status, body: JSON.parse(text) }).toMatchObject(problem(status, code));
	expect(text).not.toMatch(/var|ann|sector|stack/);
	expect(seen).toEqual([error, "https://api.example/api/v1/nodes"]);
});

test.each([
	["an unknown error", new TypeError("x of undefined at /srv/app.js")],
	["an error with an unknown code", new OutlineError("made_up" as OutlineErrorCode, "at /srv/app.js")],
	[
		"an error with the name of an object's member",
		new OutlineError("constructor" as OutlineErrorCode, "at /srv/app.js"),
	],
	["a foreign error with a code of an outline", Object.assign(new Error("at /srv/app.js"), { code: "not_found" })],
	["no error at all", "at /srv/app.js"],
	["nothing", undefined],
])("§7 %s is 500 without internals", async (_, error) => {
	const seen: unknown[] = [];
	const authenticate = () => ({ ...testOutline(), targets: () => Promise.reject(error) }) as unknown as Outline;
	const { handle } = service({ authenticate, onError: (given) => seen.push(given) });
	const response = await handle(request("ann", "GET", "/api/v1/targets"));
	const text = await response.text();
	expect({ status: response.status, body: JSON.parse(text) }).toMatchObject(problem(500, "internal"));
	expect(text).not.toContain("srv");
	expect(seen).toEqual([error]);
});

test("§7 a write that another commit always precedes is 409", async () => {
	const contended: StorageAdapter = {
		...bound(createMemoryStorage()),
		commit: () => Promise.reject(new OutlineError("conflict", "The outline has changed.")),
	};
	const { ann } = service({}, testOutline(contended));
	expect(await ann.ask("POST", "/api/v1/nodes", { name: "a" })).toMatchObject(problem(409, "conflict"));
});

test("§7 errors from another copy of the package have the status of their codes", async () => {
	const foreign = Object.assign(new Error('There is no node "a".'), { name: "OutlineError", code: "not_found" });
	const authenticate = () => Object.assign(testOutline(), { get: () => Promise.reject(foreign) });
	const { handle } = service({ authenticate });
	expect(await reply(await handle(request("ann", "GET", "/api/v1/nodes/a")))).toMatchObject(problem(404, "not_found"));
});

test("§7 an error of authenticate is the server's error, with any code", async () => {
	const seen: unknown[] = [];
	const answers: Record<string, unknown> = {
		gone: new OutlineError("not_found", "no tenant ann"),
		down: new OutlineError("storage_unavailable", "no route to 10.0.0.7"),
		bug: new TypeError("x of undefined"),
	};
	const { handle } = service({
		authenticate: (apiKey) => {
			throw answers[apiKey];
		},
		onError: (error) => seen.push(error),
	});
	const ask = async (apiKey: string) => reply(await handle(request(apiKey, "GET", "/api/v1/nodes")));
	expect(await ask("gone")).toMatchObject(problem(500, "internal"));
	expect(await ask("down")).toMatchObject(problem(503, "storage_unavailable"));
	expect(await ask("bug")).toMatchObject(problem(500, "internal"));
	expect(seen).toEqual([expect.objectContaining({ cause: answers.gone }), answers.down, answers.bug]);
});

test("§7 an onError that throws changes nothing, and neither does a promise of it that rejects", async () => {
	const rejected: unknown[] = [];
	const listener = (error: unknown) => rejected.push(error);
	process.on("unhandledRejection", listener);
	const throwing = () => {
		throw new Error("the log is full");
	};
	for (const onError of [throwing, async () => throwing()]) {
		const { ann } = service({ onError }, testOutline(failingStorage(new Error("down"))));
		expect((await ann.ask("GET", "/api/v1/nodes")).status).toBe(500);
	}
	await setImmediate();
	process.off("unhandledRejection", listener);
	expect(rejected).toEqual([]);
});

test("§7 onError doesn't receive errors of a client", async () => {
	const seen: unknown[] = [];
	const { ann } = service({ onError: (error) => seen.push(error) });
	await ann.ask("GET", "/api/v1/nodes/nowhere");
	await ann.ask("PUT", "/api/v1/nodes");
	await ann.ask("POST", "/api/v1/nodes", "{");
	await ann.ask("GET", "/nowhere");
	await ann.ask("GET", "/api/v1/nodes-export");
	await ann.ask("GET", "/api/v1/nodes-export");
	expect(seen).toEqual([]);
});

test("§7 hosts can look up the status of their own errors", async () => {
	const { ann } = service();
	const codes: [OutlineErrorCode, number][] = [
		["invalid_argument", 400],
		["forbidden", 403],
		["not_found", 404],
		["has_mirrors", 409],
		["too_large", 413],
		["idempotency_mismatch", 422],
		["storage_corrupt", 500],
		["storage_unavailable", 503],
		["quota_exceeded", 507],
	];
	for (const [code, status] of codes) expect(statusOf(new OutlineError(code, "It failed.")), code).toBe(status);
	for (const error of [new Error("no"), { code: "not_found" }, "not_found", null, undefined]) {
		expect(statusOf(error)).toBe(500);
	}
	const outline = testOutline();
	const refused = await outline.get("nowhere").catch((error: unknown) => error);
	expect(statusOf(refused)).toBe((await ann.ask("GET", "/api/v1/nodes/nowhere")).status);
});

test("§7 a write that is too large is 413, without a Retry-After", async () => {
	const tooLarge = async () => {
		throw new OutlineError("too_large", "It would write 2,000 characters. A commit may write up to 1,000.");
	};
	const refusing = { batch: tooLarge, createTree: tooLarge, import: tooLarge } as unknown as Outline;
	const { ann } = service({ authenticate: () => refusing });
	for (const [path, body, type] of [
		["batch", { operations: [] }, "application/json"],
		["trees", { name: "a" }, "application/json"],
		["import?format=text", "a", "text/plain"],
	] as const) {
		const text = typeof body === "string" ? body : JSON.stringify(body);
		const refused = await ann.ask("POST", `/api/v1/${path}`, text, { "content-type": type });
		expect(refused, path).toMatchObject(problem(413, "too_large"));
		expect(refused.headers.has("retry-after")).toBe(false);
	}
});
