import { describe, expect, test } from "vitest";
import { problem, service } from "./service.js";

describe("properties", () => {
	test("are in the data of a node, and absent if there are none", async () => {
		const { ann } = service();
		const properties = { due: "2026-12-01", list: [1, null], done: false };
		for (const body of [{ properties }, { data: { properties } }, { properties, data: { properties: { x: 1 } } }]) {
			const id = await ann.create({ name: "a", ...body });
			expect((await ann.node(id)).data).toEqual({ layoutMode: "bullets", properties });
		}
		const plain = await ann.create({ name: "a", properties: null, data: { properties: null } });
		expect((await ann.node(plain)).data).toEqual({ layoutMode: "bullets" });
	});

	test("change key by key, beside data or in it", async () => {
		const { ann } = service();
		const id = await ann.create({ name: "a", properties: { x: 1, y: 2 } });
		await ann.ask("POST", `/api/v1/nodes/${id}`, { properties: { x: null, z: "z" } });
		expect((await ann.node(id)).data.properties).toEqual({ y: 2, z: "z" });
		await ann.ask("POST", `/api/v1/nodes/${id}`, { data: { properties: { y: [] } } });
		expect((await ann.node(id)).data.properties).toEqual({ y: [], z: "z" });
		// A client sends a node back as it has received it.
		const { data } = await ann.node(id);
		expect((await ann.ask("POST", `/api/v1/nodes/${id}`, { name: "b", data })).status).toBe(200);
		expect(await ann.node(id)).toMatchObject({ name: "b", data });
	});

	test("are in trees, batches, mirrors, lists and exports", async () => {
		const { ann } = service();
		const { body } = await ann.ask("POST", "/api/v1/batch", {
			operations: [
				{
					...{ type: "createTree", as: "t", name: "t", properties: { level: 1 } },
					children: [{ name: "c", data: { properties: { level: 2 } } }],
				},
				{ type: "update", id: { as: "t" }, data: { properties: { more: true } } },
			],
		});
		const { t } = body.ids as { t: string };
		expect((await ann.nodes(t))[0]!.data.properties).toEqual({ level: 2 });
		const mirror = await ann.mirror(t, await ann.create({ name: "place" }));
		expect((await ann.node(mirror)).data.properties).toEqual({ level: 1, more: true });
		const { nodes } = (await ann.ask("GET", "/api/v1/nodes-export")).body as { nodes: { data: object }[] };
		expect(nodes.map(({ data }) => data)).toContainEqual({ layoutMode: "bullets", properties: { level: 2 } });
	});

	test("are refused if they are no object, or have a wrong key", async () => {
		const { ann } = service();
		for (const properties of [[], "x", 1, { "": 1 }, { ["k".repeat(65)]: 1 }, { x: "x".repeat(20_000) }]) {
			for (const body of [{ properties }, { data: { properties } }]) {
				expect(await ann.ask("POST", "/api/v1/nodes", { name: "a", ...body })).toMatchObject(
					problem(400, "invalid_argument"),
				);
			}
		}
	});
});
