const prime = 0x01000193;
const encoder = new TextEncoder();

/**
 * The digest of an entry of a device's journal. It continues the digest of the entry before it, so two
 * journals that agree on a digest agree on all entries up to there. It finds accidents, such as a copied
 * device. It is no protection against forgery.
 *
 * The digest is 16 lower-case hexadecimal digits: two runs of 32-bit FNV-1a over the UTF-8 bytes of
 * `before + "\n" + lines.join("\n")`. The first run begins with 811c9dc5, the second with 9dc5811c.
 */
export class Digest {
	#first = 0x811c9dc5;
	#second = 0x9dc5811c;

	/** @param before - the digest of the entry before; "" for none */
	constructor(before: string) {
		this.#add(before);
	}

	/** Adds a line of the entry as it is sent, without its line end. */
	addLine(line: string): void {
		this.#add(`\n${line}`);
	}

	/** Returns the digest of the lines so far. */
	toString(): string {
		return hexadecimal(this.#first) + hexadecimal(this.#second);
	}

	#add(text: string): void {
		// Local variables take a third of the time of the fields.
		let first = this.#first;
		let second = this.#second;
		for (const byte of encoder.encode(text)) {
			first = Math.imul(first ^ byte, prime);
			second = Math.imul(second ^ byte, prime);
		}
		this.#first = first;
		this.#second = second;
	}
}

function hexadecimal(hash: number): string {
	return (hash >>> 0).toString(16).padStart(8, "0");
}

// TextEncoder isn't part of ECMAScript, but every host has it.
declare const TextEncoder: new () => { encode(text: string): Uint8Array };
