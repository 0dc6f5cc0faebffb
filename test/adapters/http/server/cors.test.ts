import { expect, test } from "vitest";
import { problem, reply, request, service } from "../service.js";

const origin = "https://app.example";
const preflight = {
	origin,
	"access-control-request-method": "POST",
	"access-control-request-headers": "authorization",
};

/** The headers of a response that a browser reads for CORS. */
function corsOf(headers: Headers): Record<string, string> {
	return Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control-") || name === "vary"));
}

test("without cors no other origin is allowed, and OPTIONS is 405", async () => {
	const { handle } = service();
	const response = await handle(request(null, "OPTIONS", "/api/v1/nodes", undefined, preflight));
	expect(corsOf(response.headers)).toEqual({});
	expect(await reply(response)).toMatchObject(problem(405, "method_not_allowed"));
	expect(corsOf((await handle(request("ann", "GET", "/api/v1/nodes", undefined, { origin }))).headers)).toEqual({});
});

test("a preflight of a listed origin is 204 and needs no API key", async () => {
	const { handle } = service({ cors: { origins: ["https://other.example", origin] } });
	for (const path of ["/api/v1/nodes", "/api/v1/nodes/a/mirror", "/nowhere"]) {
		const response = await handle(request(null, "OPTIONS", path, undefined, preflight));
		expect(response.status).toBe(204);
		expect(await response.text()).toBe("");
		expect(corsOf(response.headers)).toEqual({
			"access-control-allow-origin": origin,
			"access-control-allow-methods": "GET, POST, DELETE",
			"access-control-allow-headers": "Authorization, Content-Encoding, Content-Type, Idempotency-Key, Last-Event-ID",
			"access-control-max-age": "7200",
			vary: "Origin",
		});
	}
});

test("pages of a listed origin can read each response, also errors", async () => {
	const { handle } = service({ cors: { origins: [origin] } });
	const expected = {
		"access-control-allow-origin": origin,
		"access-control-expose-headers": "Allow, Content-Disposition, Retry-After, WWW-Authenticate",
		vary: "Origin",
	};
	for (const [apiKey, path, status] of [
		["ann", "/api/v1/nodes", 200],
		["ann", "/api/v1/nodes-export", 200],
		["ann", "/api/v1/nodes-export", 429],
		["ann", "/nowhere", 404],
		[null, "/api/v1/nodes", 401],
	] as const) {
		const response = await handle(request(apiKey, "GET", path, undefined, { origin }));
		expect(response.status).toBe(status);
		expect(corsOf(response.headers)).toEqual(expected);
	}
});

test("an origin that isn't listed gets the answer without the permission to read it", async () => {
	const { handle } = service({ cors: { origins: [origin] } });
	const others = [
		"https://app.example.evil",
		"http://app.example",
		"https://app.example:8443",
		"https://APP.example",
		"null",
	];
	for (const other of others) {
		for (const method of ["OPTIONS", "GET"]) {
			const response = await handle(
				request("ann", method, "/api/v1/nodes", undefined, { ...preflight, origin: other }),
			);
			expect(corsOf(response.headers), other).toEqual({ vary: "Origin" });
		}
	}
	expect(corsOf((await handle(request("ann", "GET", "/api/v1/nodes"))).headers)).toEqual({ vary: "Origin" });
});

test("with * each origin is allowed, and none with credentials", async () => {
	const { handle } = service({ cors: { origins: [origin, "*"] } });
	for (const method of ["OPTIONS", "GET"]) {
		const response = await handle(request("ann", method, "/api/v1/nodes", undefined, { ...preflight, origin: "null" }));
		expect(corsOf(response.headers)).toMatchObject({ "access-control-allow-origin": "*" });
		expect(response.headers.has("vary")).toBe(false);
		expect(response.headers.has("access-control-allow-credentials")).toBe(false);
	}
});
