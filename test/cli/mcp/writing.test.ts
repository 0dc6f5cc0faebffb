import { describe, expect, test } from "vitest";
import { page, serving, short } from "./session.js";

test("arguments that don't have the form of the schema give the error of the protocol, as the page says", async () => {
	const { session } = await serving();
	const { text, isError } = await session.call("create", { nodes: 3 });
	const [said] = /MCP error -\d+: Input validation error/.exec(page)!;
	expect(isError).toBe(true);
	expect(text.slice(0, said.length)).toBe(said);
});

describe("create", () => {
	test("makes nodes beside each other, in their order, with trees below them", async () => {
		const { outline, session, list, milk } = await serving("list #list\n  milk #milk\n  salt");
		const { text, content } = await session.call("create", {
			nodes: [
				{ text: "eggs", note: "ten" },
				{ text: "# bread\n\n- [x] white\n  - small\n- [ ] brown" },
				{ text: "tea" },
			],
			position: { after: short(milk) },
		});
		const { nodes } = await outline.list(list);
		expect(nodes.map(({ name }) => name)).toEqual(["milk", "eggs", "bread", "tea", "salt"]);
		expect(nodes[1]!.note).toBe("ten");
		expect(content.nodes.map(({ text, depth }: { text: string; depth: number }) => [depth, text])).toEqual([
			[0, "eggs"],
			[0, "# bread"],
			[1, "- [x] white"],
			[2, "small"],
			[1, "- [ ] brown"],
			[0, "tea"],
		]);
		expect(text.split("\n")[1]).toBe("  | ten");
		expect(content.nodes[0].id).toBe(nodes[1]!.id);
	});

	test.each([
		["bottom", undefined, ["old", "a", "b"]],
		["top", "top", ["a", "b", "old"]],
	])("puts them at the %s, and makes the day that they are for", async (_, position, expected) => {
		const { outline, session } = await serving();
		await outline.create({ parent: "tomorrow", name: "old" });
		await session.call("create", { parent: "tomorrow", nodes: [{ text: "a" }, { text: "b" }], position });
		expect((await outline.list("2026-11-22")).nodes.map(({ name }) => name)).toEqual(expected);
	});

	test("does the same call with the same key once, and refuses another call with it", async () => {
		const { outline, session } = await serving();
		const input = { parent: "inbox", nodes: [{ text: "a" }], idempotencyKey: "k" };
		const first = await session.call("create", input);
		expect(await session.call("create", input)).toEqual(first);
		expect((await outline.list("inbox")).nodes.length).toBe(1);
		const other = await session.call("create", { ...input, nodes: [{ text: "b" }] });
		expect(other.text).toMatch(/^idempotency_mismatch: /);
	});

	test("creates none if one fails, and names that one", async () => {
		const { outline, session } = await serving("", { limits: { note: 5 } });
		const { text } = await session.call("create", { nodes: [{ text: "a" }, { text: "b", note: "too long" }] });
		expect(text).toMatch(/^invalid_argument: operations\[1\]/);
		expect((await outline.list()).nodes).toEqual([]);
	});

	test("shows the first hundred of many, and only the start of their texts", async () => {
		const { session } = await serving();
		const deep = Array.from({ length: 90 }, (_, depth) => `${"  ".repeat(depth)}- ${"x".repeat(300)}`).join("\n");
		const { text, content } = await session.call("create", { nodes: [{ text: deep }, { text: deep }] });
		expect(content.nodes.length).toBe(100);
		expect(content.more).toBe(true);
		expect(content.nodes[0]).toMatchObject({ text: "x".repeat(200), cut: true });
		expect(text).toMatch(/There are 80 more\.$/);
	});
});

describe("the other tools that write", () => {
	test("update replaces the given fields and keeps the rest", async () => {
		const { outline, session, node } = await serving("one #node");
		await session.call("update", { node, note: "kept" });
		const { text, content } = await session.call("update", { node: short(node), text: "- [x] **two** <script>" });
		expect(content.node).toMatchObject({ id: node, note: "kept", completed: true });
		expect(text).toBe(`- [${short(node)}] ${content.node.text.slice(2)}\n  | kept`);
		expect(await outline.get(node)).toMatchObject({ name: "<b>two</b> &lt;script&gt;", layoutMode: "todo" });
		// Writing a name that was read changes nothing.
		const before = await outline.get(node);
		await session.call("update", { node, text: content.node.text });
		expect(await outline.get(node)).toEqual(before);
		await session.call("update", { node, note: null, layoutMode: "bullets" });
		expect(await outline.get(node)).toMatchObject({ note: null, layoutMode: "bullets" });
	});

	test("move puts a node elsewhere, to the bottom unless told otherwise", async () => {
		const { outline, session, node, place, old } = await serving("one #node\nplace #place\n  old #old");
		expect((await session.call("move", { node, parent: place })).content.node.parentId).toBe(place);
		expect((await outline.list(place)).nodes.map(({ id }) => id)).toEqual([old, node]);
		await session.call("move", { node, position: { before: old } });
		expect((await outline.list(place)).nodes.map(({ id }) => id)).toEqual([node, old]);
		await session.call("move", { node, parent: "None" });
		expect((await outline.get(node)).parentId).toBeNull();
	});

	test("complete and uncomplete do so, and say so", async () => {
		const { outline, session, node } = await serving("one #node");
		expect((await session.call("complete", { node })).text).toBe(`- [${short(node)} completed] one`);
		expect((await outline.get(node)).completed).toBe(true);
		expect((await session.call("uncomplete", { node })).text).toBe(`- [${short(node)}] one`);
		expect((await outline.get(node)).completed).toBe(false);
	});

	test("mirror shows a node in a second place, which may be named in any way", async () => {
		const { outline, session, node, place } = await serving("one #node\nplace #place\n  old");
		await outline.setShortcut("there", place);
		for (const parent of [place, short(place), "there"]) {
			const { content } = await session.call("mirror", { node, parent });
			expect(content.node).toMatchObject({ parentId: place, originId: node });
			expect((await outline.list(place)).nodes.at(-1)!.id).toBe(content.node.id);
		}
	});
});
