/** A list of 32-bit integers that takes little more than 4 bytes for each. */
export class Integers {
	/** The integers, followed by free space. Must be read again after {@link Integers.push}. */
	values = new Int32Array(16);
	length = 0;

	push(value: number): void {
		if (this.length === this.values.length) {
			const grown = new Int32Array(Math.ceil(this.length * 1.5));
			grown.set(this.values);
			this.values = grown;
		}
		this.values[this.length++] = value;
	}
}

/** Small numbers by index, 0 by default. */
export class Strengths {
	#values = new Uint8Array(64);

	/** Raises the number at an index to at least this value. */
	raise(index: number, strength: number): void {
		if (index >= this.#values.length) {
			const grown = new Uint8Array(2 * index);
			grown.set(this.#values);
			this.#values = grown;
		}
		if (this.#values[index]! < strength) this.#values[index] = strength;
	}

	at(index: number): number {
		return this.#values[index] ?? 0;
	}
}
