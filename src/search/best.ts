/** Keeps the best few of many, in memory for twice as many as are kept. */
export class Best<Item> {
	readonly #limit: number;
	readonly #compare: (left: Item, right: Item) => number;
	#items: Item[] = [];
	/** The worst of a full list: what isn't better needn't be looked at. */
	#worst: Item | undefined;

	/**
	 * @param limit - how many are kept, at least one
	 * @param compare - negative where `left` is the better one; never 0 for two different ones
	 */
	constructor(limit: number, compare: (left: Item, right: Item) => number) {
		this.#limit = limit;
		this.#compare = compare;
	}

	add(item: Item): void {
		if (this.#worst !== undefined && this.#compare(item, this.#worst) > 0) return;
		this.#items.push(item);
		if (this.#items.length < 2 * this.#limit) return;
		this.#items = this.inOrder();
		this.#worst = this.#items.at(-1);
	}

	/** The best, from the best on. */
	inOrder(): Item[] {
		return this.#items.toSorted(this.#compare).slice(0, this.#limit);
	}
}
