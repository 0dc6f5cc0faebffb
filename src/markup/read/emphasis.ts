import type { Steps } from "../../pace.js";
import { type Inline, type InlineTag, literal } from "../inline.js";
import { delimits, flankAt } from "./flank.js";

/** A run of stars, or two tildes. It can begin and end emphasis, strong emphasis and strikethrough. */
export interface Run {
	readonly type: "run";
	readonly marker: "*" | "~";
	/** The number of characters that belong to no element yet. */
	left: number;
	readonly opens: boolean;
	readonly closes: boolean;
	/** The tags of the elements that end here, one letter each, the innermost first. */
	ended: string;
	/** The tags of the elements that begin here, the outermost first. */
	begun: string;
}

/** The runs that may still begin an element. */
interface Openers {
	readonly runs: Run[];
	/** The index of the first opener that may still fit a closing run, by its {@link kindOf}. */
	readonly bottoms: number[];
}

/** The number of inlines and runs processed in a step. */
const itemsInStep = 4096;

const tags = ["b", "i", "s"] as const;
const beginnings: { readonly [T in InlineTag]?: Inline } = Object.fromEntries(
	tags.map((tag) => [tag, { type: "open", tag, source: "", sealed: true }]),
);
const ends: { readonly [T in InlineTag]?: Inline } = Object.fromEntries(
	tags.map((tag) => [tag, { type: "close", tag, source: "", sealed: true }]),
);

/** Returns the run between two offsets. Next to a tilde, a star can always begin and end emphasis. */
export function runOf(text: string, start: number, end: number): Run {
	const marker = text[start] === "*" ? "*" : "~";
	const before = flankAt(text, start - 1);
	const after = flankAt(text, end);
	return {
		type: "run",
		marker,
		left: end - start,
		opens: delimits(after, before) || (marker === "*" && text[end] === "~"),
		closes: delimits(before, after) || (marker === "*" && text[start - 1] === "~"),
		ended: "",
		begun: "",
	};
}

/**
 * Adds inlines and the emphasis that the runs between them make, as micromark finds it. It first pairs all
 * runs of one kind. Then it pairs the runs of the other kind, within and between the elements of the first.
 * Linear in time.
 *
 * @param isStruckFirst - whether tildes are paired before stars
 */
export function* pushWithEmphasis(
	inlines: Inline[],
	items: readonly (Inline | Run)[],
	isStruckFirst: boolean,
): Steps<void> {
	yield* pairRuns(items, isStruckFirst ? "~" : "*");
	yield* pairRuns(items, isStruckFirst ? "*" : "~");
	for (let index = 0; index < items.length; index++) {
		if (index % itemsInStep === itemsInStep - 1) yield;
		const item = items[index]!;
		if (item.type !== "run") {
			inlines.push(item);
			continue;
		}
		for (const tag of item.ended) inlines.push(ends[tag as InlineTag]!);
		if (item.left > 0) inlines.push(literal(item.marker.repeat(item.left)));
		for (const tag of item.begun) inlines.push(beginnings[tag as InlineTag]!);
	}
}

/** Pairs the runs of one kind, but never across a paired run of the other kind. */
function* pairRuns(items: readonly (Inline | Run)[], marker: Run["marker"]): Steps<void> {
	if (!items.some((item) => item.type === "run" && item.marker === marker)) return;
	const levels: Openers[] = [{ runs: [], bottoms: [] }];
	for (let index = 0; index < items.length; index++) {
		if (index % itemsInStep === itemsInStep - 1) yield;
		const item = items[index]!;
		if (item.type !== "run") continue;
		if (item.marker === marker) pairRun(item, levels.at(-1)!);
		else {
			levels.length -= item.ended.length;
			for (let count = item.begun.length; count > 0; count--) levels.push({ runs: [], bottoms: [] });
		}
	}
}

/** Pairs a run with the openers before it that fit. The rest of the run may open an element. */
function pairRun(run: Run, { runs, bottoms }: Openers): void {
	while (run.closes && run.left > 0) {
		const kind = kindOf(run);
		const bottom = bottoms[kind] ?? 0;
		let at = runs.length - 1;
		while (at >= bottom && !fits(runs[at]!, run)) at--;
		if (at < bottom) {
			bottoms[kind] = runs.length;
			break;
		}
		const opener = runs[at]!;
		const used = opener.left > 1 && run.left > 1 ? 2 : 1;
		let count = 0;
		do {
			opener.left -= used;
			run.left -= used;
			count += 1;
		} while (used === 2 && opener.left > 1 && run.left > 1 && fits(opener, run));
		const tag = run.marker === "~" ? "s" : used === 2 ? "b" : "i";
		const tags = count === 1 ? tag : tag.repeat(count);
		opener.begun = tags + opener.begun;
		run.ended += tags;
		// Runs in between can't be closed any more. The opener's length has changed, so it may fit runs that
		// it didn't fit before.
		runs.length = opener.left > 0 ? at + 1 : at;
		for (let other = 0; other < bottoms.length; other++) {
			if (bottoms[other]! > at) bottoms[other] = at;
		}
	}
	if (run.opens && run.left > 0) runs.push(run);
}

/** Returns the properties of a closing run that {@link fits} depends on, as a number. */
function kindOf({ opens, left }: Run): number {
	return (opens ? 3 : 0) + (left % 3);
}

/**
 * Whether two runs can pair. If one of them could both open and close, the sum of their lengths must not be a
 * multiple of three, unless both lengths are.
 */
function fits(opener: Run, { opens, left }: Run): boolean {
	return !(opener.closes || opens) || left % 3 === 0 || (opener.left + left) % 3 !== 0;
}
