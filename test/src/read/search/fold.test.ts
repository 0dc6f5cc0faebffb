import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { finished } from "../../../../src/pace.js";
import { fold, foldedInPieces, pieceEnd } from "../../../../src/read/search/fold.js";

describe("folding makes these the same:", () => {
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

	test("makes a Greek word begin with a shorter one, despite the final sigma", () => {
		expect(fold("ΟΔΟΣΑ").startsWith(fold("ΟΔΟΣ"))).toBe(true);
	});

	test("keeps the differences between other words", () => {
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

test("only changes ASCII to lower case", () => {
	fc.assert(
		fc.property(fc.string({ unit: "binary-ascii" }), (text) => {
			expect(fold(text)).toBe(text.toLowerCase());
		}),
	);
});

test("changes a folded text no further", () => {
	fc.assert(
		fc.property(fc.string({ unit: "binary", maxLength: 20 }), (text) => {
			expect(fold(fold(text))).toBe(fold(text));
		}),
		{ numRuns: 3000 },
	);
});

test("folds a million stacked marks in linear time", () => {
	for (const pair of ["\u0301\u0316", "\u0e38\u0e48", "\u094d\u093c"]) {
		expect(fold(`a${pair.repeat(500_000)}`).length).toBeLessThan(100);
	}
});

describe("folding a text in pieces", () => {
	/** Characters that combine with their neighbours in various ways. */
	const units = fc.constantFrom(
		...[
			"a",
			"é",
			"e\u0301",
			"\u0301",
			"\u0316",
			"Σ",
			"ß",
			"İ",
			"ﬁ",
			"か",
			"\u3099",
			"ｶ",
			"ﾞ",
			"ᄀ",
			"\u1161",
			"\u11a8",
			"가",
			"각",
		],
		...[
			"ㄱ",
			"ㅏ",
			"ﾡ",
			"ￂ",
			"हि",
			"\u094d",
			"กำ",
			"\u0e33",
			"\u200d",
			"\u00ad",
			"👩‍💻",
			"🇩🇪",
			"\u{1d165}",
			"\u0345",
			" ",
			"-",
			"\n",
		],
		..."ﷺ ㎏ ǆ 東 京 १ x9".split(" "),
	);

	test("has the same result as folding the whole text", () => {
		fc.assert(
			fc.property(fc.array(units, { minLength: 1, maxLength: 60 }), fc.nat(60), (parts, shift) => {
				const unit = parts.join("");
				const text = "y".repeat(shift) + unit.repeat(Math.ceil(20_000 / unit.length));
				expect(finished(foldedInPieces(text))).toBe(fold(text));
			}),
			{ numRuns: 150 },
		);
	});

	test("may split before any character that doesn't combine with the one before it", () => {
		const before = ["か", "a", "ᄀ", "가", "\u{16d63}", "Σ", "ก"];
		let allowed = 0;
		let joining = 0;
		for (let code = 0; code <= 0x10ffff; code++) {
			const character = String.fromCodePoint(code);
			if (/[\p{Cn}\p{Co}\p{Cs}\p{Unified_Ideograph}]/u.test(character)) continue;
			for (const start of before) {
				// Without a character in between, the mark would combine with the start.
				const end = `${character}\u3099`;
				const text = start + end;
				if (pieceEnd(text, start.length) > start.length) joining += 1;
				else {
					allowed += 1;
					if (fold(start) + fold(end) !== fold(text)) expect.fail(`${start} ${code.toString(16)}`);
				}
			}
		}
		expect(joining).toBeGreaterThan(10_000);
		expect(allowed).toBeGreaterThan(200_000);
	});

	test("splits texts of all writing systems often enough", () => {
		for (const unit of ["a", "é", "e\u0301", "東", "か", "ｶﾞ", "한", "हि", "กำ", "👩‍💻", "كِتَاب"]) {
			expect([...foldedInPieces(unit.repeat(1_000_000 / unit.length))].length, unit).toBeGreaterThan(100);
		}
	});
});
