import { describe, expect, test } from "vitest";
import { mirrored, problem } from "../service.js";

describe("DELETE /api/v1/nodes/:id?mirrors=", () => {
	test.each(["", "?mirrors=reject"])("§7 refuses, with %j, while a mirror would lose its origin", async (query) => {
		const { ann, origin, mirror } = await mirrored();
		const refused = await ann.ask("DELETE", `/api/v1/nodes/${origin}${query}`);
		expect(refused).toMatchObject(problem(409, "has_mirrors"));
		expect(refused.body.mirror_ids).toEqual([mirror]);
		expect((await ann.node(origin)).name).toBe("origin");
	});

	test("makes mirrors independent nodes with detach", async () => {
		const { ann, origin, mirror } = await mirrored();
		expect((await ann.ask("DELETE", `/api/v1/nodes/${origin}?mirrors=detach`)).body).toEqual({ status: "ok" });
		expect(await ann.node(mirror)).toMatchObject({ name: "origin", data: { layoutMode: "bullets" } });
		expect((await ann.nodes(mirror)).map(({ name }) => name)).toEqual(["child"]);
		expect(await ann.ask("GET", `/api/v1/nodes/${origin}`)).toMatchObject(problem(404, "not_found"));
	});

	test("puts the origin in the place of a mirror with promote", async () => {
		const { ann, origin, child, place, mirror } = await mirrored();
		expect((await ann.ask("DELETE", `/api/v1/nodes/${origin}?mirrors=promote`)).body).toEqual({ status: "ok" });
		expect((await ann.nodes(place)).map(({ id }) => id)).toEqual([origin]);
		expect((await ann.nodes(origin)).map(({ id }) => id)).toEqual([child]);
		expect(await ann.ask("GET", `/api/v1/nodes/${mirror}`)).toMatchObject(problem(404, "not_found"));
	});

	test("can be an operation of a batch", async () => {
		const { ann, origin, mirror } = await mirrored();
		const operations = [{ type: "delete", id: origin, mirrors: "detach" }];
		expect((await ann.ask("POST", "/api/v1/batch", { operations })).body).toEqual({
			results: [{ status: "ok" }],
			ids: {},
		});
		expect((await ann.node(mirror)).data.mirror).toBeUndefined();
		const refused = await ann.ask("POST", "/api/v1/batch", {
			operations: [{ type: "delete", id: mirror, mirrors: "keep" }],
		});
		expect(refused).toMatchObject(problem(400, "invalid_argument"));
		expect(refused.body.operation).toBe(0);
	});
});

describe("GET /api/v1/nodes/:id/deletion-plan", () => {
	const nothing = { mirror_ids: [], keys: [], forbidden_by: [], promoted: [], detached: [], copies: 0 };

	test("returns the nodes that would be deleted, and the mirrors that forbid it", async () => {
		const { ann, outline, origin, child, place, mirror } = await mirrored();
		await outline.setShortcut("work", child);
		const plan = async (id: string, query = "") =>
			(await ann.ask("GET", `/api/v1/nodes/${id}/deletion-plan${query}`)).body.plan;
		expect(await plan(origin)).toEqual({
			...nothing,
			node_ids: [origin, child],
			keys: ["work"],
			forbidden_by: [mirror],
		});
		expect(await plan(place)).toEqual({ ...nothing, node_ids: [place, mirror], mirror_ids: [mirror] });
		expect(await plan(origin, "?mirrors=detach")).toEqual({
			...nothing,
			node_ids: [origin, child],
			keys: ["work"],
			detached: [mirror],
			copies: 1,
		});
		expect(await plan(origin, "?mirrors=promote")).toEqual({
			...nothing,
			node_ids: [mirror],
			mirror_ids: [mirror],
			promoted: [{ id: origin, mirror_id: mirror }],
		});
		expect(await ann.nodes(place)).toHaveLength(1);
	});

	test("takes any reference to a node", async () => {
		const { ann, outline, child } = await mirrored();
		await outline.setShortcut("work", child);
		for (const reference of [child, child.slice(-12), "work"]) {
			const { body } = await ann.ask("GET", `/api/v1/nodes/${reference}/deletion-plan`);
			expect((body.plan as { node_ids: string[] }).node_ids).toEqual([child]);
		}
		for (const [reference, status, code] of [
			["nowhere", 404, "not_found"],
			["None", 400, "unsupported_reference"],
			["2026-02-30", 400, "invalid_reference"],
		] as const) {
			const refused = await ann.ask("GET", `/api/v1/nodes/${reference}/deletion-plan`);
			expect(refused).toMatchObject(problem(status, code));
		}
	});
});
