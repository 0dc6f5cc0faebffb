/** Keeps the best items of many, with memory for twice as many as it keeps. */
export class Best<Item> {
	readonly #limit: number;
	readonly #compare: (left: Item, right: Item) => number;
	#items: Item[] = [];
	/** The worst item of a full list. An item that isn't better can be ignored. */
	#worst: Item | undefined;

	/**
	 * @param limit - the maximum number of items kept, at least one
	 * @param compare - negative if `left` is better; never 0 for two different items
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

	/** Returns the best items, the best first. */
	inOrder(): Item[] {
		return this.#items.toSorted(this.#compare).slice(0, this.#limit);
	}
}
