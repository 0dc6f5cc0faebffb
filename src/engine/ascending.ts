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
