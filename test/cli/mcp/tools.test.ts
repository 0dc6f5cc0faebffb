import { describe, expect, test, vi } from "vitest";
import { Outline } from "../../../src/outline.js";
import { gone, page, serving } from "./session.js";

describe("the tools", () => {
	test("are the tools of the page, with the same effects", async () => {
		const { session } = await serving();
		const { tools } = await session.client.listTools();
		const rows = Array.from(page.matchAll(/^\| `(\w+)` \|.*\| (\w+) \|$/gm), ([, name, effect]) => [name, effect]);
		const effect = ({ readOnlyHint, destructiveHint }: NonNullable<(typeof tools)[number]["annotations"]>) =>
			readOnlyHint ? "reads" : destructiveHint ? "overwrites" : "writes";
		expect(tools.map(({ name, annotations }) => [name, effect(annotations!)])).toEqual(rows);
		expect(tools.every(({ annotations }) => annotations?.openWorldHint === false)).toBe(true);
	});

	test("refuse what their schemas don't allow, and say where", async () => {
		const { outline, session, node } = await serving("one #node");
		for (const [name, input, mention] of [
			["search", {}, "query"],
			["search", { query: "a", limit: 101 }, "limit"],
			["read", { depth: 11 }, "depth"],
			["read", { node: 7 }, "node"],
			["read", { node: "" }, "node"],
			["read", { path: "one" }, "path"],
			["targets", { all: true }, "all"],
			["create", { nodes: [] }, "nodes"],
			["create", { nodes: [{ text: "a", children: [] }] }, "children"],
			["create", { nodes: [{ text: "a" }], idempotencyKey: "" }, "idempotencyKey"],
			["update", { node, layoutMode: "h4" }, "layoutMode"],
			["update", { node, name: "x" }, "name"],
			["move", { node, position: { before: node, after: node } }, "position"],
			["complete", {}, "node"],
			["uncomplete", { node: null }, "node"],
			["mirror", { node }, "parent"],
		] as const) {
			const { text, isError } = await session.call(name, input);
			expect(isError, name).toBe(true);
			expect(text).toContain(mention);
		}
		expect((await outline.list()).nodes).toEqual([await outline.get(node)]);
	});

	test("answer what the outline refuses with its code and message, and go on", async () => {
		const { outline, session, node, child } = await serving("one #node\n  two #child");
		for (const [name, input, code] of [
			["search", { query: '"' }, "invalid_argument"],
			["search", { query: "a", within: gone }, "not_found"],
			["read", { node: gone }, "not_found"],
			["read", { node: "2026-02-30" }, "invalid_reference"],
			["read", { cursor: "x" }, "invalid_argument"],
			["create", { parent: gone, nodes: [{ text: "a" }] }, "not_found"],
			["update", { node: gone, text: "a" }, "not_found"],
			["update", { node, text: "a\n\nb" }, "invalid_argument"],
			["move", { node, parent: child }, "would_create_cycle"],
			["complete", { node: "None" }, "unsupported_reference"],
			["uncomplete", { node: gone }, "not_found"],
			["mirror", { node, parent: node }, "would_create_cycle"],
			["mirror", { node, parent: "tomorrow" }, "not_found"],
		] as const) {
			const { text, isError } = await session.call(name, input);
			expect({ name, isError, code: text.split(": ")[0] }).toEqual({ name, isError: true, code });
			expect(text.length).toBeGreaterThan(code.length + 20);
		}
		await outline.close();
		expect(await session.call("targets")).toMatchObject({ isError: true, text: expect.stringMatching(/^closed: /) });
	});

	test("answer a failure that is no refusal without telling what it is, and log it", async () => {
		const log = vi.spyOn(console, "error").mockImplementation(() => {});
		const failure = new Error("a secret");
		const { session } = await serving();
		vi.spyOn(Outline.prototype, "targets").mockRejectedValueOnce(failure);
		const { text, isError } = await session.call("targets");
		expect(log).toHaveBeenCalledWith(failure);
		vi.restoreAllMocks();
		expect(isError).toBe(true);
		expect(text).toMatch(/^internal: /);
		expect(text).not.toContain("secret");
	});
});
