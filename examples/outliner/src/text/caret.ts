import { editsBetween, offsetAfter } from "outlinekit/sync";
import { caretHold, textsIn } from "./fragment.js";

/** The target of the caret in a field: an offset, an end, or below a point of the line above or below. */
export type CaretPlace = number | "start" | "end" | { readonly x: number; readonly line: "first" | "last" };

/** The selection in a field, as offsets; two equal ones are a caret. */
export interface Span {
	readonly start: number;
	readonly end: number;
}

/** The selection in a field; undefined without one. */
export function spanIn(field: HTMLElement): Span | undefined {
	const selection = getSelection();
	if (selection === null || selection.rangeCount === 0) return undefined;
	const range = selection.getRangeAt(0);
	if (!field.contains(range.commonAncestorContainer)) return undefined;
	const start = rangeBefore(field, range.startContainer, range.startOffset).toString().length;
	return { start, end: start + range.toString().length };
}

/** Returns the range from the beginning of a field to a point in it. */
export function rangeBefore(field: HTMLElement, node: Node, offset: number): Range {
	const range = document.createRange();
	range.selectNodeContents(field);
	range.setEnd(node, offset);
	return range;
}

/** Selects some of a field. */
export function select(field: HTMLElement, { start, end }: Span): void {
	getSelection()?.setBaseAndExtent(...pointAt(field, start), ...pointAt(field, end));
}

/**
 * Returns a function that puts the focus and the selection back where they are now, if they are in a field that is still
 * in the document. Browsers put the caret at the start of a field that moves to another place of the document.
 */
export function heldSelection(): () => void {
	const field = document.activeElement;
	const { anchorNode, anchorOffset, focusNode, focusOffset } = getSelection() ?? {};
	// In the tree itself, a selection is between rows, which may go.
	if (!(field instanceof HTMLElement) || field.dataset.field === undefined) return () => {};
	if (!anchorNode || !focusNode || !field.contains(anchorNode)) return () => {};
	return () => {
		const { activeElement } = document;
		if (!field.isConnected || (activeElement !== field && activeElement !== document.body)) return;
		const now = getSelection()!;
		const isKept = now.anchorNode === anchorNode && now.anchorOffset === anchorOffset;
		if (activeElement === field && isKept && now.focusNode === focusNode && now.focusOffset === focusOffset) return;
		field.focus({ preventScroll: true });
		now.setBaseAndExtent(anchorNode, anchorOffset!, focusNode, focusOffset!);
	};
}

/**
 * Shows another text in a field. The selection stays between the same characters, as far as they still exist, and
 * a caret behind an element stays outside it.
 *
 * @param show - puts the other text into the field
 */
export function withSelection(field: HTMLElement, show: () => void): void {
	const span = document.activeElement === field ? spanIn(field) : undefined;
	const isOutside = getSelection()?.anchorNode?.parentNode === field;
	const before = field.textContent!;
	show();
	if (span === undefined) return;
	const edits = editsBetween(before, field.textContent!);
	const start = offsetAfter(edits, span.start);
	select(field, { start, end: span.end === span.start ? start : offsetAfter(edits, span.end) });
	const { anchorNode, anchorOffset, isCollapsed } = getSelection()!;
	if (!isOutside || !isCollapsed || !(anchorNode instanceof Text) || anchorOffset < anchorNode.length) return;
	const element = [...field.children].find((child) => lastIn(child) === anchorNode);
	if (element !== undefined) placeBehind(element);
}

function lastIn(node: Node): Node {
	return node.lastChild === null ? node : lastIn(node.lastChild);
}

/** The end of the difference in a newer text. */
export function endOfChange(before: string, after: string): number {
	const last = editsBetween(before, after).at(-1);
	return last === undefined ? after.length : after.length - (before.length - last.end);
}

/** Whether a height of the window is above or below the lines of a field. */
export function isBesideLines(field: HTMLElement, y: number): boolean {
	const { top, bottom } = textBox(field);
	return y < top || y > bottom;
}

/** The place in a field nearest to a point of the window. */
export function placeNear(field: HTMLElement, x: number, y: number): CaretPlace {
	const { left, right, top, bottom } = textBox(field);
	const within = (at: number, least: number, most: number) => Math.min(Math.max(at, least + 1), most - 1);
	// Of a point below the lines, browsers take the end of the text.
	const point = document.caretRangeFromPoint?.(within(x, left, right), within(y, top, bottom));
	if (!point || !field.contains(point.startContainer)) return x < left === isRightToLeft(field) ? "end" : "start";
	return rangeBefore(field, point.startContainer, point.startOffset).toString().length;
}

/** The lines of a field on the screen, as wide as the field. */
function textBox(field: HTMLElement): { left: number; right: number; top: number; bottom: number } {
	const { left, right, top, bottom } = field.getBoundingClientRect();
	const lines = linesOf(field);
	return { left, right, top: lines[0]?.top ?? top, bottom: lines.at(-1)?.bottom ?? bottom };
}

/** The column that the keys up and down keep over shorter lines, while the caret stays where they put it. */
let column: { readonly x: number; readonly node: Node | null; readonly offset: number } | undefined;

/** Puts the caret into a field. */
export function placeCaret(field: HTMLElement, place: CaretPlace): void {
	releaseCaret(field, 1);
	collapse(field, place);
	const { anchorNode: node, anchorOffset: offset } = getSelection()!;
	column = typeof place === "object" ? { x: place.x, node, offset } : undefined;
}

