import { describe, expect, test } from "vitest";
import { planted } from "../../support/outline.js";
import { serve, short } from "./session.js";

describe("a part", () => {
	const text = "private #secret\nshared #shared\n  inside #inside";

	test("is all that can be read and written", async () => {
		const { outline, secret, shared, inside } = await planted(text);
		const session = await serve({ outline, root: shared });
		expect((await session.call("read")).text).toBe(`- [${short(shared)}] shared\n  - [${short(inside)}] inside`);
		expect((await session.call("read", { node: secret })).text).toMatch(/^not_found: /);
		expect((await session.call("search", { query: "private" })).content.hits).toEqual([]);
		expect((await session.call("search", { query: "inside" })).content.hits[0].above).toEqual([
			{ id: shared, name: "shared" },
		]);
		const { content } = await session.call("create", { nodes: [{ text: "new" }, { text: "newer" }] });
		expect(content.nodes.map(({ id }: { id: string }) => id)).toEqual(
			(await outline.list(shared)).nodes.slice(1).map(({ id }) => id),
		);
		expect((await session.call("move", { node: inside, parent: secret })).isError).toBe(true);
		expect((await session.call("mirror", { node: inside, parent: secret })).text).toMatch(/^not_found: /);
		await expect(session.client.readResource({ uri: `outline://node/${secret}` })).rejects.toThrow(/There is no node/);
	});

	test.each([undefined, "shared"])("that is for reading has no tool that writes (root %s)", async (root) => {
		const { outline, shared } = await planted(text);
		await outline.setShortcut("shared", shared);
		const session = await serve({ outline, root, readOnly: true });
		const { tools } = await session.client.listTools();
		expect(tools.map(({ name }) => name)).toEqual(["search", "read", "targets"]);
		expect(await session.call("complete", { node: shared })).toMatchObject({ isError: true });
		expect((await outline.get(shared)).completed).toBe(false);
	});
});
