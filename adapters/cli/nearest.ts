/** Returns the name that a misspelled word most likely means; undefined if none is near. */
export function nearest(word: string, names: readonly string[]): string | undefined {
	const most = word.length < 6 ? 1 : 2;
	const near = [...new Set(names)]
		.map((name) => ({ name, distance: distanceOf(word.toLowerCase(), name) }))
		.filter(({ distance }) => distance <= most)
		.sort((left, right) => left.distance - right.distance);
	return near[0]?.name;
}

/** Returns how many letters must be added, removed, replaced or exchanged with the next one. */
function distanceOf(word: string, name: string): number {
	/** The distances of the beginnings of the two texts. */
	const rows = [Array.from({ length: name.length + 1 }, (_, column) => column)];
	for (let row = 1; row <= word.length; row++) {
		const distances = [row];
		for (let column = 1; column <= name.length; column++) {
			const isSame = word[row - 1] === name[column - 1];
			const steps = [
				rows[row - 1]![column]! + 1,
				distances[column - 1]! + 1,
				rows[row - 1]![column - 1]! + (isSame ? 0 : 1),
			];
			const isExchanged =
				row > 1 && column > 1 && word[row - 1] === name[column - 2] && word[row - 2] === name[column - 1];
			if (isExchanged) steps.push(rows[row - 2]![column - 2]! + 1);
			distances.push(Math.min(...steps));
		}
		rows.push(distances);
	}
	return rows.at(-1)!.at(-1)!;
}
