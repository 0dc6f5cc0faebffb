import { expect, test } from "vitest";
import type { ServedOutline } from "../../../../adapters/http/index.js";
import { problem, service, testOutline } from "../service.js";

const requests = [
	["/api/v1/nodes", { name: "a\n\nb" }],
	["/api/v1/trees", { name: "a", children: [{ name: "b" }] }],
	["/api/v1/batch", { operations: [{ type: "create", as: "x", name: "a" }] }],
] as const;

/** A service with an outline that records the keys and ignores them. */
function keyed() {
	const outline = testOutline();
	const keys: unknown[] = [];
	function withoutKey<T extends { idempotencyKey?: string | undefined }>(input: T): T {
		keys.push(input.idempotencyKey);
		return { ...input, idempotencyKey: undefined };
	}
	const wrapped = {
		create: async (input: Parameters<typeof outline.create>[0]) => outline.create(withoutKey(input)),
		createTree: async (input: Parameters<typeof outline.createTree>[0]) => outline.createTree(withoutKey(input)),
		batch: async (operations: Parameters<typeof outline.batch>[0], input: { idempotencyKey?: string }) =>
			outline.batch(operations, withoutKey(input)),
	};
	return { ...service({ authenticate: () => wrapped as unknown as ServedOutline }), keys };
}

test.each(requests)("POST %s, sent again with its Idempotency-Key, runs once", async (path, body) => {
	const { ann, bob } = service();
	const key = { "idempotency-key": "8e03978e-40d5-43dd-bc93-6894a57f9324" };
	const first = await ann.ask("POST", path, body, key);
	expect(first.status).toBe(200);
	expect((await ann.ask("POST", path, body, key)).body).toEqual(first.body);
	expect(await ann.nodes()).toHaveLength(1);
	const refused = await ann.ask("POST", path, { ...body, name: "c", operations: [] }, key);
	expect(refused).toMatchObject(problem(422, "idempotency_mismatch"));
	expect(refused.body.title).toBe("Unprocessable Content");
	expect(await ann.nodes()).toHaveLength(1);
	expect((await bob.ask("POST", path, body, key)).body).not.toEqual(first.body);
	expect((await ann.ask("POST", path, body)).status).toBe(200);
	expect(await ann.nodes()).toHaveLength(2);
});

test("a repeated mirror request with its Idempotency-Key runs once, and an import refuses a key", async () => {
	const { ann } = service();
	const key = { "idempotency-key": "k" };
	const [a, b] = [await ann.create({ name: "a" }), await ann.create({ name: "b" })];
	const path = `/api/v1/nodes/${a}/mirror`;
	const first = await ann.ask("POST", path, { parent_id: b }, key);
	expect(first.status).toBe(200);
	expect((await ann.ask("POST", path, { parent_id: b }, key)).body).toEqual(first.body);
	expect(await ann.nodes(b)).toHaveLength(1);
	expect(await ann.ask("POST", `/api/v1/nodes/${b}/mirror`, { parent_id: a }, key)).toMatchObject(
		problem(422, "idempotency_mismatch"),
	);
	const refused = await ann.ask("POST", "/api/v1/import?format=text", undefined, key);
	expect(refused).toMatchObject(problem(400, "invalid_argument"));
	expect(refused.body.detail).toContain("Idempotency-Key");
});

test.each(requests)("POST %s hands the outline the Idempotency-Key, to the letter", async (path, body) => {
	const { ann, keys } = keyed();
	for (const key of ["k-1", '"8e03978e-40d5"', "a b,c ~", "x".repeat(255)]) {
		expect((await ann.ask("POST", path, body, { "idempotency-key": key })).status).toBe(200);
		expect(keys.pop()).toBe(key);
	}
	expect((await ann.ask("POST", path, body)).status).toBe(200);
	expect(keys).toEqual([undefined]);
});

test.each(requests)("POST %s takes no key from its body", async (path, body) => {
	const { ann, keys } = keyed();
	await ann.ask("POST", path, { ...body, idempotencyKey: "a", idempotency_key: "b", "Idempotency-Key": "c" });
	expect(keys).toEqual([undefined]);
	await ann.ask("POST", path, { ...body, idempotencyKey: "a" }, { "idempotency-key": "b" });
	expect(keys).toEqual([undefined, "b"]);
});

test.each(requests)("POST %s with a key of another form is 400", async (path, body) => {
	const { ann, keys } = keyed();
	for (const key of ["", "x".repeat(256), "ä", "a\tb"]) {
		const refused = await ann.ask("POST", path, body, { "idempotency-key": key });
		expect(refused, key).toMatchObject(problem(400, "invalid_argument"));
		expect(refused.body.detail).toContain("Idempotency-Key");
	}
	expect(keys).toEqual([]);
});
