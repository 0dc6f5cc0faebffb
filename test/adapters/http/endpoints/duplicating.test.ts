import { expect, test } from "vitest";
import { problem, service } from "../service.js";

test("a duplicate with all below it goes behind its node, or to the place that the request names", async () => {
	const { ann } = service();
	const a = await ann.create({ name: "a\n\nb" });
	const c = await ann.create({ name: "c", position: "bottom" });
	const path = `/api/v1/nodes/${a}/duplicate`;
	const beside = (await ann.ask("POST", path, {})).body.item_id as string;
	expect((await ann.nodes()).map(({ id }) => id)).toEqual([a, beside, c]);
	expect((await ann.nodes(beside)).map(({ name }) => name)).toEqual(["b"]);
	const d = await ann.create({ parent_id: c, name: "d" });
	const below = (await ann.ask("POST", path, { parent_id: c, position: "bottom" })).body.item_id as string;
	expect((await ann.nodes(c)).map(({ id }) => id)).toEqual([d, below]);
	expect(await ann.ask("POST", path, { parent_id: "nowhere" })).toMatchObject(problem(404, "not_found"));
});

test("a duplication with an Idempotency-Key runs once", async () => {
	const { ann } = service();
	const path = `/api/v1/nodes/${await ann.create({ name: "a" })}/duplicate`;
	const key = { "idempotency-key": "k" };
	const first = await ann.ask("POST", path, {}, key);
	expect((await ann.ask("POST", path, {}, key)).body).toEqual(first.body);
	expect(await ann.nodes()).toHaveLength(2);
});
