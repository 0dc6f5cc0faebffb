import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { finished } from "../../../../src/pace.js";
import { Integers } from "../../../../src/read/search/integers.js";
import { type Indexed, WordIndex } from "../../../../src/read/search/word-index.js";

interface Text {
	readonly name: string;
	readonly note: string;
}

function indexOf(texts: readonly Text[]): WordIndex<Indexed> {
	const index = new WordIndex<Indexed>();
	for (const { name, note } of texts) finished(index.put({ slot: -1 }, name, note));
	return index;
}

/**
 * Returns the best strength of each slot for a sequence. Whole words count 4 in the name and 3 in the note,
 * and word starts 2 and 1.
 */
function naive(texts: readonly Text[], asked: readonly string[], lastIsPrefix: boolean, inNote: boolean): number[] {
	const best = (text: string, exact: number, prefix: number) => {
		const words = text.split(" ").filter((word) => word !== "");
		const answers = words.map((_, start) => {
			const there = words.slice(start, start + asked.length);
			if (there.length < asked.length || asked.some((word, at) => at < asked.length - 1 && word !== there[at]))
				return 0;
			if (there.at(-1) === asked.at(-1)) return exact;
			return lastIsPrefix && there.at(-1)!.startsWith(asked.at(-1)!) ? prefix : 0;
		});
		return Math.max(0, ...answers);
	};
	return texts.map(({ name, note }) => Math.max(inNote ? 0 : best(name, 4, 2), best(note, 3, 1)));
}

const text = fc.array(fc.constantFrom("a", "a", "ab", "abc", "b"), { maxLength: 14 }).map((words) => words.join(" "));
const texts = fc.array(fc.record({ name: text, note: text }), { minLength: 1, maxLength: 6 });
const sequence = fc.array(fc.constantFrom("a", "a", "ab", "b", "zz"), { minLength: 1, maxLength: 5 });

test("finds repeated words like a naive search, in all texts and in some", () => {
	fc.assert(
		fc.property(texts, sequence, fc.boolean(), fc.boolean(), (texts, words, lastIsPrefix, inNote) => {
			const search = indexOf(texts).search({ words, lastIsPrefix }, inNote);
			const expected = naive(texts, words, lastIsPrefix, inNote);
			const everywhere = texts.map(() => 0);
			finished(
				search.everywhere((slot, strength) => {
					everywhere[slot] = Math.max(everywhere[slot]!, strength);
				}),
			);
			expect(everywhere).toEqual(expected);
			const slots = new Integers();
			for (const slot of texts.keys()) slots.push(slot);
			const among = texts.map(() => 0);
			finished(
				search.among(slots, (slot, strength) => {
					among[slot] = Math.max(among[slot]!, strength);
				}),
			);
			expect(among).toEqual(expected);
		}),
		{ numRuns: 2000 },
	);
});

describe("the cost of a search", () => {
	const count = 200_000;
	const index = indexOf([
		{ name: "", note: "a ".repeat(count) },
		{ name: "a needle", note: "" },
		{ name: "need", note: "" },
	]);
	const stepsOf = (words: readonly string[], lastIsPrefix: boolean) => {
		const search = index.search({ words, lastIsPrefix }, false);
		const slots = new Integers();
		slots.push(0);
		return [search.everywhere(() => {}), search.among(slots, () => {})].map((steps) => [...steps].length);
	};
	const repeated = (times: number) => Array.from({ length: times }, () => "a");

	test("is linear in the text for a phrase of a repeated word", () => {
		for (const lastIsPrefix of [true, false]) {
			for (const length of [1, 2, 500]) {
				for (const steps of stepsOf(repeated(length), lastIsPrefix)) expect(steps, `${length}`).toBeLessThan(200);
				for (const steps of stepsOf([...repeated(length), "b"], lastIsPrefix)) expect(steps).toBeLessThan(200);
			}
			expect(stepsOf(repeated(500), lastIsPrefix)[0]).toBeGreaterThan(20);
		}
	});

	test("depends on its rarest word, wherever that is in the sequence", () => {
		for (const words of [["needle"], ["a", "needle"], ["needle", "a"], ["a", "a", "needle"]]) {
			const search = index.search({ words, lastIsPrefix: false }, false);
			expect(finished(search.cost(count)), words.join(" ")).toBe(1);
			expect([...search.everywhere(() => {})], words.join(" ")).toHaveLength(0);
		}
		const prefix = index.search({ words: ["a", "nee"], lastIsPrefix: true }, false);
		expect(finished(prefix.cost(count))).toBe(2);
		expect([...prefix.everywhere(() => {})]).toHaveLength(0);
	});

	test("is zero if a word is unknown", () => {
		for (const words of [["zz"], ["zz", "a"], ["a", "zz"]]) {
			const search = index.search({ words, lastIsPrefix: true }, false);
			expect([search.floor, finished(search.cost(count)), ...search.everywhere(() => {})]).toEqual([0, 0]);
		}
	});

	test("is only computed up to the limit", () => {
		const wide = indexOf(Array.from({ length: 30_000 }, (_, number) => ({ name: `w${number}`, note: "" })));
		const search = wide.search({ words: ["w"], lastIsPrefix: true }, false);
		expect(search.floor).toBe(30_000);
		expect([...search.cost(100)]).toHaveLength(0);
		expect(finished(search.cost(100))).toBe(101);
	});
});
