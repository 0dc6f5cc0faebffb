import { expect, test } from "vitest";
import { problem, service } from "../service.js";

test("an update with its base merges with other edits, or is refused with the node as it is stored", async () => {
	const { ann } = service();
	const id = await ann.create({ name: "one two three" });
	await ann.ask("POST", `/api/v1/nodes/${id}`, { name: "one two 3" });
	const base = { name: "one two three" };
	expect((await ann.ask("POST", `/api/v1/nodes/${id}`, { name: "1 two three", base })).status).toBe(200);
	expect((await ann.node(id)).name).toBe("1 two 3");
	const refused = await ann.ask("POST", `/api/v1/nodes/${id}`, { name: "one two drei", base });
	expect(refused).toMatchObject(problem(409, "edit_conflict"));
	expect(refused.body.node).toEqual(await ann.node(id));
	const operations = [
		{ type: "create", name: "x" },
		{ type: "update", id, name: "uno two three", base },
	];
	const batch = await ann.ask("POST", "/api/v1/batch", { operations });
	expect(batch).toMatchObject(problem(409, "edit_conflict"));
	expect(batch.body).toMatchObject({ operation: 1, node: { id } });
	for (const wrong of ["x", { name: 1 }, { note: "n" }]) {
		const answer = await ann.ask("POST", `/api/v1/nodes/${id}`, { name: "y", base: wrong });
		expect(answer).toMatchObject(problem(400, "invalid_argument"));
	}
	expect((await ann.ask("POST", `/api/v1/nodes/${id}`, { name: "y", base: null })).status).toBe(200);
});
