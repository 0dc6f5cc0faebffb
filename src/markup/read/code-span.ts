import type { Steps } from "../../pace.js";

/** From this length on, a run of one character is compared in chunks. */
const longRun = 4096;

/** The number of runs of backticks found in a step. */
const runsInStep = 4096;

/** The code spans of a text. */
export class CodeSpans {
	/** The offsets of the runs of backticks, in order, by their length. */
	readonly #runs: ReadonlyMap<number, readonly number[]>;
	readonly #text: string;

	constructor(text: string, runs: ReadonlyMap<number, readonly number[]>) {
		this.#text = text;
		this.#runs = runs;
	}

	/** Returns the end of the code span that begins at a backtick's offset; -1 if none begins there. */
	end(start: number): number {
		const contentStart = runEnd(this.#text, start);
		const length = contentStart - start;
		const runs = this.#runs.get(length) ?? [];
		let low = 0;
		let high = runs.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (runs[middle]! < contentStart) low = middle + 1;
			else high = middle;
		}
		const run = runs[low];
		return run === undefined ? -1 : run + length;
	}
}

/** Finds the runs of backticks of a text, which delimit its code spans. */
export function* codeSpansOf(text: string): Steps<CodeSpans> {
	const runs = new Map<number, number[]>();
	let count = 0;
	for (let at = text.indexOf("`"); at !== -1; ) {
		const end = runEnd(text, at);
		const alike = runs.get(end - at);
		if (alike === undefined) runs.set(end - at, [at]);
		else alike.push(at);
		at = text.indexOf("`", end);
		if (++count % runsInStep === 0) yield;
	}
	return new CodeSpans(text, runs);
}

/** Returns the end of a run of one character. */
export function runEnd(text: string, start: number): number {
	const character = text.charCodeAt(start);
	let end = start + 1;
	while (text.charCodeAt(end) === character && end - start < longRun) end++;
	if (end - start < longRun) return end;
	// Comparing chunks is much faster than examining each character.
	const run = text.slice(start, end);
	while (text.startsWith(run, end)) end += longRun;
	while (text.charCodeAt(end) === character) end++;
	return end;
}

/** Returns the length of the longest run of backticks in a text. */
export function longestBackticks(text: string): number {
	let longest = 0;
	for (let at = text.indexOf("`"); at !== -1; ) {
		const end = runEnd(text, at);
		longest = Math.max(longest, end - at);
		at = text.indexOf("`", end);
	}
	return longest;
}
