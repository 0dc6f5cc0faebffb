import { describe, expect, test } from "vitest";
import { codeOf, newOutline } from "../../../support/outline.js";
import { exportedFile, sketch } from "../files.js";

async function read(text: string): Promise<string> {
	const outline = newOutline();
	expect((await outline.import(text, { format: "text" })).lost).toEqual({});
	return sketch(outline);
}

describe("plain text", () => {
	test("is read by its indentation, with tabs or any number of spaces", async () => {
		expect(await read("a\n\tb\n\t\tc\n\td\ne")).toBe("a\n  b\n    c\n  d\ne");
		expect(await read("a\r\n   b\r\n     c\r\n   d\r\ne")).toBe("a\n  b\n    c\n  d\ne");
		expect(await read("    a\n        b\n   c\n\n  \n\td\n  e")).toBe("a\n  b\nc\n  d\ne");
	});

	test("stays unchanged, except for the escapes", async () => {
		expect(await read("<b> & **c** \\x \\>y\n\\\\>\n\\\n\\  z \n- i")).toBe(
			"&lt;b&gt; &amp; **c** \\x \\&gt;y\n\\&gt;\n\n  z \n- i".replace("\n  z", "\n  z"),
		);
		expect(await read("a\n\\> one\n\\>\n  \\> two\nb\n\\+ c\n\\+")).toBe("a // one⏎⏎two\nb⏎c⏎");
		// No node comes before this line that it could continue.
		expect(await read("\\> a")).toBe("\\&gt; a");
	});

	test("counts the losses of an export", async () => {
		const outline = newOutline();
		const { id } = await outline.create({ name: "**a** b", note: "x\n\n> y" });
		const task = await outline.create({ parent: id, name: "- [x] done", position: "bottom" });
		await outline.create({ parent: id, name: "```\ncode\n\n  more\n```", position: "bottom" });
		await outline.mirror(task.id, { parent: (await outline.create({ name: "" })).id });
		expect(await exportedFile(outline, "text")).toEqual({
			text: "\\\n\tdone\na b\n\\> x\n\\>\n\\> > y\n\tdone\n\tcode\n\t\\+\n\t\\+   more\n",
			lost: { completed: 2, formatting: 1, layoutMode: 3, mirror: 1 },
		});
		expect(await exportedFile(outline, "text", { root: task.id })).toEqual({
			text: "done\n",
			lost: { completed: 1, layoutMode: 1 },
		});
	});

	test("is refused with the line if a name or note is too long", async () => {
		const outline = newOutline({ limits: { name: 5, note: 5 } });
		for (const text of ["a\nb\n\n123456", "a\nb\n\nc\n\\> 123\n\\> 456"]) {
			await expect(outline.import(text, { format: "text" })).rejects.toThrow(/^Line 4: /);
		}
		expect(await codeOf(outline.import("12345\n\\> 12345", { format: "text" }))).toBeUndefined();
	});
});
