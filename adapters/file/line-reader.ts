import { Buffer } from "node:buffer";
import { finished, paced, type Steps } from "../../src/pace.js";
import { readAt } from "./file-bytes.js";
import type { FileHandle } from "./file-system.js";
import { contentOf, isWhole, lineStart, newline } from "./line.js";

/** The number of bytes from which on a line is handled in steps. */
const longLine = 1 << 20;

/** The fewest bytes to ask for: the file may be longer than it was, and its end must show. */
const leastRead = 1 << 12;

/** The most bytes of a line that is read. No release writes lines of nearly this length. */
const readLimit = 2 ** 31;

/** A line of a file. */
export interface Line {
	/** The bytes without the newline. */
	readonly bytes: Buffer;
	/** The offset of its first byte in the file. */
	readonly at: number;
	/** Whether it ends with a newline and its checksum is right. */
	readonly whole: boolean;
}

/**
 * Reads the lines of a file of about `size` bytes. @throws RangeError for a line that is longer than memory
 * can hold; the system's errors
 */
export async function* readLines(handle: FileHandle, size: number): AsyncGenerator<Line, void, undefined> {
	// A host may open thousands of small files. A large buffer for each would be mostly work for the garbage
	// collector.
	const readFrom = (position: number) => readAt(handle, position, Math.max(size - position, leastRead));
	let pieces: Buffer[] = [];
	let at = 0;
	let reading = readFrom(0);
	for (let position = 0; ; ) {
		const chunk = await reading;
		if (chunk.length === 0) break;
		// The system reads on while these lines are handled.
		reading = readFrom(position + chunk.length);
		reading.catch(() => {});
		let start = 0;
		for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
			pieces.push(chunk.subarray(start, end));
			const bytes = pieces.length === 1 ? pieces[0]! : await inSlices(position + end - at, joined(pieces));
			yield { bytes, at, whole: await inSlices(bytes.length, isWhole(bytes)) };
			pieces = [];
			start = end + 1;
			at = position + start;
		}
		position += chunk.length;
		if (start < chunk.length) pieces.push(chunk.subarray(start));
		// No header is that long, so it is another large file, and its rest needn't be read.
		if (at === 0) break;
		if (position - at > readLimit) throw new RangeError(`a line of more than ${readLimit} bytes`);
	}
	if (pieces.length > 0) yield { bytes: await paced(joined(pieces)), at, whole: false };
}

/** Parses a whole line and returns its object. @throws SyntaxError, RangeError */
export function contentOfLine({ bytes }: Line): Promise<unknown> | unknown {
	return inSlices(bytes.length, contentOf(bytes));
}

/**
 * Yields the objects of all whole lines that begin anywhere in the bytes of a line. A line may follow a half
 * of another one.
 */
export async function* contentsWithin({ bytes }: Line): AsyncGenerator<unknown, void, undefined> {
	for (let start = lineStart(bytes, 0); start >= 0; start = lineStart(bytes, start + 1)) {
		const line = bytes.subarray(start);
		if (await inSlices(line.length, isWhole(line))) yield await inSlices(line.length, contentOf(line));
	}
}

/** Runs the work at once if it concerns few bytes, else in steps. */
function inSlices<T>(size: number, work: Steps<T>): Promise<T> | T {
	return size > longLine ? paced(work) : finished(work);
}

function* joined(pieces: readonly Buffer[]): Steps<Buffer> {
	const bytes = Buffer.allocUnsafe(pieces.reduce((size, { length }) => size + length, 0));
	let at = 0;
	for (const piece of pieces) {
		bytes.set(piece, at);
		at += piece.length;
		yield;
	}
	return bytes;
}
