import { piecesOf } from "./pieces.js";

/** The ranges of each field that the browser shows in another style, without a change of its text. */
const painted = new WeakMap<HTMLElement, readonly [name: string, range: Range][]>();

/** Shows the tags and addresses of a field in the styles `::highlight(tag)`, `(person)` and `(address)`. */
export function paint(field: HTMLElement): void {
	// Some browsers have no highlights: there the text is as usual.
	if (!("highlights" in CSS)) return;
	unpaint(field);
	const ranges = piecesOf(field).map(({ type, target, range }): [string, Range] => {
		return [type === "address" ? type : /^[@＠]/.test(target) ? "person" : "tag", range];
	});
	if (ranges.length === 0) return;
	painted.set(field, ranges);
	for (const [name, range] of ranges) {
		const highlight = CSS.highlights.get(name);
		if (highlight === undefined) CSS.highlights.set(name, new Highlight(range));
		else highlight.add(range);
	}
}

/** Forgets the styles of a field. */
export function unpaint(field: HTMLElement): void {
	for (const [name, range] of painted.get(field) ?? []) CSS.highlights.get(name)!.delete(range);
	painted.delete(field);
}
