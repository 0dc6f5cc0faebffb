import { select, spanIn } from "./caret.js";
import { caretHold } from "./fragment.js";

/**
 * Takes formatting off the selection; with a caret alone, off the text that is typed next. Browsers would move what stays
 * formatted into styles of the elements within, which no outline stores.
 *
 * @param selector - matches the elements of the formatting
 * @returns whether there were any
 */
export function takeOff(field: HTMLElement, selector: string): boolean {
	const range = getSelection()!.getRangeAt(0);
	const elements = [...field.querySelectorAll(selector)].filter((element) => range.intersectsNode(element));
	if (range.collapsed) {
		const around = elements.find((element) => element.contains(range.startContainer));
		if (around === undefined) return false;
		leave(around, range, selector);
		return true;
	}
	const span = spanIn(field)!;
	takeWholeDates(range);
	for (const element of elements) splitAround(element, range);
	for (const element of elements) element.replaceWith(...element.childNodes);
	select(field, span);
	field.dispatchEvent(new InputEvent("input", { bubbles: true }));
	return elements.length > 0;
}

/** Puts the caret behind an element or between two parts of it, and in the same other elements as before. */
function leave(element: Element, range: Range, selector: string): void {
	takeWholeDates(range);
	range.collapse();
	const hold = document.createTextNode(caretHold);
	let holder: Node = hold;
	for (let at: Node = range.startContainer; at !== element; at = at.parentNode!) {
		if (!(at instanceof Element) || at.matches(`a, time, ${selector}`)) continue;
		const copy = at.cloneNode(false);
		copy.appendChild(holder);
		holder = copy;
	}
	splitAround(element, range);
	element.replaceWith(holder);
	getSelection()!.collapse(hold, 1);
}

/** Splits off the parts of an element before and behind a range. */
function splitAround(element: Element, { startContainer, startOffset, endContainer, endOffset }: Range): void {
	const [before, behind] = [document.createRange(), document.createRange()];
	for (const part of [before, behind]) part.selectNodeContents(element);
	if (element.contains(endContainer)) {
		behind.setStart(endContainer, endOffset);
		element.after(partOf(element, behind));
	}
	if (element.contains(startContainer)) {
		before.setEnd(startContainer, startOffset);
		element.before(partOf(element, before));
	}
}

function partOf(element: Element, range: Range): Node {
	const part = element.cloneNode(false);
	part.appendChild(range.extractContents());
	return part.textContent!.replaceAll(caretHold, "") === "" ? document.createDocumentFragment() : part;
}

/** Widens a range around the dates at its ends: each part of a date would be a date. */
function takeWholeDates(range: Range): void {
	const dateAround = (node: Node) => (node instanceof Element ? node : node.parentElement!).closest("time");
	const [first, last] = [dateAround(range.startContainer), dateAround(range.endContainer)];
	if (last !== null) range.setEndAfter(last);
	if (first !== null) range.setStart(first.parentNode!, [...first.parentNode!.childNodes].indexOf(first));
}
