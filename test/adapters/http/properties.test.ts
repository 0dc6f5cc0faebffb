import { describe, expect, test } from "vitest";
import { service } from "./service.js";

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
});
