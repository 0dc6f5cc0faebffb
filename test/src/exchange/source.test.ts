import { describe, expect, test } from "vitest";
import { LineSplitter } from "../../../src/exchange/lines.js";
import { textOf } from "../../../src/exchange/source.js";
import { codeOf } from "../../support/outline.js";
import { bytewise, streamed } from "./files.js";

async function read(source: Parameters<typeof textOf>[0]): Promise<string> {
	let text = "";
	for await (const piece of textOf(source)) text += piece;
	return text;
}

const bytes = (...values: number[]) => Uint8Array.from(values);
const utf16 = (text: string, littleEndian: boolean) => {
	const view = new DataView(new ArrayBuffer(2 * text.length));
	for (let at = 0; at < text.length; at++) view.setUint16(2 * at, text.charCodeAt(at), littleEndian);
	return new Uint8Array(view.buffer);
};
const single = (all: Uint8Array) => streamed(Array.from(all, (byte) => bytes(byte)));
const sample = "a\u00e9\u20ac\u{1f600}\r\n";

describe("a source", () => {
	test("may be text or bytes, whole or split anywhere", async () => {
		expect(await read(sample)).toBe(sample);
		expect(await read(new TextEncoder().encode(sample))).toBe(sample);
		expect(await read(bytewise(sample))).toBe(sample);
		expect(await read(streamed(sample.split("")))).toBe(sample);
		expect(await read(streamed(["", "a", bytes(98), new Uint8Array(), "c"]))).toBe("abc");
		for (const nothing of ["", bytes(), streamed([])]) expect(await read(nothing)).toBe("");
		expect(await read(bytes(97))).toBe("a");
		expect(await read(single(bytes(0xef, 0xbb, 0xbf, 97)))).toBe("a");
		const long = "é".repeat(100_000);
		expect(await read(long)).toBe(long);
		expect(await read(new TextEncoder().encode(long))).toBe(long);
	});

	test("may begin with a byte order mark, which is removed", async () => {
		expect(await read(`\ufeff${sample}`)).toBe(sample);
		expect(await read(streamed(["\ufeff", "\ufeffa"]))).toBe("\ufeffa");
		expect(await read(bytewise(`\ufeff${sample}`))).toBe(sample);
		expect(await read(bytewise("\ufeff\ufeffa"))).toBe("\ufeffa");
		for (const littleEndian of [true, false]) {
			expect(await read(utf16(`\ufeff${sample}`, littleEndian))).toBe(sample);
			expect(await read(single(utf16(`\ufeff${sample}`, littleEndian)))).toBe(sample);
		}
	});

	test.each<[string, number, Uint8Array]>([
		["a byte that begins no character", 2, bytes(97, 10, 98, 0xff)],
		["a truncated character", 3, bytes(97, 13, 10, 98, 13, 0xe2, 0x82, 10, 10)],
		["a file that ends within a character", 2, bytes(97, 10, 0xe2, 0x82)],
		["a continuation byte without a first byte", 1, bytes(97, 0x80, 10, 10)],
		["an unpaired surrogate in UTF-16", 2, utf16("\ufeffa\n\ud800", true)],
	])("%s is refused with its line", async (_, line, all) => {
		for (const source of [all, single(all)]) {
			if (source === all && line === 2 && all[0] === 0xff) continue;
			const error = await read(source).catch((thrown) => thrown);
			expect(error).toMatchObject({ code: "invalid_argument" });
			expect(error.message).toMatch(new RegExp(`^Line ${line}: `));
		}
	});

	test("is refused if it is or yields anything but text and bytes", async () => {
		for (const source of [null, undefined, 1, {}, [1], streamed([1]), streamed([null]), streamed([[1]])]) {
			expect(await codeOf(read(source as never))).toBe("invalid_argument");
		}
	});
});

test("lines end with LF, CRLF or CR, wherever the text is split", () => {
	const text = "a\r\nb\rc\n\n\r\r\n\r";
	const expected = ["a", "b", "c", "", "", "", ""].map((line, index) => [line, index + 1]);
	for (const pieces of [[text], text.split(""), ["a\r", "", "\nb", "\rc\n\n\r", "\r", "\n\r"]]) {
		const lines: [string, number][] = [];
		const splitter = new LineSplitter(100);
		for (const piece of pieces) for (const line of splitter.write(piece)) lines.push([line, splitter.number]);
		for (const line of splitter.end()) lines.push([line, splitter.number]);
		expect(lines).toEqual(expected);
	}
});
