import { select, spanIn, withSelection } from "./caret.js";
import { caretHold, selectorOf, textsIn } from "./fragment.js";

/** The elements that format text, by the one that the outline stores. */
const elements = { b: selectorOf("b"), i: selectorOf("i"), s: selectorOf("s"), code: selectorOf("code") };

export type Format = keyof typeof elements;

/**
 * Formats the selected text, or makes it plain if all of it is formatted so; with a caret alone, the text that is typed
 * next. The commands of browsers would put a part of that into styles, which no outline stores.
 */
export function toggleFormat(field: HTMLElement, format: Format): void {
	const range = getSelection()!.getRangeAt(0);
	if (range.collapsed) {
		toggleAtCaret(range, format);
		return;
	}
	const span = spanIn(field);
	if (span === undefined) return;
	takeWholeDates(range);
	const texts = cutOut(textsIn(field), range);
	if (texts.length === 0) return;
	const around = texts.map((text) => text.parentElement!.closest(elements[format]));
	if (around.includes(null)) {
		for (const [index, text] of texts.entries()) if (around[index] === null) wrap(text, format);
	} else {
		const within = document.createRange();
		within.setStartBefore(texts[0]!);
		within.setEndAfter(texts.at(-1)!);
		takeWholeDates(within);
		const formatting = new Set(around as Element[]);
		for (const element of formatting) splitAround(element, within);
		for (const element of formatting) element.replaceWith(...element.childNodes);
	}
	joinAlike(field);
	select(field, span);
	field.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

/** The styles by which browsers format text. */
const styles = { b: /font-weight: *(bold|[6-9]00)/, i: /font-style: *italic/, s: /line-through/ };

/**
 * Puts elements that the outline stores in place of the styles and fonts that a browser has made. It does when one types
 * over a selection, so that the new text looks like the one before.
 */
export function replaceStyles(field: HTMLElement): void {
	const styled = field.querySelectorAll("font, span, [style]");
	if (styled.length > 0) withSelection(field, () => replaceEach(styled));
}

function replaceEach(styled: Iterable<Element>): void {
	for (const element of styled) {
		const style = element.getAttribute("style") ?? "";
		element.removeAttribute("style");
		for (const format of ["b", "i", "s"] as const) {
			if (!styles[format].test(style) || element.closest(elements[format]) !== null) continue;
			const inner = document.createElement(format);
			inner.append(...element.childNodes);
			element.append(inner);
		}
		if (element.matches("font, span")) element.replaceWith(...element.childNodes);
	}
}

/** The parts of texts that are in a range, as texts of their own. */
function cutOut(texts: readonly Text[], range: Range): Text[] {
	const { startContainer, startOffset, endContainer, endOffset } = range;
	const parts = texts
		.filter((text) => range.intersectsNode(text))
		.map((text) => {
			const start = text === startContainer ? startOffset : 0;
			return { text, start, end: text === endContainer ? endOffset : text.length };
		});
	return parts
		.filter(({ text, start, end }) => text.data.slice(start, end).replaceAll(caretHold, "") !== "")
		.map(({ text, start, end }) => {
			if (end < text.length) text.splitText(end);
			return start > 0 ? text.splitText(start) : text;
		});
}

function wrap(text: Text, format: Format): void {
	const wrapped = text.parentElement!.closest("time") ?? text;
	const element = document.createElement(format);
	wrapped.replaceWith(element);
	element.append(wrapped);
}

function toggleAtCaret(range: Range, format: Format): void {
	takeWholeDates(range);
	range.collapse();
	const { startContainer } = range;
	const parent = startContainer instanceof Element ? startContainer : startContainer.parentElement!;
	const around = parent.closest(elements[format]);
	const hold = document.createTextNode(caretHold);
	if (around === null) {
		const element = document.createElement(format);
		element.append(hold);
		range.insertNode(element);
	} else leave(around, range, hold, format);
	getSelection()!.collapse(hold, 1);
}

/** Puts a text behind an element or between two parts of it, and in the same other elements as before. */
function leave(element: Element, range: Range, text: Text, format: Format): void {
	let holder: Node = text;
	for (let at: Node = range.startContainer; at !== element; at = at.parentNode!) {
		if (!(at instanceof Element) || at.matches(`a, time, ${elements[format]}`)) continue;
		const copy = at.cloneNode(false);
		copy.appendChild(holder);
		holder = copy;
	}
	splitAround(element, range);
	element.replaceWith(holder);
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

/** Makes one element of neighbours that format in the same way. */
function joinAlike(field: HTMLElement): void {
	for (const element of field.querySelectorAll(Object.values(elements).join())) {
		for (let next = element.nextSibling; isAlike(element, next); next = element.nextSibling) {
			element.append(...next.childNodes);
			next.remove();
		}
	}
}

function isAlike(element: Element, next: Node | null): next is Element {
	return element.isConnected && next instanceof Element && next.tagName === element.tagName;
}

/** Widens a range around the dates at its ends: each part of a date would be a date. */
function takeWholeDates(range: Range): void {
	const dateAround = (node: Node) => (node instanceof Element ? node : node.parentElement!).closest("time");
	const [first, last] = [dateAround(range.startContainer), dateAround(range.endContainer)];
	if (last !== null) range.setEndAfter(last);
	if (first !== null) range.setStart(first.parentNode!, [...first.parentNode!.childNodes].indexOf(first));
}
