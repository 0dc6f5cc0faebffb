import { expect, test } from "vitest";
import { fromMarkdown, toMarkdown } from "../../../src/markup/index.js";
import { newOutline } from "../../support/outline.js";

test("returns the nodes that a create makes", async () => {
	const text = "# **Plan** for [2026-11-21 14:30]\n- [x] done\n  - [call](tel:1)\n\n> quoted";
	const options = { timeZone: "Europe/Berlin", linkSchemes: ["tel"] };
	const outline = newOutline(options);
	await outline.create({ name: text });
	const made = [];
	for await (const { node, path } of outline.walk()) {
		made.push({ name: node.name, layoutMode: node.layoutMode, completed: node.completed, depth: path.length - 1 });
	}
	expect(fromMarkdown(text, options)).toEqual(made);
	expect(made).toHaveLength(4);
});

test("is the inverse of toMarkdown", () => {
	const name = "a <b>bold</b> &lt;x&gt; *star*";
	const options = { layoutMode: "todo", completed: true } as const;
	expect(fromMarkdown(toMarkdown(name, options))).toEqual([{ name, ...options, depth: 0 }]);
});

test("prefers the given layout mode over the prefix, and keeps code unchanged", () => {
	expect(fromMarkdown("# a", { layoutMode: "todo" })[0]).toMatchObject({ name: "a", layoutMode: "todo" });
	expect(fromMarkdown("# *a*\n  b", { layoutMode: "code-block" })[0]).toMatchObject({ name: "# *a*\n  b" });
});

test("refuses values that are no text, and options that don't exist", () => {
	expect(() => fromMarkdown(1 as never)).toThrow("fromMarkdown was given 1");
	expect(() => fromMarkdown("", null as never)).toThrow("fromMarkdown was given null");
	expect(() => fromMarkdown("", { timeZone: "Mars/One" })).toThrow("Mars/One");
	expect(() => fromMarkdown("", { layoutMode: "h9" as never })).toThrow("h9");
	expect(() => fromMarkdown("", { linkSchemes: ["javascript"] })).toThrow("javascript");
});
