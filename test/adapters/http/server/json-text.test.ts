import fc from "fast-check";
import { expect, test } from "vitest";
import { fitsIn, jsonPieces, listOf, pieceLength } from "../../../../adapters/http/server/json-text.js";

/**
 * The longest piece: an almost full one with the longest addition, in the characters with the longest JSON.
 */
const longest = 6 * 2 * pieceLength;

test("the pieces of any value are its JSON", () => {
	fc.assert(
		fc.property(fc.jsonValue({ stringUnit: "binary" }), fc.nat(3), (value, repeated) => {
			const long = { a: value, b: Array.from({ length: 30_000 * repeated }, () => "x"), c: undefined, d: [value, {}] };
			expect([...jsonPieces(long)].join("")).toBe(JSON.stringify(long));
			expect(JSON.parse([...jsonPieces(value)].join(""))).toEqual(JSON.parse(JSON.stringify(value)));
		}),
		{ numRuns: 50 },
	);
});

test("no piece is long, and none ends within a character", () => {
	const texts = ["a", '"', "\u0001", "ä", "🛶", "a🛶"].map((character) => character.repeat(200_000));
	const value = { nodes: texts.map((text) => ({ id: "1", text })), ids: Array.from({ length: 100_000 }, () => "id") };
	const pieces = [...jsonPieces(value)];
	expect(pieces.join("")).toBe(JSON.stringify(value));
	expect(pieces.length).toBeGreaterThan(20);
	for (const piece of pieces) {
		expect(piece.length).toBeLessThan(longest);
		expect(new TextDecoder().decode(new TextEncoder().encode(piece))).toBe(piece);
	}
});

test("fitsIn stops when the value is too long", () => {
	let looked = 0;
	const nodes = Array.from({ length: 100_000 }, () => ({
		get name() {
			looked += 1;
			return "x".repeat(1000);
		},
	}));
	expect(fitsIn({ nodes }, 100_000)).toBe(false);
	expect(looked).toBeLessThan(110);
	expect(fitsIn({ text: "x".repeat(1000) }, 1000)).toBe(false);
	expect(fitsIn({ text: "x".repeat(900) }, 1000)).toBe(true);
	expect(fitsIn(Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`key ${at}`, 1])), 5000)).toBe(false);
	expect(fitsIn({ a: null, b: undefined, c: true }, 100)).toBe(true);
});

test("a long list makes its items when they are written", () => {
	let made = 0;
	const make = (number: number) => {
		made += 1;
		return { number };
	};
	const numbers = Array.from({ length: 50_000 }, (_, number) => number);
	const list = listOf(numbers, make);
	expect([made, fitsIn({ list }, 10_000_000)]).toEqual([0, false]);
	const pieces = jsonPieces({ list });
	for (let piece = pieces.next(); made === 0; piece = pieces.next()) expect(piece.done).toBe(false);
	expect(made).toBeLessThan(10_000);
	expect([...jsonPieces({ list })].join("")).toBe(JSON.stringify({ list: numbers.map((number) => ({ number })) }));
	expect(listOf([1, 2], make)).toEqual([{ number: 1 }, { number: 2 }]);
});
