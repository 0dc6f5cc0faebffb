import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fold } from "../../../../src/read/search/fold.js";
import { eachTag, eachWord, isTag, tags, words } from "../../../../src/read/search/tokens.js";

describe("words", () => {
	test.each([
		["Meet Anna at 10:30", ["meet", "anna", "at", "10", "30"]],
		["e-mail, don't; snake_case", ["e", "mail", "don", "t", "snake", "case"]],
		["http://example.org/a?b=1", ["http", "example", "org", "a", "b", "1"]],
		["Größe café", ["grosse", "cafe"]],
		["東京タワー", ["東", "京", "タ", "ワ", "ー"]],
		["iPhone手机2台", ["iphone", "手", "机", "2", "台"]],
		["한국어 검색", ["한", "국", "어", "검", "색"]],
		["ภาษาไทย", ["ภ", "า", "ษ", "า", "ไ", "ท", "ย"]],
		["हिन्दी भाषा", ["हिन्दी", "भाषा"]],
		["done 🎉🎉 👍🏽 🇩🇪", ["done", "🎉", "🎉", "👍", "🇩", "🇪"]],
		["❤️ 👩‍💻", ["❤", "👩", "💻"]],
		["#work @anna C++", ["work", "anna", "c"]],
		["— & … + ()", []],
		["", []],
	])("of %j are %j", (text, expected) => {
		expect(words(text)).toEqual(expected);
	});

	test("of any part of a Chinese, Japanese or Korean text follow one another in the words of the text", () => {
		const letters = fc.string({ unit: fc.constantFrom(..."東京都市ひらがなカタカナー한국어々〇"), minLength: 1 });
		fc.assert(
			fc.property(letters, letters, letters, (before, middle, after) => {
				const all = words(before + middle + after);
				expect(all).toEqual([...words(before), ...words(middle), ...words(after)]);
				expect(words(middle)).toHaveLength([...middle].length);
			}),
		);
	});

	test("of any text are folded, and each is one word when it is read again", () => {
		fc.assert(
			fc.property(fc.string({ unit: "binary", maxLength: 40 }), (text) => {
				for (const word of words(text)) {
					expect(fold(word)).toBe(word);
					expect(words(word)).toEqual([word]);
				}
			}),
			{ numRuns: 2000 },
		);
	});
});

describe("words of a long text", () => {
	const units = fc.constantFrom(
		..."a é e\u0301 Ω ß 東 か\u3099 한 ᄀ\u1161 हि กิ 👩‍💻 🇩🇪 9 x-y \u0301 \u200d . # \n".split(" "),
		" ",
		"long".repeat(4000),
		"\u{1d165}",
	);

	test("are the same in steps as at once", () => {
		fc.assert(
			fc.property(fc.array(units, { minLength: 1, maxLength: 40 }), fc.nat(60), (parts, shift) => {
				const unit = parts.join("");
				const text = "y".repeat(shift) + unit.repeat(Math.ceil(20_000 / unit.length));
				const found: string[] = [];
				for (const _ of eachWord(text, (word) => found.push(word)));
				expect(found).toEqual(words(text));
			}),
			{ numRuns: 150 },
		);
	});

	test("are read in steps, and so are tags", () => {
		for (const unit of ["a ", "東", "é ", "#a "]) {
			let count = 0;
			const text = unit.repeat(200_000);
			expect([...eachWord(text, () => count++)].length, unit).toBeGreaterThan(20);
			expect(count).toBe(200_000);
		}
		expect([...eachTag("#a ".repeat(200_000), () => {})].length).toBeGreaterThan(100);
	});

	test("are one word if the text is one word", () => {
		const found: string[] = [];
		for (const _ of eachWord("É".repeat(1_000_000), (word) => found.push(word)));
		expect(found).toEqual(["e".repeat(1_000_000)]);
	});
});

describe("tags", () => {
	test.each([
		["#work and @Anna", ["#work", "@Anna"]],
		["(#a) «#b», #c. -#d", ["#a", "#b", "#c", "#d"]],
		[
			"#home/garden #to-do #snake_case #_private #2026",
			["#home/garden", "#to-do", "#snake_case", "#_private", "#2026"],
		],
		["#end- #end/ #end_ #a--b", ["#end", "#end", "#end", "#a--b"]],
		["#Ärger #仕事 ＃全角", ["#Ärger", "#仕事", "＃全角"]],
		["a#b mail@example.org C# 5# x@", []],
		["# @ #- #! ##", []],
		["##double", ["#double"]],
		["#a#b", ["#a"]],
		["line\n#next", ["#next"]],
		["https://example.org/#top http://x.org/@me/?#q", []],
		["see https://example.org/#top #real", ["#real"]],
		["🎉#no", []],
	])("of %j are %j", (text, expected) => {
		expect(tags(text)).toEqual(expected);
	});

	test("isTag accepts only a whole tag", () => {
		for (const text of ["#work", "@a/b", "#_x"]) expect(isTag(text), text).toBe(true);
		for (const text of ["work", "#", "#a b", "#a!", "#a-", " #a", "#a#b", "", "x#a"]) {
			expect(isTag(text), text).toBe(false);
		}
	});
});

test("reads a very long text of any kind in linear time", () => {
	for (const unit of [
		"#",
		"#_",
		"#a_",
		"_",
		"-",
		"a",
		"#a-",
		"http://",
		"https:",
		"@#/",
		"e\u0301",
		"東",
		"ก่",
		"\u094d\u093c",
	]) {
		const text = unit.repeat(Math.ceil(200_000 / unit.length));
		expect(words(text).length + tags(text).length).toBeGreaterThanOrEqual(0);
	}
});
