import { expect, test } from "vitest";
import { mirrored, problem, service } from "./service.js";

test("§4.7 mirror returns the ids of the mirror and its origin", async () => {
	const { ann } = service();
	const [origin, place] = [await ann.create({ name: "origin" }), await ann.create({ name: "place" })];
	const { body } = await ann.ask("POST", `/api/v1/nodes/${origin}/mirror`, { parent_id: place });
	expect(body).toEqual({ item_id: (await ann.nodes(place))[0]!.id, origin_id: origin });
});

test("§4.7 mirroring a mirror mirrors its origin", async () => {
	const { ann, origin, mirror } = await mirrored();
	const elsewhere = await ann.create({ name: "elsewhere" });
	const path = `/api/v1/nodes/${mirror}/mirror`;
	const { body } = await ann.ask("POST", path, { parent_id: elsewhere, position: "bottom" });
	expect(body.origin_id).toBe(origin);
	expect((await ann.node(origin)).data.mirror).toEqual({ mirror_ids: [mirror, body.item_id as string].sort() });
});

test("§2.1 only mirrors and their origins have data.mirror", async () => {
	const { ann, origin, child, mirror } = await mirrored();
	expect((await ann.node(mirror)).data).toEqual({ layoutMode: "bullets", mirror: { origin_id: origin } });
	expect((await ann.node(origin)).data).toEqual({ layoutMode: "bullets", mirror: { mirror_ids: [mirror] } });
	expect((await ann.node(child)).data).toEqual({ layoutMode: "bullets" });
});

test("§2.2 a list under a mirror shows the origin's children as the mirror's, and names the origin", async () => {
	const { ann, origin, child, mirror } = await mirrored();
	const { body } = await ann.ask("GET", `/api/v1/nodes?parent_id=${mirror}`);
	expect(body).toEqual({ nodes: [{ ...(await ann.node(child)), parent_id: mirror }], mirror: { origin_id: origin } });
});

test("§2.2 a mirror shows its origin's content, changed through either", async () => {
	const { ann, origin, place, mirror } = await mirrored();
	await ann.ask("POST", `/api/v1/nodes/${mirror}`, { name: "shared", layoutMode: "todo" });
	await ann.ask("POST", `/api/v1/nodes/${mirror}/complete`);
	expect(await ann.node(origin)).toMatchObject({ parent_id: null, name: "shared", completed: true });
	expect(await ann.node(mirror)).toMatchObject({ parent_id: place, name: "shared", completed: true });
});

test.each([
	["no parent", {}, "invalid_argument"],
	["a null parent", { parent_id: null }, "invalid_argument"],
	["a parent of another type", { parent_id: 7 }, "invalid_argument"],
	["an empty parent", { parent_id: "" }, "invalid_reference"],
	["a target as parent", { parent_id: "inbox" }, "unsupported_reference"],
	["a calendar key as parent", { parent_id: "2026-11-21" }, "unsupported_reference"],
	["None as parent", { parent_id: "None" }, "unsupported_reference"],
	["a short id as parent", { parent_id: "0123456789ab" }, "unsupported_reference"],
] as const)("§4.7 mirror with %s is 400", async (_, body, code) => {
	const { ann, origin } = await mirrored();
	expect(await ann.ask("POST", `/api/v1/nodes/${origin}/mirror`, body)).toMatchObject(problem(400, code));
});

test("§4.7 a mirror under its own origin is 409", async () => {
	const { ann, origin, mirror } = await mirrored();
	for (const parent_id of [origin, mirror]) {
		expect(await ann.ask("POST", `/api/v1/nodes/${origin}/mirror`, { parent_id })).toMatchObject(
			problem(409, "would_create_cycle"),
		);
	}
});

test("§4.8 removing a mirror keeps the origin; removing another node is 409", async () => {
	const { ann, origin, mirror } = await mirrored();
	expect(await ann.ask("DELETE", `/api/v1/nodes/${origin}/mirror`)).toMatchObject(problem(409, "not_a_mirror"));
	expect(await ann.ask("DELETE", `/api/v1/nodes/${mirror}/mirror`)).toMatchObject({
		status: 200,
		body: { status: "ok" },
	});
	expect(await ann.ask("GET", `/api/v1/nodes/${mirror}`)).toMatchObject(problem(404, "not_found"));
	expect((await ann.node(origin)).data).toEqual({ layoutMode: "bullets" });
});
