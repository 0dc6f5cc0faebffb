import { describe, expect, test } from "vitest";
import { problem, service, testOutline } from "../../adapters/http/service.js";
import { unusedId } from "../../support/ids.js";
import { plant } from "../../support/outline.js";

/** An outline with a subtree that an API key opens, and nodes outside of it. */
async function rented() {
	const outline = testOutline();
	const ids = await plant(
		outline,
		`
canary lent #lent
  canary page #page
canary private #private
part #part
  inside #inside
    child #child
  (mirror lent) #mirror`,
	);
	await outline.setShortcut("secret", ids.private);
	await outline.setShortcut("child", ids.child);
	const { ann, bob } = service({
		authenticate: (apiKey) => outline.scope(ids.part, { write: apiKey === "ann" }),
		exportsPerMinute: Number.POSITIVE_INFINITY,
	});
	return { outline, ids, ann, bob };
}

const nodes = "/api/v1/nodes";

describe("a key for a scope", () => {
	test("creates, reads and lists below the scope's node", async () => {
		const { ann, ids } = await rented();
		const made = await ann.create({ name: "new" });
		expect(await ann.node(made)).toMatchObject({ name: "new", parent_id: ids.part });
		expect(await ann.node(ids.part)).toMatchObject({ name: "part", parent_id: null });
		expect(await ann.create({ name: "x", parent_id: "child" })).toBeTypeOf("string");
		expect((await ann.nodes()).map(({ name }) => name).sort()).toEqual(["canary lent", "inside", "new"]);
		expect((await ann.nodes("None")).length).toBe(3);
		expect((await ann.ask("GET", `${nodes}?parent_id=${ids.mirror}`)).body).toMatchObject({
			nodes: [{ id: ids.page, parent_id: ids.mirror }],
			mirror: { origin_id: ids.lent },
		});
		for (const body of [
			{ name: "x", parent_id: "inbox" },
			{ name: "x", parent_id: "today" },
			{ name: "x", parent_id: ids.private },
		]) {
			expect(await ann.ask("POST", nodes, body)).toMatchObject(problem(404, "not_found"));
		}
		expect(await ann.ask("POST", nodes, { name: "x", parent_id: ids.mirror })).toMatchObject(problem(403, "forbidden"));
	});

	test("updates, completes, moves and deletes there", async () => {
		const { ann, ids, outline } = await rented();
		expect((await ann.ask("POST", `${nodes}/child`, { name: "grown" })).body).toEqual({ status: "ok" });
		expect((await ann.ask("POST", `${nodes}/child/complete`)).status).toBe(200);
		expect(await outline.get(ids.child)).toMatchObject({ name: "grown", completed: true });
		expect((await ann.ask("POST", `${nodes}/child/uncomplete`)).status).toBe(200);
		expect((await ann.ask("POST", `${nodes}/child/move`, { parent_id: "None" })).status).toBe(200);
		expect(await outline.get(ids.child)).toMatchObject({ parentId: ids.part, completed: false });
		const { body } = await ann.ask("POST", `${nodes}/${ids.child}/mirror`, { parent_id: ids.inside });
		expect(body).toMatchObject({ origin_id: ids.child });
		expect(await ann.ask("DELETE", `${nodes}/${ids.child}`)).toMatchObject(problem(409, "has_mirrors"));
		expect((await ann.ask("DELETE", `${nodes}/${body.item_id}/mirror`)).status).toBe(200);
		expect((await ann.ask("DELETE", `${nodes}/${ids.child}`)).status).toBe(200);
		for (const [method, path] of [
			["POST", `${ids.mirror}`],
			["POST", `${ids.mirror}/complete`],
			["POST", `${ids.page}/uncomplete`],
			["POST", `${ids.page}/move`],
			["POST", `${ids.part}/move`],
			["DELETE", `${ids.part}`],
		] as const) {
			expect(await ann.ask(method, `${nodes}/${path}`, method === "POST" ? { name: "x" } : undefined)).toMatchObject(
				problem(403, "forbidden"),
			);
		}
	});

	test("exports and lists only targets and nodes of the scope", async () => {
		const { ann, ids } = await rented();
		const { nodes: exported } = (await ann.ask("GET", "/api/v1/nodes-export")).body as { nodes: { id: string }[] };
		expect(exported.map(({ id }) => id).sort()).toEqual([ids.part, ids.inside, ids.child, ids.mirror].sort());
		const { targets } = (await ann.ask("GET", "/api/v1/targets")).body as { targets: { key: string; type: string }[] };
		expect(targets.filter(({ type }) => type === "shortcut").map(({ key }) => key)).toEqual(["child"]);
	});

	test("gets the same answer for hidden and for missing nodes", async () => {
		const { ann, bob, ids } = await rented();
		for (const [method, path, body] of [
			["GET", nodes, undefined],
			["POST", nodes, { name: "x" }],
			["DELETE", nodes, undefined],
			["POST", `${nodes}//move`, {}],
			["POST", `${nodes}//mirror`, { parent_id: ids.inside }],
			["DELETE", `${nodes}//mirror`, undefined],
			["POST", `${nodes}//complete`, undefined],
			["POST", `${nodes}//uncomplete`, undefined],
		] as const) {
			const at = (id: string) => (path === nodes ? `${nodes}/${id}` : path.replace("//", `/${id}/`));
			const hidden = await ann.ask(method, at(ids.private), body);
			const none = await ann.ask(method, at(unusedId), body);
			expect(hidden).toMatchObject(problem(404, "not_found"));
			expect(JSON.stringify(hidden.body)).toBe(JSON.stringify(none.body).replaceAll(unusedId, ids.private));
			if (method !== "GET")
				expect(await bob.ask(method, at(ids.inside), body)).toMatchObject(problem(403, "forbidden"));
		}
		expect(await ann.ask("GET", `${nodes}/secret`)).toMatchObject(problem(404, "not_found"));
	});
});
