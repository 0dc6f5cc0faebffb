/** A generator of pseudo-random numbers from a seed: mulberry32. */
export class Random {
	#state: number;

	constructor(seed: number) {
		this.#state = seed >>> 0;
	}

	/** Returns a number from 0 up to, but not including, 1. */
	next(): number {
		this.#state = (this.#state + 0x6d2b79f5) >>> 0;
		let mixed = this.#state;
		mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	}

	/** Returns an integer from 0 up to, but not including, a bound. */
	below(bound: number): number {
		return Math.floor(this.next() * bound);
	}

	/** Returns true with a probability. */
	happens(probability: number): boolean {
		return this.next() < probability;
	}

	/** Returns one of the values. */
	pick<T>(values: readonly T[]): T {
		return values[this.below(values.length)]!;
	}
}
