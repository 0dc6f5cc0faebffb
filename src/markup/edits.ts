import { commonEnds } from "./text.js";

/** A change of one part of a text. Offsets count UTF-16 code units. */
export interface TextEdit {
	/** The offset in the earlier text at which the changed part begins. */
	readonly start: number;
	/** The offset behind the changed part; equal to `start` if the edit only inserts. */
	readonly end: number;
	/** The text in the place of that part. */
	readonly text: string;
}

/** The parts that no edit cuts: tags, character references, and single characters. */
const unit = /<[^<>]*>|&#?\w+;|[\s\S]/gu;

/**
 * The fewest equal characters in a row that separate two edits. Fewer may be equal by chance, unless all edits
 * only insert or only delete.
 */
const shortestRun = 3;

/** The most pairs of characters that are compared. Texts that differ in more are one edit. */
const pairLimit = 1_000_000;

/**
 * Returns the edits that turn one text into another, in their order, with unchanged text between them. An edit
 * cuts no tag and no character reference. If an insertion may have happened at several places, as that of a
 * letter beside the same letter, it is at the last one.
 */
export function editsBetween(before: string, after: string): TextEdit[] {
	if (before === after) return [];
	const [old, now] = [before.match(unit) ?? [], after.match(unit) ?? []];
	const { head, tail } = commonEnds(old, now);
	const [removed, written] = [old.slice(head, old.length - tail), now.slice(head, now.length - tail)];
	const edits: TextEdit[] = [];
	let at = lengthOf(old.slice(0, head));
	let [from, to] = [0, 0];
	const add = (removedEnd: number, writtenEnd: number) => {
		const end = at + lengthOf(removed.slice(from, removedEnd));
		const text = written.slice(to, writtenEnd).join("");
		if (end > at || text !== "") edits.push({ start: at, end, text });
		at = end;
	};
	for (const run of commonRuns(removed, written)) {
		add(run.before, run.after);
		at += lengthOf(removed.slice(run.before, run.before + run.length));
		[from, to] = [run.before + run.length, run.after + run.length];
	}
	add(removed.length, written.length);
	return edits;
}

/**
 * Returns the offset, in the text after some edits, of a place in the text before them. The place stays between
 * the same characters, as far as they still exist. Text that is inserted right there comes behind it.
 *
 * @param edits - as {@link editsBetween} returns them
 */
export function offsetAfter(edits: readonly TextEdit[], offset: number): number {
	let shift = 0;
	for (const { start, end, text } of edits) {
		if (offset <= start) break;
		if (offset < end) return start + shift + Math.min(offset - start, text.length);
		shift += text.length - (end - start);
	}
	return offset + shift;
}

/**
 * Merges two edits of a text character by character, for two people typing into one text at the same time.
 * Each edit stays between the same characters. At the same place, `ours` comes first. If both change the same
 * part, the merged text has both results, one behind the other. So it loses no typed character, but such words
 * may make no sense. To merge only edits of different words, give `base` to `outline.update`.
 *
 * @param base - the text that both edits began from
 */
export function mergeEdits(base: string, ours: string, theirs: string): string {
	if (ours === theirs || theirs === base) return ours;
	if (ours === base) return theirs;
	const sides = [editsBetween(base, ours), editsBetween(base, theirs)] as const;
	let result = "";
	let at = 0;
	for (;;) {
		const next = inOrder(sides[0][0], sides[1][0]) <= 0 ? 0 : 1;
		const first = sides[next].shift();
		if (first === undefined) return result + base.slice(at);
		// All edits of both that concern the same part of the text.
		const together: [TextEdit[], TextEdit[]] = [[], []];
		together[next].push(first);
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
		result += base.slice(at, first.start);
		for (const edits of together) if (edits.length > 0) result += edited(base, first.start, end, edits);
		at = end;
	}
}

/** The first of two edits; a missing one comes last. */
function inOrder(left: TextEdit | undefined, right: TextEdit | undefined): number {
	if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
	return left.start - right.start || left.end - right.end;
}

/** The result of edits on a part of a text. */
function edited(base: string, start: number, end: number, edits: readonly TextEdit[]): string {
	let result = "";
	let at = start;
	for (const edit of edits) {
		result += base.slice(at, edit.start) + edit.text;
		at = edit.end;
	}
	return result + base.slice(at, end);
}

function lengthOf(units: readonly string[]): number {
	return units.reduce((length, { length: more }) => length + more, 0);
}

/** A run of equal parts in two lists. */
interface Run {
	readonly before: number;
	readonly after: number;
	readonly length: number;
}

/** The runs of equal parts in the longest common sequence of two lists, without accidental ones. */
function commonRuns(before: readonly string[], after: readonly string[]): Run[] {
	if (before.length * after.length > pairLimit) return [];
	// The number of common parts in the rests of the two lists, from each pair of indexes on.
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
	const shortest = common[0] === Math.min(before.length, after.length) ? 1 : shortestRun;
	const runs: Run[] = [];
	// The ends of the run before.
	let [from, to] = [0, 0];
	for (let left = 0, right = 0; left < before.length && right < after.length; ) {
		let length = 0;
		while (left + length < before.length && before[left + length] === after[right + length]) length += 1;
		left += length;
		right += length;
		if (length > 0) {
			// The same part may have matched another one too early.
			while (left - length > from && right - length > to && before[left - length - 1] === after[right - length - 1]) {
				length += 1;
			}
			if (length < shortest) continue;
			runs.push({ before: left - length, after: right - length, length });
			[from, to] = [left, right];
			continue;
		}
		if (common[(left + 1) * width + right]! >= common[left * width + right + 1]!) left += 1;
		else right += 1;
	}
	return runs;
}
