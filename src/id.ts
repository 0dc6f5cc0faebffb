import { random } from "nanoid";
import { calendarForm } from "./date.js";

/** The key of the inbox. Spec §2.3, §2.4. */
export const inboxKey = "inbox";

/** The key of the calendar's root. Spec §2.4. */
export const calendarKey = "calendar";

const shortIdPattern = /^[0-9a-f]{12}$/i;

/** The number of characters of an id. */
export const idLength = 36;

const hyphen = 45;

/** Whether an id has a hyphen at each offset. */
const isHyphenAt = Array.from({ length: idLength }, (_, at) => at === 8 || at === 13 || at === 18 || at === 23);

/** The kind of a character by its code: 1 for a hex digit, 2 for a hyphen, else 0. */
const kinds = new Uint8Array(128);
for (const digit of "0123456789abcdefABCDEF") kinds[digit.charCodeAt(0)] = 1;
kinds[hyphen] = 2;

/** The kinds of the characters of an id. */
const shapeOfId = Uint8Array.from(isHyphenAt, (is) => (is ? 2 : 1));

/** Whether a text has the form of a full id (UUID-style, any letter case). Spec §2.4. */
export function isId(text: string): boolean {
	// A regular expression would be one line but take twice as long, and each operation begins here.
	if (text.length !== idLength) return false;
	let wrong = 0;
	for (let at = 0; at < idLength; at++) {
		const code = text.charCodeAt(at);
		wrong |= (code & ~127) | (kinds[code & 127]! ^ shapeOfId[at]!);
	}
	return wrong === 0;
}

/** Whether a text has the form of a short id: 12 hex digits, any letter case. Spec §2.4. */
export function isShortId(text: string): boolean {
	return text.length === 12 && shortIdPattern.test(text);
}

/** Returns the short id of a node: the last 12 hex digits of its id. Spec §2.4. */
export function shortIdOf(id: string): string {
	return id.slice(-12);
}

/** Enough for 32 ids. nanoid's code for Node draws 128 times as many at once, and no draw may have more than 65,536. */
const bytesAtOnce = 512;

/** Random bytes for the next ids, and the number of bytes used. */
let randomBytes = new Uint8Array(0);
let used = 0;

/** The character codes of an id, written again for each. */
const characters = Array.from(isHyphenAt, () => hyphen);

/** Returns a random UUID, version 4. Pages without TLS have no `crypto.randomUUID`, so it uses nanoid. */
export function randomId(): string {
	if (used === randomBytes.length) {
		// A copy: in Node, nanoid's own code writes new bytes to the same place.
		randomBytes = new Uint8Array(random(bytesAtOnce));
		used = 0;
	}
	for (let at = 0; at < idLength; ) {
		if (isHyphenAt[at]) at += 1;
		let byte = randomBytes[used++]!;
		if (at === 14) byte = (byte & 0x0f) | 0x40;
		else if (at === 19) byte = (byte & 0x3f) | 0x80;
		characters[at++] = hexDigit(byte >> 4);
		characters[at++] = hexDigit(byte & 15);
	}
	// A text joined from pieces would take twice the memory, and twice the time of each comparison.
	return String.fromCharCode.apply(null, characters);
}

function hexDigit(value: number): number {
	return value < 10 ? 48 + value : 87 + value;
}

/** Returns the kind of a stored key. A shortcut can't have the text of another kind. Spec §2.3. */
export function keyType(key: string): "shortcut" | "system" | "calendar" {
	if (key === inboxKey || key === calendarKey) return "system";
	return calendarForm.test(key) ? "calendar" : "shortcut";
}
