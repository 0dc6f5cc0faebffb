import { expect, test, vi } from "vitest";
import { problem, reply, request, service, testOutline } from "./service.js";

test("§5 the API key is the text after Bearer, in any letter case", async () => {
	const keys: string[] = [];
	const { handle, outline } = service({
		authenticate: (apiKey) => {
			keys.push(apiKey);
			return outline;
		},
	});
	for (const authorization of ["Bearer k-1", "bearer k/2+3==", "BEARER k_3", "BeArEr   k~4", "Bearer k:5"]) {
		expect((await handle(request(null, "GET", "/api/v1/nodes", undefined, { authorization }))).status).toBe(200);
	}
	expect(keys).toEqual(["k-1", "k/2+3==", "k_3", "k~4", "k:5"]);
});

test.each([
	["no header", {}],
	["an empty header", { authorization: "" }],
	["no key", { authorization: "Bearer" }],
	["an empty key", { authorization: "Bearer   " }],
	["a key without a scheme", { authorization: "ann" }],
	["another scheme", { authorization: "Basic YW5uOg==" }],
	["a longer scheme", { authorization: "Bearers ann" }],
	["two words", { authorization: "Bearer ann bob" }],
	["two headers in one", { authorization: "Bearer ann, Bearer bob" }],
])("§5 %s is 401, and authenticate isn't called", async (_, headers: Record<string, string>) => {
	const authenticate = vi.fn(() => testOutline());
	const { handle } = service({ authenticate });
	const response = await handle(request(null, "GET", "/api/v1/nodes", undefined, headers));
	expect(response.headers.get("www-authenticate")).toBe("Bearer");
	const { body } = await reply(response);
	expect(body.detail).toMatch(/^[A-Z].+\.$/);
	const said = { error: body.detail, message: body.detail, errors: body.detail };
	expect(body).toMatchObject({ status: 401, title: "Unauthorized", code: "unauthorized", ...said });
	expect(authenticate).not.toHaveBeenCalled();
});

test("§5 an unknown key is 401, and isn't repeated in the answer", async () => {
	for (const authenticate of [() => null, async () => null, () => undefined]) {
		const { handle } = service({ authenticate: authenticate as () => null });
		const response = await handle(request("s3cret", "GET", "/api/v1/nodes"));
		expect(response.status).toBe(401);
		expect(response.headers.get("www-authenticate")).toBe("Bearer");
		expect(await response.text()).not.toContain("s3cret");
	}
});

test.each([
	[true, "a value of type boolean"],
	["ann", "a value of type string"],
	[() => testOutline(), "a value of type function"],
])("§5 an authenticate that returns %o is the server's error", async (value, name) => {
	const onError = vi.fn();
	const { handle } = service({ authenticate: (() => value) as unknown as () => null, onError });
	for (const path of ["nodes", "search?q=a"]) {
		expect(await reply(await handle(request("ann", "GET", `/api/v1/${path}`)))).toMatchObject(problem(500, "internal"));
	}
	const message = `authenticate returned ${name}. It must return an Outline, a scope of one, or null.`;
	expect(onError.mock.calls.map(([error]) => error.message)).toEqual([message, message]);
});

test("§5 authenticate receives the request", async () => {
	const seen: (string | null)[] = [];
	const { handle, outline } = service({
		authenticate: (_, given) => {
			seen.push(given.headers.get("x-tenant"));
			return outline;
		},
	});
	await handle(request("ann", "GET", "/api/v1/nodes", undefined, { "x-tenant": "t-1" }));
	expect(seen).toEqual(["t-1"]);
});

test("§5 the order of the checks is path, method, key, and then the rest", async () => {
	const { handle } = service({ maxBodyBytes: 10 });
	const large = { name: "a".repeat(100) };
	const status = async (...parts: Parameters<typeof request>) => (await handle(request(...parts))).status;
	expect(await status(null, "PATCH", "/api/v1/node", large)).toBe(404);
	expect(await status(null, "PATCH", "/api/v1/nodes", large)).toBe(405);
	expect(await status(null, "POST", "/api/v1/nodes/%ZZ", large)).toBe(401);
	expect(await status("nobody", "POST", "/api/v1/nodes/%ZZ", large)).toBe(401);
	expect(await status("ann", "POST", "/api/v1/nodes/%ZZ", large)).toBe(400);
	expect(await status("ann", "POST", "/api/v1/nodes", large)).toBe(413);
});

test("§5 a user reaches only the user's own nodes; the answer about other nodes is the same as about unknown nodes", async () => {
	const { ann, bob } = service();
	const hers = await ann.create({ name: "a" });
	const his = await bob.create({ name: "b" });
	const unknown = "01234567-89ab-4cde-8f01-23456789abcd";
	const calls: [method: string, path: string, body?: object][] = [
		["GET", "/api/v1/nodes/ID"],
		["POST", "/api/v1/nodes/ID", { name: "c" }],
		["DELETE", "/api/v1/nodes/ID"],
		["POST", "/api/v1/nodes/ID/move", { parent_id: his }],
		["POST", "/api/v1/nodes/ID/mirror", { parent_id: his }],
		["DELETE", "/api/v1/nodes/ID/mirror"],
		["POST", "/api/v1/nodes/ID/complete"],
		["POST", "/api/v1/nodes/ID/uncomplete"],
		["GET", "/api/v1/nodes?parent_id=ID"],
		["POST", "/api/v1/nodes", { name: "c", parent_id: "ID" }],
		["POST", `/api/v1/nodes/${his}/move`, { parent_id: "ID" }],
		["POST", `/api/v1/nodes/${his}/mirror`, { parent_id: "ID" }],
	];
	for (const [method, path, body] of calls) {
		const answers = [];
		for (const id of [hers, unknown]) {
			const given = body === undefined ? undefined : JSON.parse(JSON.stringify(body).replace("ID", id));
			const { status, headers, body: answer } = await bob.ask(method, path.replace("ID", id), given);
			expect(status, `${method} ${path}`).toBe(404);
			answers.push([[...headers], JSON.parse(JSON.stringify(answer).replaceAll(id, "ID"))]);
		}
		expect(answers[0], `${method} ${path}`).toEqual(answers[1]);
	}
	expect(await ann.nodes()).toEqual([await ann.node(hers)]);
	expect((await bob.ask("GET", "/api/v1/nodes-export")).body).toEqual({ nodes: [await bob.node(his)] });
	expect((await bob.nodes()).map((node) => node.name)).toEqual(["b"]);
});
