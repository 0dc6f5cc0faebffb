/**
 * Where the code span that begins at an offset of a backtick ends; -1 if none begins there. All answers together take time
 * linear in the text, as long as no two are asked for within one span.
 */
export function createCodeSpanReader(text: string): (start: number) => number {
	const lastOfLength = new Map<number, number>();
	for (const run of text.matchAll(/`+/g)) lastOfLength.set(run[0].length, run.index);

	return (start) => {
		let contentStart = start;
		while (text[contentStart] === "`") contentStart++;
		const length = contentStart - start;
		if ((lastOfLength.get(length) ?? -1) < contentStart) return -1;
		const run = /`+/g;
		run.lastIndex = contentStart;
		for (let match = run.exec(text); match !== null; match = run.exec(text)) {
			if (match[0].length === length) return run.lastIndex;
		}
		return -1;
	};
}
