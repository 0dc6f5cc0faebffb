/** The server sends a JSON text with more characters than this in pieces. */
export const wholeLength = 1_048_576;

/** The approximate length of a piece, in UTF-16 code units. In most outlines each of them is one byte. */
export const pieceLength = 65_536;

/** A longer list makes its items when it is written. */
const longestList = 1000;

/** A list that makes each item when it is written, so that a slow reader doesn't keep all items in memory. */
class LongList<T> {
	readonly #items: readonly T[];
	readonly #make: (item: T) => unknown;

	constructor(items: readonly T[], make: (item: T) => unknown) {
		this.#items = items;
		this.#make = make;
	}

	*[Symbol.iterator](): Generator<unknown, void, undefined> {
		for (const item of this.#items) yield this.#make(item);
	}
}

/** A list of an answer: a value for each item. */
export function listOf<T>(items: readonly T[], make: (item: T) => unknown): Iterable<unknown> {
	return items.length > longestList ? new LongList(items, make) : items.map(make);
}

/** Whether the JSON of a value has about `most` characters or fewer. Stops as soon as it has more. */
export function fitsIn(value: unknown, most: number): boolean {
	return roomLeft(value, most) >= 0;
}

/** The rest of `room` after the approximate length of a value's JSON; negative if the JSON is longer. */
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

/** The JSON of a value in short pieces, even if its lists and texts are long. */
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
		// Doesn't split a surrogate pair, because JSON.stringify would escape each half.
		if (isLowSurrogate(text.charCodeAt(end))) end += 1;
		yield JSON.stringify(text.slice(start, end)).slice(1, -1);
	}
	yield '"';
}

function isLowSurrogate(code: number): boolean {
	return code >= 0xdc00 && code <= 0xdfff;
}
