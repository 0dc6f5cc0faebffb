/** Returns the index of the first of some ascending values that isn't less than a value. */
export function firstFrom<Value extends number | string>(ascending: readonly Value[], value: Value): number {
	let low = 0;
	let high = ascending.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (ascending[middle]! < value) low = middle + 1;
		else high = middle;
	}
	return low;
}

/** The number of changes between two readings that cost less than to sort all ids again. */
const fewChanges = 8;

/** Ids that are sorted when a caller reads them. Callers may keep the array: a change makes a new one. */
export class SortedIds {
	readonly #ids = new Set<string>();
	/** Undefined until a caller reads it. */
	#sorted: readonly string[] | undefined;
	/** The number of changes since the last reading. */
	#changes = 0;

	/** Whether there are none. */
	get empty(): boolean {
		return this.#ids.size === 0;
	}

	/** All ids in ascending order. */
	get sorted(): readonly string[] {
		this.#changes = 0;
		this.#sorted ??= [...this.#ids].sort();
		return this.#sorted;
	}

	/** Adds an id that isn't there. */
	add(id: string): void {
		this.#ids.add(id);
		this.#change(id, id);
	}

	/** Deletes an id, if it is there. */
	delete(id: string): void {
		if (this.#ids.delete(id)) this.#change(id);
	}

	/** Copies the array for a few changes after each reading. To copy it for each of many takes quadratic time. */
	#change(id: string, ...added: string[]): void {
		this.#changes += 1;
		if (this.#changes > fewChanges) this.#sorted = undefined;
		this.#sorted = this.#sorted?.toSpliced(firstFrom(this.#sorted, id), 1 - added.length, ...added);
	}
}
