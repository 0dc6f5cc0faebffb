import { expect, test } from "vitest";
import { merged } from "../../examples/outliner/src/text/merging.js";

test.each([
	["each edit stays where it was made", "one two three", "one 2 two three", "one two three!", "one 2 two three!"],
	["what comes first may be theirs", "one two three", "one two three!", "one 2 two three", "one 2 two three!"],
	["what one alone has changed is what it is now", "abc", "abc", "aXc", "aXc"],
	["what both have done alike is done once", "abc", "abXc", "abXc", "abXc"],
	["of what is written at one place, what is mine comes first", "a ", "a mine", "a theirs", "a minetheirs"],
	["what one deletes is gone, and what the other writes beside it is there", "one two", "two", "one two!", "two!"],
	["what both rewrite is there in either form", "the cat sat", "the dog sat", "the cow sat", "the dogcow sat"],
	["so is what one rewrites more of", "the cat sat", "the dog sat", "the mice sit", "the dog samice sit"],
	["edits at several places stay apart", "mb the middle", "mbX the middle", "amb the middle!", "ambX the middle!"],
	["tags stay whole", "a b", "a <b>b</b>", "a b <i>c</i>", "a <b>b</b> <i>c</i>"],
	["so do characters that are written by a name, and those of two units", "&lt;", "&amp;", "😀&lt;", "😀&amp;"],
])("%s", (_, before, mine, theirs, both) => {
	expect(merged(before, mine, theirs)).toBe(both);
});

test("of what two type into a text, none is lost", () => {
	let seed = 7;
	const random = (below: number) => {
		seed = (seed * 1103515245 + 12345) % 2147483648;
		return seed % below;
	};
	for (let round = 0; round < 500; round++) {
		const before = "abcdefgh".slice(0, random(9));
		const typed = (letters: string) => {
			const at = random(before.length + 1);
			return before.slice(0, at) + letters + before.slice(at);
		};
		const both = merged(before, typed("123"), typed("456"));
		expect([...both].sort().join("")).toBe(`123456${before}`);
		expect(both).toContain("123");
		expect(both).toContain("456");
	}
});

test("of what two type at several places each, none is lost or there twice", () => {
	let seed = 11;
	const random = (below: number) => {
		seed = (seed * 1103515245 + 12345) % 2147483648;
		return seed % below;
	};
	const before = "the quick brown fox jumps over the lazy dog";
	for (let round = 0; round < 500; round++) {
		const typed = (letters: string) => {
			let text = before;
			for (const letter of letters) {
				const at = random(text.length + 1);
				text = text.slice(0, at) + letter + text.slice(at);
			}
			return text;
		};
		const both = [...merged(before, typed("123"), typed("456"))];
		for (const letter of "123456") expect(both.filter((each) => each === letter)).toHaveLength(1);
		expect(both.length).toBeLessThan(before.length + 20);
	}
});
