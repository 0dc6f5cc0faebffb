import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fold } from "../../src/search/fold.js";

describe("folding makes one of", () => {
	test.each([
		["letter case", "Meeting", "mEETING"],
		["diacritics", "Ångström café naïve", "angstrom cafe naive"],
		["composed and decomposed letters", "\u00e9", "e\u0301"],
		["sharp s, small and capital", "Straße STRAẞE", "strasse strasse"],
		["the sigmas", "ΟΔΟΣ", "οδος"],
		["the sigma at the end and before more", "οδός", "οδοσ"],
		["the Turkish i", "İstanbul ısı", "istanbul isi"],
		["ligatures", "ﬁle", "file"],
		["full and half width", "ＡＢＣ ｶﾞ", "abc ガ"],
		["letters with hidden hyphens and joiners", "Zu\u00adsammen\u2060ar\ufeffbeit", "zusammenarbeit"],
		["Arabic with and without vowels", "كِتَاب", "كتاب"],
		["Hebrew with and without points", "שָׁלוֹם", "שלום"],
		["Cyrillic with and without marks", "ё", "е"],
		["Hangul, composed and not", "\ud55c", "\u1112\u1161\u11ab"],
	])("%s", (_, left, right) => {
		expect(fold(left)).toBe(fold(right));
	});

	test("the beginning of a Greek word and the word, though a sigma at the end is another letter", () => {
		expect(fold("ΟΔΟΣΑ").startsWith(fold("ΟΔΟΣ"))).toBe(true);
	});

	test("and keeps what makes another word", () => {
		for (const [left, right] of [
			["か", "が"],
			["は", "ぱ"],
			["कि", "का"],
			["กิน", "กน"],
			["o", "0"],
		] as const) {
			expect(fold(left), `${left} ${right}`).not.toBe(fold(right));
		}
	});
});

test("ASCII is put in lower case, and nothing else is done to it", () => {
	fc.assert(
		fc.property(fc.string({ unit: "binary-ascii" }), (text) => {
			expect(fold(text)).toBe(text.toLowerCase());
		}),
	);
});

test("what has been folded stays as it is", () => {
	fc.assert(
		fc.property(fc.string({ unit: "binary", maxLength: 20 }), (text) => {
			expect(fold(fold(text))).toBe(fold(text));
		}),
		{ numRuns: 3000 },
	);
});

test("a million stacked marks are folded at once", () => {
	for (const pair of ["\u0301\u0316", "\u0e38\u0e48", "\u094d\u093c"]) {
		expect(fold(`a${pair.repeat(500_000)}`).length).toBeLessThan(100);
	}
});
