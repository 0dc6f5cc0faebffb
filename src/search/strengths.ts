/** Small numbers by place: 0 where there is none. */
export class Strengths {
	#values = new Uint8Array(64);

	/** Makes the number at a place at least so large. */
	raise(place: number, strength: number): void {
		if (place >= this.#values.length) {
			const grown = new Uint8Array(2 * place);
			grown.set(this.#values);
			this.#values = grown;
		}
		if (this.#values[place]! < strength) this.#values[place] = strength;
	}

	at(place: number): number {
		return this.#values[place] ?? 0;
	}
}
