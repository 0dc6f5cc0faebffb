import type { Buffer } from "node:buffer";
import type { Steps } from "../../src/pace.js";

/** The approximate number of bytes to parse at once. */
const usualSize = 1 << 20;

/** The number of bytes to look through without a pause. */
const lookSize = 1 << 20;

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const listStart = 0x5b;
const backslash = 0x5c;
const listEnd = 0x5d;
const letterU = 0x75;
const objectStart = 0x7b;
const objectEnd = 0x7d;

/**
 * Parses a range of bytes like `JSON.parse`, one part at a time. It never makes a string of the whole range,
 * so the range may be longer than a string can be. A range that is longer than one part must come from
 * `JSON.stringify`, without white space.
 *
 * @param size - the most bytes of a part; at least 8
 * @throws SyntaxError
 */
export function* parseJson(bytes: Buffer, size = usualSize, start = 0, end = bytes.length): Steps<unknown> {
	if (end - start <= size) return JSON.parse(bytes.toString("utf8", start, end));
	yield;
	switch (bytes[start]) {
		case quote:
			return yield* parseText(bytes, size, start, end);
		case listStart:
			return yield* parseList(bytes, size, start, end);
		case objectStart:
			return yield* parseObject(bytes, size, start, end);
		default:
			return JSON.parse(bytes.toString("utf8", start, end));
	}
}

function* parseObject(bytes: Buffer, size: number, start: number, end: number): Steps<unknown> {
	const members: [string, unknown][] = [];
	for (let at = start + 1; ; at += 1) {
		const nameEnd = yield* valueEnd(bytes, at, end);
		const name = yield* parseJson(bytes, size, at, nameEnd);
		if (typeof name !== "string" || bytes[nameEnd] !== colon) throw unexpected(nameEnd);
		const memberEnd = yield* valueEnd(bytes, nameEnd + 1, end);
		members.push([name, yield* parseJson(bytes, size, nameEnd + 1, memberEnd)]);
		at = memberEnd;
		if (bytes[at] === objectEnd && at + 1 === end) return Object.fromEntries(members);
		if (bytes[at] !== comma) throw unexpected(at);
	}
}

/** Parses light elements together, because one call for each would take longer than the rest. */
function* parseList(bytes: Buffer, size: number, start: number, end: number): Steps<unknown[]> {
	const elements: unknown[] = [];
	/** The offset of the first light element that isn't parsed yet. `light` is their number. */
	let first = start + 1;
	let light = 0;
	const parseLight = (lightEnd: number) => {
		if (light === 0) return;
		const parsed: unknown[] = JSON.parse(`[${bytes.toString("utf8", first, lightEnd)}]`);
		if (parsed.length !== light) throw unexpected(first);
		for (const element of parsed) elements.push(element);
		light = 0;
	};
	for (let at = first; ; at += 1) {
		const elementEnd = yield* valueEnd(bytes, at, end);
		if (elementEnd - first > size) {
			parseLight(at - 1);
			first = at;
			yield;
		}
		if (elementEnd - at > size) {
			elements.push(yield* parseJson(bytes, size, at, elementEnd));
			first = elementEnd + 1;
		} else light += 1;
		at = elementEnd;
		if (bytes[at] === listEnd && at + 1 === end) {
			parseLight(at);
			return elements;
		}
		if (bytes[at] !== comma) throw unexpected(at);
	}
}

function* parseText(bytes: Buffer, size: number, start: number, end: number): Steps<string> {
	let text = "";
	for (let at = start + 1; at < end - 1; ) {
		const partEnd = at + size < end - 1 ? wholeUpTo(bytes, at, at + size) : end - 1;
		text += JSON.parse(`"${bytes.toString("utf8", at, partEnd)}"`);
		at = partEnd;
		yield;
	}
	return text;
}

/**
 * Returns the last offset after `start` and up to `end` that is neither within a character nor within an
 * escape.
 */
function wholeUpTo(bytes: Buffer, start: number, end: number): number {
	let at = end;
	while ((bytes[at]! & 0xc0) === 0x80) at -= 1;
	// The longest escape has six bytes, and a run of escaped backslashes may come before it.
	for (let from = Math.max(start, at - 6); from < at; from++) {
		if (bytes[from] !== backslash) continue;
		let run = from;
		while (run > start && bytes[run - 1] === backslash) run -= 1;
		// In a run of backslashes, every second one begins an escape.
		const begins = (from - run) % 2 === 0;
		if (begins && from + (bytes[from + 1] === letterU ? 6 : 2) > at) return from;
	}
	return at;
}

/** Returns the end of the value, of at least a byte, that begins at `start`. */
function* valueEnd(bytes: Buffer, start: number, end: number): Steps<number> {
	const look: Look = { at: start, depth: 0, inText: false, ended: false };
	for (;;) {
		lookOn(bytes, look, Math.min(look.at + lookSize, end));
		if (look.ended) break;
		if (look.at >= end) throw unexpected(end);
		yield;
	}
	if (look.at === start) throw unexpected(start);
	return look.at;
}

/** The progress of looking through a value. */
interface Look {
	at: number;
	/** The number of lists and objects that are open. */
	depth: number;
	inText: boolean;
	/** Whether `at` is the end of the value. */
	ended: boolean;
}

/** Looks for the end of a value. It is no generator, because it would take three times as long in one. */
function lookOn(bytes: Buffer, look: Look, end: number): void {
	let { at, depth, inText, ended } = look;
	for (; at < end && !ended; at++) {
		const byte = bytes[at];
		if (inText) {
			if (byte === backslash) at += 1;
			else if (byte === quote) {
				inText = false;
				ended = depth === 0;
			}
		} else if (byte === quote) inText = true;
		else if (byte === objectStart || byte === listStart) depth += 1;
		else if (byte === objectEnd || byte === listEnd) {
			// Nothing is open within the value, so this closes the list or object around it.
			if (depth === 0) break;
			depth -= 1;
			ended = depth === 0;
		} else if (depth === 0 && (byte === comma || byte === colon)) break;
	}
	look.ended = ended || (at < end && !inText);
	look.at = at;
	look.depth = depth;
	look.inText = inText;
}

function unexpected(at: number): SyntaxError {
	return new SyntaxError(`the JSON is not as expected at byte ${at}`);
}
