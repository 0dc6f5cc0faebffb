import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jsonPieces } from "../../../adapters/file/json-pieces.js";
import { parseJson } from "../../../adapters/file/json-reader.js";
import { finished } from "../../../src/pace.js";

/** Texts with every kind of character that JSON and UTF-8 write in more than one byte. */
const text = fc
	.array(fc.constantFrom("a", '"', "\\", "\n", "\u0001", "\u007f", "ä", "漢", "\u2028", "🌲", "{", "]", ","), {
		maxLength: 60,
	})
	.map((characters) => characters.join(""));

/** Values as in lines: objects and lists within each other. */
const { value } = fc.letrec((tie) => ({
	value: fc.oneof({ depthSize: "small" }, fc.integer(), fc.constant(null), text, tie("list"), tie("object")),
	list: fc.array(tie("value"), { maxLength: 12 }),
	object: fc.dictionary(fc.oneof(text, fc.constant("__proto__")), tie("value"), { maxKeys: 8 }),
}));

const size = fc.integer({ min: 8, max: 40 });

describe("JSON in pieces", () => {
	test("equals the result of JSON.stringify, wherever the pieces end", () => {
		const property = fc.property(value, size, (each, pieceSize) => {
			expect([...jsonPieces(each, pieceSize)].join("")).toBe(JSON.stringify(each));
		});
		fc.assert(property, { seed: 1, numRuns: 400 });
	});

	test("encodes to the same bytes piece by piece", () => {
		const property = fc.property(text, size, (each, pieceSize) => {
			const pieces = Array.from(jsonPieces([each, each], pieceSize), (piece) => Buffer.from(piece));
			expect(Buffer.concat(pieces).toString()).toBe(JSON.stringify([each, each]));
		});
		fc.assert(property, { seed: 2, numRuns: 400 });
	});

	test("has no piece much longer than the given size, except for long numbers", () => {
		const long = [
			"x".repeat(5_000),
			Array.from({ length: 900 }, (_, number) => number),
			{ note: "\u0001".repeat(900) },
		];
		for (const piece of jsonPieces(long, 50)) expect(piece.length).toBeLessThan(6 * 50 + 20);
	});

	test("reads the elements of a list only when it makes their piece, and leaves out undefined members", () => {
		let taken = 0;
		function* list() {
			for (; taken < 1_000; taken++) yield { id: taken, note: undefined };
		}
		const pieces = jsonPieces({ list: list(), nothing: undefined }, 64);
		let text = "";
		for (let piece = pieces.next(); !piece.done; piece = pieces.next()) {
			text += piece.value;
			expect(taken).toBeLessThanOrEqual(text.split("{").length + 16);
		}
		expect(text).toBe(JSON.stringify({ list: Array.from({ length: 1_000 }, (_, id) => ({ id })) }));
	});
});

/** Parses in parts of this many bytes. */
function parsed(json: string, partSize: number): unknown {
	return finished(parseJson(Buffer.from(json), partSize));
}

describe("JSON parsed in parts", () => {
	test("equals the result of JSON.parse, wherever the parts end", () => {
		const property = fc.property(value, size, (each, partSize) => {
			const json = JSON.stringify(each);
			expect(parsed(json, partSize)).toEqual(JSON.parse(json));
		});
		fc.assert(property, { seed: 3, numRuns: 400 });
	});

	test("may have escapes of all kinds, which no part cuts", () => {
		const escaped = String.raw`\\\\\\\\\\\\\\\"\u00e4\ud83c\udf32\n\/ \u005c\u0022`;
		for (let partSize = 8; partSize < 40; partSize++) {
			for (let before = 0; before < 12; before++) {
				const json = `["${"a".repeat(before)}${escaped.repeat(4)}"]`;
				expect(parsed(json, partSize), json).toEqual(JSON.parse(json));
			}
		}
	});

	test("throws for invalid JSON, like JSON.parse, and if its end is missing", () => {
		const json = JSON.stringify({ list: [1, { a: "x".repeat(30) }, "y"], text: "z".repeat(50), last: null });
		const isRefused = (text: string, partSize: number) => {
			try {
				parsed(text, partSize);
				return false;
			} catch (error) {
				expect(error).toBeInstanceOf(SyntaxError);
				return true;
			}
		};
		for (let at = 0; at < json.length; at++) {
			for (const change of ["", '"', "}", "]", ",", ":", "\\", "x", "\n"]) {
				const changed = json.slice(0, at) + change + json.slice(at + 1);
				expect(isRefused(changed, 20), changed).toBe(isRefused(changed, 1_000));
			}
			expect(isRefused(json.slice(0, at), 8)).toBe(true);
		}
	});
});
