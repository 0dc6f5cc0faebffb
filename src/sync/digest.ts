const prime = 0x01000193;
const encoder = new TextEncoder();

/**
 * Returns the digest of an entry of a device's journal. It continues the digest of the entry before it, so two
 * journals that agree on a digest agree on all entries up to there. It finds accidents, such as a copied
 * device. It is no protection against forgery.
 *
 * The digest is 16 lower-case hexadecimal digits: two runs of 32-bit FNV-1a over the UTF-8 bytes of
 * `before + "\n" + lines.join("\n")`. The first run begins with 811c9dc5, the second with 9dc5811c.
 *
 * @param before - the digest of the entry before; "" for none
 * @param lines - the lines of the entry as they are sent, without line ends
 */
export function digestOf(before: string, lines: readonly string[]): string {
	let first = 0x811c9dc5;
	let second = 0x9dc5811c;
	// A function that changed both numbers would take three times as long.
	for (let number = -1; number < lines.length; number++) {
		for (const byte of encoder.encode(number < 0 ? before : `\n${lines[number]}`)) {
			first = Math.imul(first ^ byte, prime);
			second = Math.imul(second ^ byte, prime);
		}
	}
	return hexadecimal(first) + hexadecimal(second);
}

function hexadecimal(hash: number): string {
	return (hash >>> 0).toString(16).padStart(8, "0");
}

// TextEncoder isn't part of ECMAScript, but every host has it.
declare const TextEncoder: new () => { encode(text: string): Uint8Array };
