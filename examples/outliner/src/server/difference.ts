import { editsBetween } from "outlinekit/sync";
import type { Stretch } from "../text/words.js";

const inWord = /[\p{L}\p{M}\p{N}]/u;

/** The stretches of a text that another text doesn't have, widened to whole words. */
export function wordsBeyond(text: string, other: string): Stretch[] {
	const stretches: Stretch[] = [];
	let shift = 0;
	for (const edit of editsBetween(other, text)) {
		let start = edit.start + shift;
		let end = start + edit.text.length;
		shift += edit.text.length - (edit.end - edit.start);
		while (start > 0 && inWord.test(text[start - 1]!)) start -= 1;
		while (end < text.length && inWord.test(text[end]!)) end += 1;
		const last = stretches.at(-1);
		if (last !== undefined && start <= last.end) stretches.splice(-1, 1, { start: last.start, end });
		else if (end > start) stretches.push({ start, end });
	}
	return stretches;
}
