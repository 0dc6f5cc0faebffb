/** What could not be carried over, counted by kind; nothing that was carried over is in it. */
export type Lost = { [kind: string]: number };

/** How many kinds are told apart. A file that names more is broken or hostile, and its report must not grow with it. */
const kindLimit = 100;
/** The longest name of a kind. */
const longestKind = 80;
/** The kind of all beyond {@link kindLimit}. */
const others = "other";

/** Counts what a file, an outline or a format has no place for. */
export class LossCount {
	readonly #counts = new Map<string, number>();

	/** Counts some more of a kind. */
	add(kind: string, count = 1): void {
		if (count === 0) return;
		const cut = kind.length > longestKind ? `${kind.slice(0, longestKind - 3)}...` : kind;
		const known = this.#counts.has(cut) || this.#counts.size < kindLimit ? cut : others;
		this.#counts.set(known, (this.#counts.get(known) ?? 0) + count);
	}

	/** The counts so far and those of others, sorted by kind. */
	with(more = new LossCount()): Lost {
		const sum = new LossCount();
		for (const counted of [this, more]) {
			for (const [kind, count] of counted.#counts) sum.add(kind, count);
		}
		return Object.fromEntries([...sum.#counts].sort(([left], [right]) => (left < right ? -1 : 1)));
	}
}
