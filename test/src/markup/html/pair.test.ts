import { expect, test } from "vitest";
import { pair } from "../../../../src/markup/html/pair.js";
import type { Inline, InlineTag } from "../../../../src/markup/inline.js";
import { finished } from "../../../../src/pace.js";

/** The tags are written as `b` and `/b`, sealed ones as `B` and `/B`. */
function tags(source: string): Inline[] {
	return source.split(" ").map((word): Inline => {
		const name = word.replace("/", "");
		const tag = name.toLowerCase() as InlineTag;
		return { type: word.startsWith("/") ? "close" : "open", tag, source: word, sealed: name !== tag };
	});
}

test.each([
	["b /b", [1, 0]],
	["b b /b", [-1, 2, 1]],
	["b /b /b", [1, 0, -1]],
	["b i /b /i", [2, -1, 0, -1]],
	["b i /i /b", [3, 2, 1, 0]],
	["/b b", [-1, -1]],
	["a time s /a /s /time", [3, -1, -1, 0, -1, -1]],
	["B i /B /i", [2, -1, 0, -1]],
	["i B /i /B /i", [4, 3, -1, 1, 0]],
	["B b /b I b /I /b /B", [7, 2, 1, 5, -1, 3, -1, 0]],
])("the partners in %j are %j", (source, partners) => {
	expect([...finished(pair(tags(source)))]).toEqual(partners);
});
