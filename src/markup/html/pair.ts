import type { Steps } from "../../pace.js";
import type { Inline, InlineTag } from "../inline.js";

/** The open elements within one sealed element, or at the top. */
interface Level {
	/** The length of the stack when the level began. */
	readonly floor: number;
	/** The number of openings of each kind above that. Created on first use: most elements contain no tag. */
	counts: Map<InlineTag, number> | undefined;
}

/** The number of inlines processed in a step. */
const inlinesInStep = 16_384;

/**
 * Returns the index of the partner of each opening and closing, and -1 for all other inlines. A closing pairs
 * with the nearest opening of its kind that is still open. Openings in between that weren't closed have no
 * partner. No pair crosses the border of a sealed element. Linear in time, because the counts detect a
 * closing without an opening at once.
 */
export function* pair(inlines: readonly Inline[]): Steps<Int32Array> {
	const partners = new Int32Array(inlines.length).fill(-1);
	const stack: number[] = [];
	const levels: Level[] = [{ floor: 0, counts: undefined }];

	for (let index = 0; index < inlines.length; index++) {
		if (index % inlinesInStep === inlinesInStep - 1) yield;
		const inline = inlines[index]!;
		if (inline.type === "text") continue;
		if (inline.type === "open") {
			stack.push(index);
			if (inline.sealed) levels.push({ floor: stack.length, counts: undefined });
			else count(levels, inline.tag, 1);
			continue;
		}
		if (inline.sealed) stack.length = levels.pop()?.floor ?? 0;
		else if (count(levels, inline.tag, 0) === 0) continue;
		let opening = stack.pop();
		while (!inline.sealed && opening !== undefined) {
			const passed = inlines[opening];
			if (passed?.type !== "open") break;
			count(levels, passed.tag, -1);
			if (passed.tag === inline.tag) break;
			opening = stack.pop();
		}
		if (opening === undefined) continue;
		partners[index] = opening;
		partners[opening] = index;
	}
	return partners;
}

/** Changes the count of a kind at the innermost level, and returns it. */
function count(levels: readonly Level[], tag: InlineTag, by: number): number {
	const level = levels.at(-1)!;
	const total = (level.counts?.get(tag) ?? 0) + by;
	if (by !== 0) {
		level.counts ??= new Map();
		level.counts.set(tag, total);
	}
	return total;
}
