import { Buffer } from "node:buffer";
import { crc32 } from "node:zlib";
import { OutlineError } from "../../src/errors.js";
import type { Steps } from "../../src/pace.js";
import { parseJson } from "./json-reader.js";

/** The byte that ends a line. */
export const newline = 10;

const crcPrefix = '{"crc32":"';
const noChecksum = "00000000";

/** The offset of the members of a line, after `{"crc32":"01234567",`. */
export const crcLength = crcPrefix.length + 10;

/** The minimum number of characters to encode at once. */
const pieceSize = 1 << 16;

/** The number of bytes whose checksum is computed without a pause. */
const lookSize = 1 << 20;

/**
 * Makes a line, with its newline, from the pieces of an object's JSON.
 *
 * @param limit - the most bytes of the line, without its newline
 * @throws `too_large` if it would have more
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
		// The object's opening brace comes before the checksum.
		text += buffers.length === 0 && text === "" ? `${crcPrefix}${noChecksum}",${piece.slice(1)}` : piece;
	}
	add(`${text}\n`, 1);
	buffers[0]!.write(hex(crc), crcPrefix.length, "latin1");
	return buffers;
}

/** Makes a line, with its newline, from an object's short JSON. */
export function shortLine(json: string): Buffer {
	const bytes = Buffer.from(`${crcPrefix}${noChecksum}",${json.slice(1)}\n`);
	bytes.write(hex(crc32(bytes.subarray(crcLength, bytes.length - 1))), crcPrefix.length, "latin1");
	return bytes;
}

/** Whether the checksum of a line, given without its newline, is right. */
export function* isWhole(line: Buffer): Steps<boolean> {
	if (line.length <= crcLength || line.toString("latin1", 0, crcPrefix.length) !== crcPrefix) return false;
	let crc = 0;
	for (let at = crcLength; at < line.length; at += lookSize) {
		if (at > crcLength) yield;
		crc = crc32(line.subarray(at, at + lookSize), crc);
	}
	return line.toString("latin1", crcPrefix.length, crcPrefix.length + noChecksum.length) === hex(crc);
}

/** Parses a whole line and returns its object. @throws SyntaxError, RangeError */
export function* contentOf(line: Buffer): Steps<unknown> {
	return yield* parseJson(line);
}

/** Returns the next offset at which a line may begin; negative if there is none. */
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
