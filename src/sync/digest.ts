const prime = 0x01000193;

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
	const byte = (value: number) => {
		first = Math.imul(first ^ value, prime);
		second = Math.imul(second ^ value, prime);
	};
	const text = (characters: string) => {
		for (let index = 0; index < characters.length; index++) {
			const unit = characters.charCodeAt(index);
			if (unit < 0x80) byte(unit);
			else if (unit < 0x800) {
				byte(0xc0 | (unit >> 6));
				byte(0x80 | (unit & 0x3f));
			} else {
				const point = characters.codePointAt(index)!;
				if (point > 0xffff) {
					index += 1;
					byte(0xf0 | (point >> 18));
					byte(0x80 | ((point >> 12) & 0x3f));
				} else byte(0xe0 | (point >> 12));
				byte(0x80 | ((point >> 6) & 0x3f));
				byte(0x80 | (point & 0x3f));
			}
		}
	};
	text(before);
	for (const line of lines) {
		byte(0x0a);
		text(line);
	}
	return hexadecimal(first) + hexadecimal(second);
}

function hexadecimal(hash: number): string {
	return (hash >>> 0).toString(16).padStart(8, "0");
}
