import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseMarkdown } from "../../../../src/markup/markdown.js";
import { Delimiters } from "../../../../src/markup/read/delimiter.js";
import * as pieces from "../../../../src/markup/read/pieces.js";
import { berlin } from "../berlin.js";
import { lineSoup } from "../soup.js";

const piecesOf = (text: string) => [...pieces.piecesOf(text)].filter((piece) => piece !== undefined);

const words = "lorem ipsum dolor sit amet consectetur elit sed do eiusmod tempor".split(" ");

/** Returns a paragraph of this many words, every ninth formatted, and the name it should become. */
function paragraph(count: number): { text: string; name: string } {
	const formats: [string, string][] = [
		["**bold _word_.** ", "<b>bold _word_.</b> "],
		["*italic* ", "<i>italic</i> "],
		["~~struck through~~ ", "<s>struck through</s> "],
		["`some * code` ", "<code>some * code</code> "],
		[
			'[a *link*. With text](https://a.example/b_c "title here") ',
			'<a href="https://a.example/b_c">a <i>link</i>. With text</a> "title here" ',
		],
		["<b>tag and *more*</b> ", "<b>tag and <i>more</i></b> "],
		["[2026-11-21 14:30] ", '<time datetime="2026-11-21T14:30+01:00">2026-11-21 14:30</time> '],
		["**a *b* ~~c~~ [d](/e)** ", '<b>a <i>b</i> <s>c</s> <a href="/e">d</a></b> '],
	];
	let text = "";
	let name = "";
	for (let index = 0; index < count; index++) {
		const [typed, shown] = (index % 9 === 8 && formats[(index / 9) & 7]) || [
			`${words[index % words.length]} `,
			undefined,
		];
		text += typed;
		name += shown ?? typed;
	}
	return { text: text.trim(), name: name.trim() };
}

describe("piecesOf", () => {
	test("leaves a short text in one piece", () => {
		const text = "*".repeat(64);
		expect(piecesOf(text)).toEqual([text]);
	});

	test("splits between formatted words, not within them", () => {
		const { text } = paragraph(1500);
		const pieces = piecesOf(text);
		expect(pieces.length).toBeGreaterThan(2);
		expect(pieces.join("")).toBe(text);
		for (const piece of pieces) {
			expect(piece.match(/\*/g)?.length ?? 0).toSatisfy((count: number) => count % 2 === 0 || piece.includes("` "));
			expect(piece.match(/\[/g)?.length).toBe(piece.match(/\]/g)?.length);
		}
	});

	test("splits at a space if something stays open", () => {
		const text = "*a b ".repeat(600);
		const pieces = piecesOf(text);
		expect(pieces.length).toBeGreaterThan(2);
		for (const piece of pieces.slice(1)) expect(piece).toMatch(/^ /);
	});

	test.each([
		["code spans", "*`a b`"],
		["tags", "*<b a='b c'>"],
		["escapes", "*\\*"],
		["dates", "*[2026-11-21 14:30]"],
		["autolinks", "*<https://a.example/*b*>"],
	])("splits around %s if there is no space", (_, unit) => {
		const pieces = piecesOf(unit.repeat(500));
		expect(pieces.length).toBeGreaterThan(2);
		for (const piece of pieces) {
			for (const part of piece.split(unit.slice(1))) expect(part).toMatch(/^\**$/);
		}
	});

	test("limits the number of delimiters in a piece", () => {
		const tokens = fc.constantFrom("*", "**", "~~", "[", "]", "](", "_", "a", " ");
		const texts = fc.array(tokens, { minLength: 20, maxLength: 60 }).map((parts) => parts.join(""));
		fc.assert(
			fc.property(texts, fc.integer({ min: 1, max: 60 }), (unit, times) => {
				const pieces = piecesOf(unit.repeat(times));
				expect(pieces.join("")).toBe(unit.repeat(times));
				for (const piece of pieces) {
					expect(piece.match(/\*+|~+|\[|\]/g)?.length ?? 0).toBeLessThanOrEqual(Delimiters.budget / 4 + 1);
					expect(piece.match(/\]\(/g)?.length ?? 0).toBeLessThanOrEqual(Delimiters.budget / 16 + 1);
				}
			}),
		);
	});

	test("keeps every text unchanged", () => {
		fc.assert(
			fc.property(lineSoup, fc.integer({ min: 1, max: 40 }), (unit, times) => {
				expect(piecesOf(unit.repeat(times)).join("")).toBe(unit.repeat(times));
			}),
		);
	});
});

test.each([400, 3000])("formats all of a paragraph of %i words", (count) => {
	const { text, name } = paragraph(count);
	expect(parseMarkdown(text, berlin)).toEqual([{ name, layoutMode: "bullets", completed: false, depth: 0 }]);
});

test("loses the formatting at one split at most because of an unpaired star", () => {
	const [block] = parseMarkdown(`2*3 ${"**bold word** ".repeat(2000)}`, berlin);
	expect(block?.name.match(/<b>bold word<\/b>/g)?.length).toBeGreaterThanOrEqual(1999);
});

test("pairs tags in different pieces", () => {
	const middle = "*a* ".repeat(600);
	expect(piecesOf(middle).length).toBeGreaterThan(1);
	expect(parseMarkdown(`<s>${middle}</s>`, berlin)[0]?.name).toBe(`<s>${"<i>a</i> ".repeat(600)}</s>`);
});
