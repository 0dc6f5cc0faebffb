/** A list of 32-bit integers that takes 4 bytes for each, and little more. */
export class Integers {
	/** The integers, with room behind them. To be read anew after a {@link Integers.push}. */
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
