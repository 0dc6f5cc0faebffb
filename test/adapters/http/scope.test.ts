import { expect, test } from "vitest";
import type { ServedOutline } from "../../../adapters/http/index.js";
import { problem, service, testOutline } from "./service.js";

test("an API key can be limited to a part of an outline", async () => {
	const outline = testOutline();
	const { id } = await outline.create({ name: "part" });
	const outside = await outline.create({ name: "outside" });
	const opened: Record<string, ServedOutline> = {
		ann: outline.scope(id, { write: true }),
		bob: outline.scope(id),
	};
	const { ann, bob } = service({ authenticate: (apiKey) => opened[apiKey] ?? null });
	const child = await ann.create({ name: "child" });
	expect((await bob.nodes()).map((node) => node.id)).toEqual([child]);
	for (const [method, path, body] of [
		["POST", "/api/v1/nodes", { name: "x" }],
		["POST", `/api/v1/nodes/${child}`, { name: "x" }],
		["POST", `/api/v1/nodes/${child}/complete`, undefined],
		["DELETE", `/api/v1/nodes/${child}`, undefined],
		["GET", `/api/v1/nodes/${child}/deletion-plan`, undefined],
		["POST", "/api/v1/trees", { name: "x" }],
		["POST", "/api/v1/batch", { operations: [{ type: "create", name: "x" }] }],
	] as const) {
		const refused = await bob.ask(method, path, body);
		expect(refused, `${method} ${path}`).toMatchObject(problem(403, "forbidden"));
		expect(refused.body).toMatchObject({ title: "Forbidden", detail: expect.stringContaining("API key") });
	}
	expect(await ann.ask("GET", `/api/v1/nodes/${outside.id}`)).toMatchObject(problem(404, "not_found"));
	for (const path of ["/api/v1/export?format=json", "/api/v1/tags", "/api/v1/changes"]) {
		const absent = await ann.ask("GET", path);
		expect(absent).toMatchObject(problem(404, "not_found"));
		expect(absent.body.detail).toContain("A key for a part of an outline has fewer endpoints");
	}
	expect((await ann.ask("GET", `/api/v1/tree?root=${child}`)).body.nodes).toHaveLength(1);
	expect((await ann.ask("GET", `/api/v1/nodes/${child}/deletion-plan`)).body.plan).toMatchObject({ node_ids: [child] });
	expect((await outline.list(id)).nodes).toHaveLength(1);
});
