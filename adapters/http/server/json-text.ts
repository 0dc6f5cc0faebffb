/** A JSON text that has more characters than this is sent in pieces. */
export const wholeLength = 1_048_576;

/** A piece of a text has about as many characters, UTF-16 code units, which in most outlines are as many bytes. */
export const pieceLength = 65_536;

/** Longer lists have their items made when they are written. */
const longestList = 1000;

/** A list whose items are made when they are written, so that they aren't all held for a reader that is slow. */
class LongList<T> {
	constructor(
		readonly items: readonly T[],
		readonly make: (item: T) => unknown,
	) {}

	*[Symbol.iterator](): Generator<unknown, void, undefined> {
		for (const item of this.items) yield this.make(item);
	}
}

/** A list in an answer, with a value made from each item. */
export function listOf<T>(items: readonly T[], make: (item: T) => unknown): Iterable<unknown> {
	return items.length > longestList ? new LongList(items, make) : items.map(make);
}

/** Whether a value has about at most so many characters as JSON. Looks no further than it must. */
export function fitsIn(value: unknown, most: number): boolean {
	return roomLeft(value, most) >= 0;
}

/** About how many characters fewer than `room` a value has as JSON; less than 0 if it has more. */
function roomLeft(value: unknown, room: number): number {
	if (typeof value === "string") return room - value.length - 2;
	if (typeof value !== "object" || value === null) return room - 8;
	if (value instanceof LongList) return -1;
	let left = room - 2;
	if (Array.isArray(value)) {
		for (let at = 0; at < value.length && left >= 0; at++) left = roomLeft(value[at], left - 1);
		return left;
	}
	for (const name in value) {
		left = roomLeft((value as { [name: string]: unknown })[name], left - name.length - 4);
		if (left < 0) break;
	}
	return left;
}

/** The JSON text of a value in short pieces, however long its lists and texts are. */
export function* jsonPieces(value: unknown): Generator<string, void, undefined> {
	if (fitsIn(value, pieceLength)) yield JSON.stringify(value);
	else if (typeof value === "string") yield* piecesOfText(value);
	else if (Array.isArray(value) || value instanceof LongList) yield* piecesOfList(value);
	else yield* piecesOfObject(value as { readonly [name: string]: unknown });
}

function* piecesOfList(list: Iterable<unknown>): Generator<string, void, undefined> {
	let text = "[";
	let separator = "";
	for (const item of list) {
		text += separator;
		separator = ",";
		if (fitsIn(item, pieceLength)) {
			text += JSON.stringify(item);
			if (text.length < pieceLength) continue;
			yield text;
		} else {
			yield text;
			yield* jsonPieces(item);
		}
		text = "";
	}
	yield `${text}]`;
}

function* piecesOfObject(value: { readonly [name: string]: unknown }): Generator<string, void, undefined> {
	let separator = "{";
	for (const [name, member] of Object.entries(value)) {
		if (member === undefined) continue;
		yield `${separator}${JSON.stringify(name)}:`;
		separator = ",";
		yield* jsonPieces(member);
	}
	yield separator === "{" ? "{}" : "}";
}

function* piecesOfText(text: string): Generator<string, void, undefined> {
	yield '"';
	for (let start = 0, end = 0; start < text.length; start = end) {
		end = start + pieceLength;
		// Halves of a character would be written apart.
		if (isLowSurrogate(text.charCodeAt(end))) end += 1;
		yield JSON.stringify(text.slice(start, end)).slice(1, -1);
	}
	yield '"';
}

function isLowSurrogate(code: number): boolean {
	return code >= 0xdc00 && code <= 0xdfff;
}
