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

/** Ids that are sorted when somebody asks. Callers may keep the array: a change makes a new one. */
export class SortedIds {
	readonly #ids = new Set<string>();
	/** Undefined until somebody asks for it. */
	#sorted: readonly string[] | undefined;
	/** Whether `#sorted` has been asked for since the last change. */
	#isRead = false;

	/** Whether there are none. */
	get empty(): boolean {
		return this.#ids.size === 0;
	}

	/** All ids in ascending order. */
	get sorted(): readonly string[] {
		this.#isRead = true;
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

	/** Copies the array for the first change after each reading. To copy it for each of many takes quadratic time. */
	#change(id: string, ...added: string[]): void {
		const sorted = this.#isRead ? this.#sorted : undefined;
		this.#sorted = sorted?.toSpliced(firstFrom(sorted, id), 1 - added.length, ...added);
		this.#isRead = false;
	}
}
