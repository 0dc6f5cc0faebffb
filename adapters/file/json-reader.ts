import type { Buffer } from "node:buffer";
import type { Steps } from "../../src/pace.js";

/** The number of bytes that are parsed at once, about. */
const usualSize = 1 << 20;

/** The number of bytes that are looked through without a pause. */
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
 * Parses a range of bytes as `JSON.parse` does, a part at a time: no text of the whole range is made, so that it may be longer
 * than a text can be. A range that is longer than one part must have been made by `JSON.stringify`, without white space.
 *
 * @param size - the number of bytes of a part, at most; at least 8
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

/** Parses light elements together: one call for each would take longer than the rest. */
function* parseList(bytes: Buffer, size: number, start: number, end: number): Steps<unknown[]> {
	const elements: unknown[] = [];
	/** Where the light elements begin that aren't parsed, and how many there are. */
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

/** The last place up to `end`, and behind `start`, that is neither within a character nor within an escape. */
function wholeUpTo(bytes: Buffer, start: number, end: number): number {
	let at = end;
	while ((bytes[at]! & 0xc0) === 0x80) at -= 1;
	// The longest escape has six bytes, and a run of escaped backslashes may come before it.
	for (let from = Math.max(start, at - 6); from < at; from++) {
		if (bytes[from] !== backslash) continue;
		let run = from;
		while (run > start && bytes[run - 1] === backslash) run -= 1;
		// Of a run, each second one begins an escape.
		const begins = (from - run) % 2 === 0;
		if (begins && from + (bytes[from + 1] === letterU ? 6 : 2) > at) return from;
	}
	return at;
}

/** Returns where the value ends that begins at a place: it has at least a byte. */
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

/** How far a value has been looked through. */
interface Look {
	at: number;
	/** How many lists and objects are open. */
	depth: number;
	inText: boolean;
	/** Whether `at` is where the value ends. */
	ended: boolean;
}

/** Looks for the end of a value. Not a generator, in which this would take three times as long. */
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
			// With nothing open, it is the end of what the value stands in.
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
