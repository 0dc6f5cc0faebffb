import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { escapeAttribute, escapeText, normalizeText, trimCharacters } from "../../../src/markup/text.js";

describe("normalizeText", () => {
	test.each([
		["a\0b", "ab"],
		["a\r\nb\rc\r\r\nd", "a\nb\nc\n\nd"],
		["\r\0\n", "\n"],
		["\ud83d", "\ufffd"],
		["\ude00a\ud83d", "\ufffda\ufffd"],
		["\ud83d\ude00", "\ud83d\ude00"],
		["\ud83d\0\ude00", "\ud83d\ude00"],
		["\ufeffa\u0001\u2028\u0085", "\ufeffa\u0001\u2028\u0085"],
	])("%j becomes %j", (text, normalized) => {
		expect(normalizeText(text)).toBe(normalized);
	});

	test("changes a normalized text no further", () => {
		const units = fc.array(fc.constantFrom("\0", "\r", "\n", "\ud83d", "\ude00", "a"), { maxLength: 12 });
		fc.assert(
			fc.property(units, (parts) => {
				const normalized = normalizeText(parts.join(""));
				expect(normalized).not.toMatch(/[\0\r\p{Surrogate}]/u);
				expect(normalizeText(normalized)).toBe(normalized);
			}),
		);
	});
});

test("escapeText escapes the characters that begin markup, but no quotation marks", () => {
	expect(escapeText(`<a href="x">&amp;'`)).toBe(`&lt;a href="x"&gt;&amp;amp;'`);
});

test("escapeAttribute escapes double quotation marks too", () => {
	expect(escapeAttribute(`"<>&'`)).toBe("&quot;&lt;&gt;&amp;'");
});

test.each([
	[" \ta \t", " \t", "a"],
	[" \t ", " \t", ""],
	["\u00a0a", " \t", "\u00a0a"],
])("trimCharacters(%j, %j) is %j", (text, characters, trimmed) => {
	expect(trimCharacters(text, characters)).toBe(trimmed);
});
