/** What a fragment is made of, as far as it can be cut: tags, characters that are written by a name, and all others. */
const piece = /<[^<>]*>|&#?\w+;|[\s\S]/gu;

/** What has become of some of a text. */
interface Edit {
	/** The pieces of the text from this one on, and up to that one, have become others. */
	readonly start: number;
	readonly end: number;
	readonly pieces: readonly string[];
}

/**
 * A text that was changed in two ways at the same time: each edit where it was made. Of what was written at one place, what
 * is mine comes first. Where both have changed the same, what they have made of it stand one behind the other.
 */
export function merged(before: string, mine: string, theirs: string): string {
	if (mine === theirs) return mine;
	const text = piecesOf(before);
	const [first, second] = [editOf(text, piecesOf(mine)), editOf(text, piecesOf(theirs))].sort(inOrder) as [Edit, Edit];
	const head = [...text.slice(0, first.start), ...first.pieces];
	if (first.end <= second.start) {
		return [...head, ...text.slice(first.end, second.start), ...second.pieces, ...text.slice(second.end)].join("");
	}
	const end = Math.max(first.end, second.end);
	const restOfFirst = text.slice(first.end, end);
	const allOfSecond = [...text.slice(first.start, second.start), ...second.pieces, ...text.slice(second.end, end)];
	return [...head, ...restOfFirst, ...allOfSecond, ...text.slice(end)].join("");
}

function piecesOf(text: string): string[] {
	return text.match(piece) ?? [];
}

/** The shortest edit that makes one text of another, in one place. */
function editOf(before: readonly string[], after: readonly string[]): Edit {
	const shorter = Math.min(before.length, after.length);
	let start = 0;
	while (start < shorter && before[start] === after[start]) start += 1;
	let tail = 0;
	while (tail < shorter - start && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
	return { start, end: before.length - tail, pieces: after.slice(start, after.length - tail) };
}

function inOrder(left: Edit, right: Edit): number {
	return left.start - right.start || left.end - right.end;
}
