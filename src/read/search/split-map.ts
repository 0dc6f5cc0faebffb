/** The maximum number of keys in a map that isn't split. */
const wholeLimit = 65_536;

/** The number of hash bits that select a part, and the number of parts. */
const bits = 6;
const partCount = 2 ** bits;

/**
 * A map that is split into parts when it gets large. A normal map grows by copying all keys. With a million
 * keys, that takes more than a tenth of a second at once.
 */
export class SplitMap<Key, Value> {
	readonly #hash: (key: Key) => number;
	#whole = new Map<Key, Value>();
	#parts: Map<Key, Value>[] | undefined;

	/** @param hash - returns a 32-bit integer, always the same for the same key */
	constructor(hash: (key: Key) => number) {
		this.#hash = hash;
	}

	get(key: Key): Value | undefined {
		return this.#partOf(key).get(key);
	}

	set(key: Key, value: Value): void {
		this.#partOf(key).set(key, value);
		if (this.#whole.size > wholeLimit) this.#split();
	}

	delete(key: Key): void {
		this.#partOf(key).delete(key);
	}

	*entries(): Generator<[Key, Value], undefined, undefined> {
		for (const part of this.#parts ?? [this.#whole]) yield* part;
	}

	#partOf(key: Key): Map<Key, Value> {
		return this.#parts === undefined ? this.#whole : this.#parts[this.#hash(key) >>> (32 - bits)]!;
	}

	#split(): void {
		const whole = this.#whole;
		this.#whole = new Map();
		this.#parts = Array.from({ length: partCount }, () => new Map());
		for (const [key, value] of whole) this.#partOf(key).set(key, value);
	}
}

/** Returns a hash of a text's last characters, in which ids and words differ most. */
export function hashOf(text: string): number {
	let hash = 0;
	for (let at = Math.max(0, text.length - 8); at < text.length; at++) {
		hash = Math.imul(hash ^ text.charCodeAt(at), 0x9e3779b1);
	}
	return hash;
}
