/** The approximate number of characters of a piece. Making and encoding one takes less than a millisecond. */
const usualSize = 1 << 16;

/** The weight of an element that isn't text: a number, or a comma and quotation marks. */
const smallWeight = 8;

/**
 * Yields the JSON of a value in pieces, exactly as `JSON.stringify` makes it. So the JSON may be longer than
 * a string can be, and other work can run between pieces. A list may be any iterable; its elements are made
 * only when their piece is.
 *
 * @param size - the approximate number of characters of a piece
 */
export function* jsonPieces(value: unknown, size = usualSize): Generator<string, void, undefined> {
	if (typeof value === "string") yield* textPieces(value, size);
	else if (isList(value)) yield* listPieces(value, size);
	else if (typeof value === "object" && value !== null) yield* objectPieces(value, size);
	else yield JSON.stringify(value);
}

function* objectPieces(object: object, size: number): Generator<string, void, undefined> {
	let separator = "{";
	for (const [name, member] of Object.entries(object)) {
		if (member === undefined) continue;
		yield `${separator}${JSON.stringify(name)}:`;
		yield* jsonPieces(member, size);
		separator = ",";
	}
	yield separator === "{" ? "{}" : "}";
}

/** Makes light elements together, because one call for each would take longer than the rest. */
function* listPieces(list: Iterable<unknown>, size: number): Generator<string, void, undefined> {
	let separator = "[";
	let light: unknown[] = [];
	let weight = 0;
	const takeLight = () => {
		const piece = separator + JSON.stringify(light).slice(1, -1);
		separator = ",";
		light = [];
		weight = 0;
		return piece;
	};
	for (const element of list) {
		const more = weightOf(element);
		if (weight + more > size && light.length > 0) yield takeLight();
		if (more > size) {
			yield separator;
			yield* jsonPieces(element, size);
			separator = ",";
		} else {
			light.push(element);
			weight += more;
		}
	}
	if (light.length > 0) yield takeLight();
	yield separator === "[" ? "[]" : "]";
}

function* textPieces(text: string, size: number): Generator<string, void, undefined> {
	if (text.length <= size) {
		yield JSON.stringify(text);
		return;
	}
	yield '"';
	for (let start = 0; start < text.length; ) {
		const end = start + size;
		// Both halves of a surrogate pair must be in one piece, or each would be escaped.
		const last = text.charCodeAt(end - 1);
		const piece = text.slice(start, last >= 0xd800 && last < 0xdc00 ? end + 1 : end);
		yield JSON.stringify(piece).slice(1, -1);
		start += piece.length;
	}
	yield '"';
}

/** Returns the approximate number of characters of an element. */
function weightOf(element: unknown): number {
	if (typeof element === "string") return element.length;
	if (typeof element !== "object" || element === null) return smallWeight;
	let weight = 0;
	for (const member of Object.values(element)) weight += typeof member === "string" ? member.length : smallWeight;
	return weight;
}

function isList(value: unknown): value is Iterable<unknown> {
	return typeof value === "object" && value !== null && Symbol.iterator in value;
}
