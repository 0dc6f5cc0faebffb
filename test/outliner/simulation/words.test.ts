import { expect, test } from "vitest";
import { Words } from "./words.js";

test("a word that no author removes must be there", () => {
	const words = new Words("c");
	words.changed("a", [[null, "w1a\n"]]);
	expect(words.vanished(["w1a"])).toEqual([]);
	expect(words.vanished(["w2a"])).toEqual(["w1a"]);
});

test("a removal that a device sends late still counts after another device has brought the node back", () => {
	const words = new Words("c");
	words.changed("a", [[null, "w1a\n"]]);
	words.changed("a", [["w1a\n", "\n"]]);
	words.changed("c", [["w1a\n", null]]);
	words.changed("b", [[null, "w1a\n"]]);
	expect(words.vanished([""])).toEqual([]);
});

test("a word that an author writes again must be there, and so must one that the program at the server removed", () => {
	const words = new Words("c");
	words.changed("a", [[null, "w1a w2a\n"]]);
	words.changed("a", [["w1a w2a\n", "w2a\n"]]);
	words.changed("a", [["w2a\n", "w1a w2a\n"]]);
	words.changed("c", [["w1a w2a\n", null]]);
	expect(words.vanished([""])).toEqual([]);
	words.changed("b", [[null, "w1a w2a\n"]]);
	expect(words.vanished([""])).toEqual(["w1a", "w2a"]);
});

test("a half-typed word before another one is no word, and hides none", () => {
	const words = new Words("c");
	words.changed("a", [[null, "w15a\n"]]);
	words.changed("a", [["w15a\n", "w5w15a\n"]]);
	expect(words.vanished(["w5w15a"])).toEqual([]);
	expect(words.vanished(["w51aw15a"])).toEqual([]);
	expect(words.vanished([""])).toEqual(["w15a"]);
});
