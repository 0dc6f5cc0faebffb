import { Buffer } from "node:buffer";
import { crc32 } from "node:zlib";
import { OutlineError } from "../../src/errors.js";
import type { Steps } from "../../src/pace.js";
import { parseJson } from "./json-reader.js";

/** The byte that ends a line. */
export const newline = 10;

const crcPrefix = '{"crc32":"';
const noChecksum = "00000000";

/** Where the members of a line begin, behind `{"crc32":"01234567",`. */
export const crcLength = crcPrefix.length + 10;

/** The number of characters that are encoded at once, at least. */
const pieceSize = 1 << 16;

/** The number of bytes whose checksum is computed without a pause. */
const lookSize = 1 << 20;

/**
 * Makes a line, its newline included, of an object's JSON, which comes in pieces.
 *
 * @param limit - the most bytes that it may have, its newline aside
 * @throws `too_large` for more
 */
export function* lineOf(json: Iterable<string>, limit: number): Steps<Buffer[]> {
	const buffers: Buffer[] = [];
	let crc = 0;
	let size = 0;
	const add = (text: string, ending: number) => {
		const bytes = Buffer.from(text);
		size += bytes.length - ending;
		if (size > limit) throw tooLarge(limit);
		crc = crc32(bytes.subarray(buffers.length === 0 ? crcLength : 0, bytes.length - ending), crc);
		buffers.push(bytes);
	};
	let text = "";
	for (const piece of json) {
		if (text.length >= pieceSize) {
			add(text, 0);
			text = "";
			yield;
		}
		// The brace that opens the object stands before the checksum.
		text += buffers.length === 0 && text === "" ? `${crcPrefix}${noChecksum}",${piece.slice(1)}` : piece;
	}
	add(`${text}\n`, 1);
	buffers[0]!.write(hex(crc), crcPrefix.length, "latin1");
	return buffers;
}

/** Makes a line, its newline included, of an object's JSON that is short. */
export function shortLine(json: string): Buffer {
	const bytes = Buffer.from(`${crcPrefix}${noChecksum}",${json.slice(1)}\n`);
	bytes.write(hex(crc32(bytes.subarray(crcLength, bytes.length - 1))), crcPrefix.length, "latin1");
	return bytes;
}

/** Whether the checksum of a line is right. The line comes without its newline. */
export function* isWhole(line: Buffer): Steps<boolean> {
	if (line.length <= crcLength || line.toString("latin1", 0, crcPrefix.length) !== crcPrefix) return false;
	let crc = 0;
	for (let at = crcLength; at < line.length; at += lookSize) {
		if (at > crcLength) yield;
		crc = crc32(line.subarray(at, at + lookSize), crc);
	}
	return line.toString("latin1", crcPrefix.length, crcPrefix.length + noChecksum.length) === hex(crc);
}

/** The object that a whole line is. @throws SyntaxError, RangeError */
export function* contentOf(line: Buffer): Steps<unknown> {
	return yield* parseJson(line);
}

/** The place from which on the bytes may be a line; negative if there is none. */
export function lineStart(bytes: Buffer, from: number): number {
	return bytes.indexOf(crcPrefix, from);
}

function hex(crc: number): string {
	return crc.toString(16).padStart(noChecksum.length, "0");
}

function tooLarge(limit: number): OutlineError {
	return new OutlineError(
		"too_large",
		`A commit, or a node by itself, would have more than ${limit} bytes in the file, and might not be read again. ` +
			"Nothing was written. Write it in several commits, or in shorter texts.",
	);
}
