/** The number of losses by kind. Kinds without a loss are absent. */
export type Lost = { [kind: string]: number };

/** The maximum number of kinds. A file with more is hostile, and its report must not grow with it. */
const kindLimit = 100;
/** The maximum length of a kind. */
const longestKind = 80;
/** The kind of all losses beyond {@link kindLimit}. */
const others = "other";

/** Counts the things that a file, an outline or a format can't hold. */
export class LossCount {
	readonly #counts = new Map<string, number>();

	/** Adds to the count of a kind. */
	add(kind: string, count = 1): void {
		if (count === 0) return;
		const cut = kind.length > longestKind ? `${kind.slice(0, longestKind - 3)}...` : kind;
		const known = this.#counts.has(cut) || this.#counts.size < kindLimit ? cut : others;
		this.#counts.set(known, (this.#counts.get(known) ?? 0) + count);
	}

	/** Returns the sum of this count and another one, sorted by kind. */
	with(more = new LossCount()): Lost {
		const sum = new LossCount();
		for (const counted of [this, more]) {
			for (const [kind, count] of counted.#counts) sum.add(kind, count);
		}
		return Object.fromEntries([...sum.#counts].sort(([left], [right]) => (left < right ? -1 : 1)));
	}
}
