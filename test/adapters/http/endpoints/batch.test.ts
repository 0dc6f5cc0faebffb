import { describe, expect, test } from "vitest";
import type { ServedOutline } from "../../../../adapters/http/index.js";
import { problem, reply, request, service, testOutline } from "../service.js";

describe("POST /api/v1/trees", () => {
	test("creates nested nodes in one request", async () => {
		const { ann } = service();
		const parent = await ann.create({ name: "parent" });
		const first = await ann.create({ name: "first", parent_id: parent });
		const { status, body } = await ann.ask("POST", "/api/v1/trees", {
			parent_id: parent,
			position: { after: first },
			name: "trip",
			layoutMode: null,
			children: [
				{ name: "boat", layoutMode: "h1", children: [{ name: "sail", note: null }] },
				{ name: "tent", id: "x" },
			],
		});
		expect(status).toBe(200);
		const ids = body.item_ids as string[];
		expect(body).toEqual({ item_id: ids[0], item_ids: ids });
		const nodes = await Promise.all(ids.map((id) => ann.node(id)));
		expect(nodes.map(({ name, parent_id }) => [name, parent_id])).toEqual([
			["trip", parent],
			["boat", ids[0]],
			["sail", ids[1]],
			["tent", ids[0]],
		]);
		expect(nodes[1]?.data.layoutMode).toBe("h1");
		expect((await ann.nodes(parent)).map(({ name }) => name)).toEqual(["first", "trip"]);
	});

	test("accepts any depth within the limit of the body", async () => {
		const { ann } = service();
		const depth = 30_000;
		const text = `${'{"name":"","children":['.repeat(depth)}{"name":"leaf"}${"]}".repeat(depth)}`;
		const { status, body } = await ann.ask("POST", "/api/v1/trees", text, { "content-type": "application/json" });
		expect(status).toBe(200);
		expect(body.item_ids).toHaveLength(depth + 1);
	});

	test("names the node that can't be created", async () => {
		const { ann } = service();
		const refused = await ann.ask("POST", "/api/v1/trees", { name: "a", children: [{ name: "b" }, { name: 1 }] });
		expect(refused).toMatchObject(problem(400, "invalid_argument"));
		expect(refused.body.detail).toContain("children[1]");
		expect(await ann.nodes()).toEqual([]);
	});
});

describe("POST /api/v1/batch", () => {
	test("answers each operation like its request, and returns the ids of named nodes", async () => {
		const { ann } = service();
		const old = await ann.create({ name: "old" });
		const { status, body } = await ann.ask("POST", "/api/v1/batch", {
			operations: [
				{ type: "create", as: "a", parent_id: "None", name: "a", position: null, layoutMode: null },
				{ type: "createTree", as: "b", parent_id: { as: "a" }, name: "b", children: [{ name: "c" }] },
				{ type: "move", id: old, parent_id: { as: "b" }, position: "bottom" },
				{ type: "mirror", as: "m", id: old, parent_id: { as: "a" } },
				{ type: "update", id: { as: "b" }, name: "B", note: null },
				{ type: "complete", id: old },
				{ type: "uncomplete", id: old },
				{ type: "setShortcut", key: "k", id: { as: "a" } },
				{ type: "deleteShortcut", key: "k" },
				{ type: "removeMirror", id: { as: "m" } },
				{ type: "delete", id: old },
			],
		});
		expect(status).toBe(200);
		const ids = body.ids as { [name: string]: string };
		const ok = { status: "ok" };
		expect(body.results).toEqual([
			{ item_id: ids.a },
			{ item_id: ids.b, item_ids: [ids.b, expect.any(String)] },
			ok,
			{ item_id: ids.m, origin_id: old },
			ok,
			ok,
			ok,
			ok,
			ok,
			ok,
			ok,
		]);
		expect((await ann.nodes(ids.a)).map(({ name }) => name)).toEqual(["B"]);
	});

	test("changes nothing if one operation fails, and returns its index", async () => {
		const { ann } = service();
		const origin = await ann.create({ name: "origin" });
		const place = await ann.create({ name: "place" });
		const mirror = await ann.mirror(origin, place);
		const operations = [
			{ type: "create", name: "x" },
			{ type: "delete", id: origin },
		];
		const refused = await ann.ask("POST", "/api/v1/batch", { operations });
		expect(refused).toMatchObject(problem(409, "has_mirrors"));
		expect(refused.body).toMatchObject({ operation: 1, mirror_ids: [mirror] });
		expect((await ann.nodes()).map(({ name }) => name)).toEqual(["place", "origin"]);
		for (const body of [{}, { operations: {} }, { operations: [1] }, { operations: [{ type: "explode" }] }]) {
			expect(await ann.ask("POST", "/api/v1/batch", body)).toMatchObject(problem(400, "invalid_argument"));
		}
	});

	test("leaves words such as batch and trees free for shortcuts", async () => {
		const { ann, outline } = service();
		for (const key of ["batch", "trees", "tree", "changes"]) {
			await outline.setShortcut(key, await ann.create({ name: key }));
			expect((await ann.ask("POST", `/api/v1/nodes/${key}`, { name: `${key}!` })).status).toBe(200);
			expect((await ann.node(key)).name).toBe(`${key}!`);
		}
	});
});

test("a host's outline with only the required methods has no other endpoints", async () => {
	const outline = testOutline();
	const methods = ["create", "update", "get", "list", "delete", "move", "mirror", "removeMirror"] as const;
	const more = ["complete", "uncomplete", "export", "targets"] as const;
	const wrapped = Object.fromEntries([...methods, ...more].map((name) => [name, outline[name].bind(outline)]));
	const { handle } = service({ authenticate: () => wrapped as unknown as ServedOutline });
	for (const [method, path] of [
		["POST", "/api/v1/trees"],
		["POST", "/api/v1/batch"],
		["GET", "/api/v1/tree"],
		["GET", "/api/v1/search?q=x"],
		["GET", "/api/v1/tags"],
		["GET", "/api/v1/nodes/x/backlinks"],
		["GET", "/api/v1/nodes/x/deletion-plan"],
		["GET", "/api/v1/changes"],
		["GET", "/api/v1/changes/stream"],
		["GET", "/api/v1/export?format=json"],
		["POST", "/api/v1/import?format=json"],
	] as const) {
		const body = method === "POST" ? { name: "x", operations: [] } : undefined;
		const answer = await reply(await handle(request("any", method, path, body)));
		expect(answer).toMatchObject(problem(404, "not_found"));
	}
});
