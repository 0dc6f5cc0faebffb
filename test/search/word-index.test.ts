import { expect, test } from "vitest";
import { type Indexed, WordIndex } from "../../src/search/word-index.js";

/** The slots that a sequence of words is found at. */
function found(index: WordIndex<Indexed>, words: readonly string[], lastIsPrefix = false): number[] {
	const scores = new Float64Array(index.slots().length);
	index.score({ words, lastIsPrefix }, false, scores);
	return [...scores.keys()].filter((slot) => scores[slot]! > 0 && index.slots()[slot] === 1);
}

test("a sequence doesn't go on beyond the last text", () => {
	const index = new WordIndex<Indexed>();
	index.put({ slot: -1 }, ["first"], []);
	index.put({ slot: -1 }, ["last"], []);
	expect(found(index, ["last", "first"])).toEqual([]);
	expect(found(index, ["last", "fi"], true)).toEqual([]);
	expect(found(index, ["last"])).toEqual([1]);
});

test("a node keeps its slot as long as its words stay the same", () => {
	const index = new WordIndex<Indexed>();
	const node = { slot: -1 };
	index.put(node, ["a", "b"], ["c"]);
	index.put(node, ["a", "b"], ["c"]);
	expect(node.slot).toBe(0);
	index.put(node, ["a"], ["b", "c"]);
	expect(node.slot).toBe(1);
	index.remove(node);
	index.remove(node);
	expect([...index.slots()]).toEqual([0, 0]);
});

test("the index is written anew once the dead outnumber the living, and not more often", () => {
	const index = new WordIndex<Indexed>();
	const nodes = Array.from({ length: 600 }, (_, number) => ({ slot: -1, number }));
	for (const node of nodes) index.put(node, [`w${node.number}`], []);
	const lengths = [index.slots().length];
	for (let change = 0; change < 6000; change++) {
		index.put(nodes[change % 600]!, [`w${change}`], []);
		lengths.push(index.slots().length);
	}
	expect(Math.max(...lengths)).toBeLessThan(1300);
	const shrunk = lengths.filter((length, place) => length < lengths[place - 1]!).length;
	expect(shrunk).toBeGreaterThan(5);
	expect(shrunk).toBeLessThan(15);
	expect(found(index, ["w5999"])).toEqual([nodes[599]!.slot]);
	expect(found(index, ["w5399"])).toEqual([]);
});