function collapse(field: HTMLElement, place: CaretPlace): void {
	if (typeof place === "object") {
		const rects = linesOf(field);
		const rect = place.line === "first" ? rects[0] : rects.at(-1);
		const y = rect === undefined ? 0 : (rect.top + rect.bottom) / 2;
		const range = document.caretRangeFromPoint?.(place.x, y);
		if (range && field.contains(range.startContainer)) {
			getSelection()?.collapse(range.startContainer, range.startOffset);
			return;
		}
		const box = field.getBoundingClientRect();
		collapse(field, place.x <= box.left === isRightToLeft(field) ? "end" : "start");
		return;
	}
	const offset = place === "start" ? 0 : place === "end" ? lengthOf(field) : place;
	getSelection()?.collapse(...pointAt(field, offset));
}

/**
 * Puts the caret behind an element, so that typed text goes behind it. Browsers put it into the element
 * otherwise.
 */
export function placeBehind(element: Node): void {
	const text = document.createTextNode(caretHold);
	element.parentNode!.insertBefore(text, element.nextSibling);
	getSelection()!.collapse(text, 1);
}

/** Takes out what held the caret, where the text is at least so long: it has done its part. */
export function releaseCaret(element: HTMLElement, length: number): void {
	for (const text of textsIn(element)) {
		if (text.data.startsWith(caretHold) && text.length >= length) text.deleteData(0, 1);
	}
}

/**
 * Takes out what held the caret, with the elements that have nothing else. Call it before a key that moves the caret or
 * deletes a character: the key would act on an invisible character.
 */
export function dropHolds(field: HTMLElement): void {
	releaseCaret(field, 1);
	for (const element of field.querySelectorAll("b, i, s, code")) if (element.textContent === "") element.remove();
}

/** Whether the text of a field runs from right to left. */
export function isRightToLeft(field: HTMLElement): boolean {
	return getComputedStyle(field).direction === "rtl";
}

/** The number of characters in a field. */
export function lengthOf(field: HTMLElement): number {
	return (field.textContent ?? "").length;
}

/**
 * The position of the caret on the screen, from the left, or the column that it keeps; and whether it is in
 * the field's first or last line.
 */
export function caretLine(field: HTMLElement): { x: number; isFirst: boolean; isLast: boolean } {
	const span = spanIn(field);
	const lines = linesOf(field);
	const box = field.getBoundingClientRect();
	const rect = rectAtWrap() ?? caretRect(field);
	const x = keptColumn() ?? rect?.left ?? (isRightToLeft(field) ? box.right : box.left);
	if (span === undefined || rect === undefined || lines.length < 2) return { x, isFirst: true, isLast: true };
	const middle = (rect.top + rect.bottom) / 2;
	return { x, isFirst: middle < lines[0]!.bottom, isLast: middle > lines.at(-1)!.top };
}

function keptColumn(): number | undefined {
	const selection = getSelection();
	if (!selection?.isCollapsed || column?.node !== selection.anchorNode) return undefined;
	return column?.offset === selection.anchorOffset ? column.x : undefined;
}

/**
 * Where the caret is if it shows at the end of a line that wraps. In the text, the start of the next line is
 * the same place. Only a caret that moves to the start of its line tells the two apart.
 */
function rectAtWrap(): DOMRect | undefined {
	const [above, below] = caretRange()?.getClientRects() ?? [];
	if (above === undefined || below === undefined || above.bottom > below.top) return undefined;
	const selection = getSelection()!;
	const { focusNode, focusOffset } = selection;
	const alter = selection.isCollapsed ? "move" : "extend";
	selection.modify(alter, "backward", "lineboundary");
	if (selection.focusNode === focusNode && selection.focusOffset === focusOffset) return undefined;
	selection.modify(alter, "forward", "lineboundary");
	return above;
}

/** The end of the selection that moves; undefined without one. */
function caretRange(): Range | undefined {
	const selection = getSelection();
	if (selection === null || selection.rangeCount === 0) return undefined;
	const range = selection.getRangeAt(0).cloneRange();
	range.collapse(selection.focusNode === range.startContainer && selection.focusOffset === range.startOffset);
	return range;
}

/** The position of the caret on the screen; undefined if the browser doesn't know it. */
export function caretRect(field: HTMLElement): DOMRect | undefined {
	const range = caretRange();
	if (range === undefined) return undefined;
	const rects = range.getClientRects();
	if (rects.length > 0) return rects[rects.length - 1];
	if (lengthOf(field) === 0) return field.getBoundingClientRect();
	// On a blank line only the line break behind the caret has a place.
	const { startContainer: text, startOffset: at } = range;
	if (!(text instanceof Text)) return undefined;
	if (at === text.length)
		return text.nextSibling instanceof HTMLBRElement ? text.nextSibling.getBoundingClientRect() : undefined;
	if (text.data[at] !== "\n") return undefined;
	range.setEnd(text, at + 1);
	return range.getClientRects()[0];
}

/** The lines of a field on the screen. */
function linesOf(field: HTMLElement): DOMRect[] {
	const range = document.createRange();
	range.selectNodeContents(field);
	const lines: DOMRect[] = [];
	for (const rect of range.getClientRects()) {
		const last = lines.at(-1);
		if (last === undefined || rect.top >= last.bottom - 2) lines.push(rect);
	}
	return lines;
}

/** The place in the document that is so many characters into a field. */
export function pointAt(field: HTMLElement, offset: number): [Node, number] {
	let left = offset;
	let last: Text | undefined;
	for (const text of textsIn(field)) {
		if (left <= text.length) return [text, left];
		left -= text.length;
		last = text;
	}
	return last === undefined ? [field, 0] : [last, last.length];
}
