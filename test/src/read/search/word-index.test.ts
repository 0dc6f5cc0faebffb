import { expect, test } from "vitest";
import { finished } from "../../../../src/pace.js";
import { type Indexed, WordIndex } from "../../../../src/read/search/word-index.js";

function put(index: WordIndex<Indexed>, node: Indexed, name: string, note = ""): void {
	finished(index.put(node, name, note));
}

function remove(index: WordIndex<Indexed>, node: Indexed): void {
	for (const _ of index.remove(node));
}

/** Returns the slots that contain a sequence of words. */
function found(index: WordIndex<Indexed>, words: readonly string[], lastIsPrefix = false): number[] {
	const slots = new Set<number>();
	finished(index.search({ words, lastIsPrefix }, false).everywhere((slot) => slots.add(slot)));
	return [...slots].filter((slot) => index.node(slot) !== undefined).sort();
}

test("a sequence doesn't continue after the last text", () => {
	const index = new WordIndex<Indexed>();
	put(index, { slot: -1 }, "first");
	put(index, { slot: -1 }, "last");
	expect(found(index, ["last", "first"])).toEqual([]);
	expect(found(index, ["last", "fi"], true)).toEqual([]);
	expect(found(index, ["last"])).toEqual([1]);
});

test("a node keeps its slot while its words stay the same", () => {
	const index = new WordIndex<Indexed>();
	const node = { slot: -1 };
	put(index, node, "a b", "c");
	put(index, node, "A, b", "c!");
	expect(node.slot).toBe(0);
	expect([index.length(0), index.characters(0)]).toEqual([3, 6]);
	put(index, node, "a", "b c");
	expect(node.slot).toBe(1);
	remove(index, node);
	remove(index, node);
	expect([index.node(0), index.node(1), index.slots]).toEqual([undefined, undefined, 2]);
});

test("rebuilds the index when the dead words outnumber the live ones, and not more often", () => {
	const index = new WordIndex<Indexed>();
	const nodes = Array.from({ length: 600 }, (_, number) => ({ slot: -1, number }));
	for (const node of nodes) put(index, node, `w${node.number}`);
	const lengths = [index.slots];
	for (let change = 0; change < 6000; change++) {
		put(index, nodes[change % 600]!, `w${change}`);
		lengths.push(index.slots);
	}
	expect(Math.max(...lengths)).toBeLessThan(1300);
	const shrunk = lengths.filter((length, place) => length < lengths[place - 1]!).length;
	expect(shrunk).toBeGreaterThan(5);
	expect(shrunk).toBeLessThan(15);
	expect(found(index, ["w5999"])).toEqual([nodes[599]!.slot]);
	expect(found(index, ["w5399"])).toEqual([]);
});

test("indexes and rebuilds long texts in steps", () => {
	const index = new WordIndex<Indexed>();
	const node = { slot: -1 };
	const stepsOf = (note: string) => [...index.put(node, "", note)].length;
	expect(stepsOf("word ".repeat(200_000))).toBeGreaterThan(100);
	expect(index.length(node.slot)).toBe(200_000);
	expect(stepsOf("other ".repeat(100_000))).toBeGreaterThan(80);
	expect(index.slots).toBe(1);
	expect(stepsOf("word ".repeat(100_000))).toBeGreaterThan(60);
	expect(found(index, ["word", "word"])).toEqual([node.slot]);
	expect(found(index, ["other"])).toEqual([]);
});
