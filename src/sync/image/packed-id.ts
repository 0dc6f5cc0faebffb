/** The characters of base64url, in the order of their values. */
const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** The number of characters of a packed id. */
export const packedLength = 22;

/** The values of the characters of base64url, by their codes. */
const values = new Uint8Array(128);
for (let value = 0; value < 64; value++) values[digits.charCodeAt(value)] = value;

/** The characters of an id, written again for each. */
const codes = new Array<number>(36).fill(45);

/** The places of the hex digits in an id. */
const places = Array.from({ length: 36 }, (_, at) => at).filter((at) => ![8, 13, 18, 23].includes(at));

/** Returns the 16 bytes of an id in base64url, without padding. */
export function packedId(id: string): string {
	let packed = "";
	// Three hex digits are two characters. The last two hex digits get four more bits.
	for (let at = 0; at < 30; at += 3) {
		const bits = (hexAt(id, at) << 8) | (hexAt(id, at + 1) << 4) | hexAt(id, at + 2);
		packed += digits[bits >> 6]! + digits[bits & 63]!;
	}
	const last = ((hexAt(id, 30) << 4) | hexAt(id, 31)) << 4;
	return packed + digits[last >> 6]! + digits[last & 63]!;
}

/** Returns the id at a place of a text of packed ids. */
export function unpackedId(packed: string, start: number): string {
	let digit = 0;
	for (let at = start; at < start + packedLength; at += 2) {
		const bits = (values[packed.charCodeAt(at)]! << 6) | values[packed.charCodeAt(at + 1)]!;
		codes[places[digit++]!] = hexCode(bits >> 8);
		codes[places[digit++]!] = hexCode((bits >> 4) & 15);
		if (digit < 32) codes[places[digit++]!] = hexCode(bits & 15);
	}
	return String.fromCharCode.apply(null, codes);
}

function hexAt(id: string, digit: number): number {
	const code = id.charCodeAt(places[digit]!);
	return code < 58 ? code - 48 : code - 87;
}

function hexCode(value: number): number {
	return value < 10 ? 48 + value : 87 + value;
}
