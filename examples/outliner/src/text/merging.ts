/** The smallest pieces of a fragment: tags, character references, and single characters. */
const piece = /<[^<>]*>|&#?\w+;|[\s\S]/gu;

/** A change of a part of a text. */
interface Edit {
	/** The indexes of the first changed piece and of the first unchanged piece behind it. */
	readonly start: number;
	readonly end: number;
	readonly pieces: readonly string[];
}

/** The fewest equal pieces in a row that separate two edits. Fewer may be equal by chance. */
const shortestRun = 3;

/** Texts that differ in more than this, squared, are compared by their ends alone. */
const mostCompared = 1_000_000;

/**
 * Merges two simultaneous edits of a text: each edit stays in its place. In the same place, my text comes
 * first. If both have edited the same part, the two results follow each other.
 */
export function merged(before: string, mine: string, theirs: string): string {
	if (mine === theirs) return mine;
	const text = piecesOf(before);
	const sides = [editsOf(text, piecesOf(mine)), editsOf(text, piecesOf(theirs))] as const;
	const result: string[] = [];
	let at = 0;
	for (;;) {
		const next = inOrder(sides[0][0], sides[1][0]) <= 0 ? 0 : 1;
		const first = sides[next].shift();
		if (first === undefined) return [...result, ...text.slice(at)].join("");
		// All edits of both that concern the same stretch of the text.
		const together: [Edit[], Edit[]] = [[], []];
		together[next].push(first);
		const { start } = first;
		let { end } = first;
		for (let grown = true; grown; ) {
			grown = false;
			for (const [side, edits] of sides.entries()) {
				while (edits[0] !== undefined && edits[0].start < end) {
					const edit = edits.shift()!;
					together[side]!.push(edit);
					end = Math.max(end, edit.end);
					grown = true;
				}
			}
		}
		result.push(...text.slice(at, start));
		const changed = together.filter((edits) => edits.length > 0).map((edits) => after(text, start, end, edits));
		for (const pieces of changed) result.push(...pieces);
		at = end;
	}
}

/** The first of two edits; a missing one comes last. */
function inOrder(left: Edit | undefined, right: Edit | undefined): number {
	if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
	return left.start - right.start || left.end - right.end;
}

/** The result of edits on a part of a text. */
function after(text: readonly string[], start: number, end: number, edits: readonly Edit[]): string[] {
	const pieces: string[] = [];
	let at = start;
	for (const edit of edits) {
		pieces.push(...text.slice(at, edit.start), ...edit.pieces);
		at = edit.end;
	}
	return [...pieces, ...text.slice(at, end)];
}

function piecesOf(text: string): string[] {
	return text.match(piece) ?? [];
}

/** The edits that turn one text into another, in order, with unchanged text between them. */
function editsOf(before: readonly string[], after: readonly string[]): Edit[] {
	const shorter = Math.min(before.length, after.length);
	let head = 0;
	while (head < shorter && before[head] === after[head]) head += 1;
	let tail = 0;
	while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
	const end = before.length - tail;
	const written = after.slice(head, after.length - tail);
	if (head === end && written.length === 0) return [];
	const edits: Edit[] = [];
	let [start, from] = [head, 0];
	for (const run of runsIn(before.slice(head, end), written)) {
		edits.push({ start, end: head + run.before, pieces: written.slice(from, run.after) });
		[start, from] = [head + run.before + run.length, run.after + run.length];
	}
	edits.push({ start, end, pieces: written.slice(from) });
	return edits.filter((edit) => edit.start < edit.end || edit.pieces.length > 0);
}

/** The longest common runs of pieces of two texts, in order, without the shortest ones. */
function runsIn(
	before: readonly string[],
	after: readonly string[],
): { before: number; after: number; length: number }[] {
	if (before.length * after.length > mostCompared) return [];
	// The number of common pieces in the rests of the two texts, from each pair of indexes on.
	const width = after.length + 1;
	const common = new Uint32Array((before.length + 1) * width);
	for (let left = before.length - 1; left >= 0; left--) {
		for (let right = after.length - 1; right >= 0; right--) {
			const same = before[left] === after[right];
			common[left * width + right] = same
				? common[(left + 1) * width + right + 1]! + 1
				: Math.max(common[(left + 1) * width + right]!, common[left * width + right + 1]!);
		}
	}
	const runs: { before: number; after: number; length: number }[] = [];
	for (let left = 0, right = 0; left < before.length && right < after.length; ) {
		let length = 0;
		while (left + length < before.length && before[left + length] === after[right + length]) length += 1;
		if (length >= shortestRun) runs.push({ before: left, after: right, length });
		left += length;
		right += length;
		if (length > 0) continue;
		if (common[(left + 1) * width + right]! >= common[left * width + right + 1]!) left += 1;
		else right += 1;
	}
	return runs;
}
