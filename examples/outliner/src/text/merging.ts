/** What a fragment is made of, as far as it can be cut: tags, characters that are written by a name, and all others. */
const piece = /<[^<>]*>|&#?\w+;|[\s\S]/gu;

/** What has become of some of a text. */
interface Edit {
	/** The pieces of the text from this one on, and up to that one, have become others. */
	readonly start: number;
	readonly end: number;
	readonly pieces: readonly string[];
}

/** Fewer pieces in a row than these are no sign that a text has stayed between two edits: they may be the same by chance. */
const shortestRun = 3;

/** Texts that differ in more than this, squared, are compared by their ends alone. */
const mostCompared = 1_000_000;

/**
 * A text that was changed in two ways at the same time: each edit where it was made. Of what was written at one place, what
 * is mine comes first. Where both have changed the same, what they have made of it stand one behind the other.
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

/** What comes first; what isn't there comes last. */
function inOrder(left: Edit | undefined, right: Edit | undefined): number {
	if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
	return left.start - right.start || left.end - right.end;
}

/** What edits make of a stretch of a text. */
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

/** The edits that make one text of another, from its beginning to its end, with something of it between each two. */
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

/** The runs of pieces that two texts have in common, in this order: the longest that there are, without the shortest ones. */
function runsIn(
	before: readonly string[],
	after: readonly string[],
): { before: number; after: number; length: number }[] {
	if (before.length * after.length > mostCompared) return [];
	// How many pieces the rests of the two have in common, from each pair of places on.
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
