import { piecesOf, rangeOf } from "./pieces.js";
import { foundIn } from "./words.js";

/** The ranges of each field that the browser shows in another style, without a change of its text. */
const painted = new WeakMap<HTMLElement, readonly [name: string, range: Range][]>();

/**
 * Shows the tags and addresses of a field in the styles `::highlight(tag)`, `(person)` and `(address)`. Over
 * them, it shows the words of a query in the style `::highlight(hit)`.
 */
export function paint(field: HTMLElement, words: readonly string[]): void {
	// Some browsers have no highlights: there the text is as usual.
	if (!("highlights" in CSS)) return;
	unpaint(field);
	const ranges = piecesOf(field).map(({ type, target, range }): [string, Range] => {
		return [type === "address" ? type : /^[@＠]/.test(target) ? "person" : "tag", range];
	});
	const text = field.textContent!;
	for (const { start, end } of foundIn(text, words)) {
		const isTag = /[#@＃＠]/.test(text.charAt(start - 1));
		ranges.push(["hit", rangeOf(field, isTag ? start - 1 : start, end)]);
	}
	if (ranges.length === 0) return;
	painted.set(field, ranges);
	for (const [name, range] of ranges) {
		const highlight = CSS.highlights.get(name) ?? new Highlight();
		highlight.priority = name === "hit" ? 1 : 0;
		highlight.add(range);
		CSS.highlights.set(name, highlight);
	}
}

/** Whether a field doesn't show its styles any more. The browser empties the ranges of an element that moves. */
export function hasLostStyles(field: HTMLElement): boolean {
	return painted.get(field)?.some(([, range]) => range.collapsed) ?? false;
}

/** Forgets the styles of a field. */
export function unpaint(field: HTMLElement): void {
	for (const [name, range] of painted.get(field) ?? []) CSS.highlights.get(name)!.delete(range);
	painted.delete(field);
}
