import fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import { expect, test } from "vitest";
import { codeSpansOf } from "../../../../src/markup/read/code-span.js";
import { finished } from "../../../../src/pace.js";

test.each([
	["`\n`", 3],
	["`a\\`", 4],
])("the code span at the start of %j ends at %i", (text, end) => {
	expect(finished(codeSpansOf(text)).end(0)).toBe(end);
});

test.each([1, 4095, 4096, 4097, 8192, 10_000])("finds the end of a run of %i backticks", (count) => {
	const run = "`".repeat(count);
	expect(finished(codeSpansOf(`${run} a ${run}b`)).end(0)).toBe(2 * count + 3);
	expect(finished(codeSpansOf(`${run} a ${run}`)).end(0)).toBe(2 * count + 3);
});

test("finds the same code spans as micromark", () => {
	const text = fc
		.array(fc.constantFrom("`", "``", "```", "a", " "), { maxLength: 16 })
		.map((parts) => `x${parts.join("")}x`);
	fc.assert(
		fc.property(text, (source) => {
			const codeSpans = finished(codeSpansOf(source));
			const found: [number, number][] = [];
			for (let at = source.indexOf("`"); at !== -1; at = source.indexOf("`", at)) {
				const end = codeSpans.end(at);
				if (end !== -1) found.push([at, end]);
				at = end === -1 ? at + (/^`+/.exec(source.slice(at))?.[0].length ?? 1) : end;
			}
			const [paragraph] = fromMarkdown(source).children;
			const nodes = paragraph?.type === "paragraph" ? paragraph.children : [];
			const expected = nodes
				.filter(({ type }) => type === "inlineCode")
				.map(({ position }) => [position?.start.offset, position?.end.offset]);
			expect(found).toEqual(expected);
		}),
		{ numRuns: 500 },
	);
});
