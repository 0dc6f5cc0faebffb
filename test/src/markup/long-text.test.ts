import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeReferences } from "../../../src/markup/html/character-reference.js";
import { changed, joined, normalized, sliceEnd, sliceLength } from "../../../src/markup/long-text.js";
import { normalizeText } from "../../../src/markup/text.js";
import { finished } from "../../../src/pace.js";

/** Texts of several slices, whose borders are among these tokens. */
const longTexts = fc
	.array(fc.constantFrom("\r", "\n", "\0", "\ud83d", "\ude00", "&amp;", "&#x1f600;", "&", "a"), {
		minLength: 1,
		maxLength: 12,
	})
	.chain((tokens) => fc.integer({ min: 0, max: 60 }).map((padding) => ({ tokens, padding })))
	.map(({ tokens, padding }) => {
		const unit = tokens.join("");
		const text = unit.repeat(Math.ceil(100 / unit.length));
		return `${"x".repeat(sliceLength - padding)}${text}${"y".repeat(sliceLength - 100)}${text}`;
	});

test("normalizes a long text like a text in one piece", () => {
	fc.assert(
		fc.property(longTexts, (text) => {
			expect(finished(normalized(text))).toBe(normalizeText(text));
		}),
		{ numRuns: 500 },
	);
});

test("splits no character, line ending or character reference", () => {
	fc.assert(
		fc.property(longTexts, (text) => {
			expect(finished(changed(text, decodeReferences))).toBe(decodeReferences(text));
			const clean = normalizeText(text);
			expect(finished(changed(clean, (slice) => slice))).toBe(clean);
			for (let start = 0; start < clean.length; start = sliceEnd(clean, start)) {
				expect(clean.slice(start, sliceEnd(clean, start))).not.toMatch(/\p{Surrogate}/u);
			}
		}),
		{ numRuns: 500 },
	);
});

test("joins any number of texts", () => {
	for (const count of [0, 1, 2, 4096, 4097, 9000]) {
		const texts = Array.from({ length: count }, (_, index) => String(index));
		expect(finished(joined(texts, ", "))).toBe(texts.join(", "));
	}
});
