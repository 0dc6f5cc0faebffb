import { rangeBefore } from "./caret.js";
import { caretHold } from "./fragment.js";

/** An element of a text that leads to a place: a link, or a date. */
export type Link = HTMLAnchorElement | HTMLTimeElement;

const links = "a[href], time[datetime]";

/** The link that an element is in, if it is in one. */
export function linkAround(target: EventTarget | null): Link | undefined {
	return (target instanceof Element && target.closest<Link>(links)) || undefined;
}

/** The link that the caret is in, or just before or behind. */
export function linkAtCaret(field: HTMLElement): Link | undefined {
	const selection = getSelection();
	if (selection === null || selection.rangeCount === 0) return undefined;
	const { startContainer, startOffset } = selection.getRangeAt(0);
	if (!field.contains(startContainer)) return undefined;
	const caret = offsetOf(field, startContainer, startOffset);
	return [...field.querySelectorAll<Link>(links)].find((link) => {
		const start = offsetOf(field, link, 0);
		return start <= caret && caret <= start + shown(link.textContent).length;
	});
}

/** The number of characters of a field before a point. */
function offsetOf(field: HTMLElement, node: Node, offset: number): number {
	return shown(rangeBefore(field, node, offset).toString()).length;
}

function shown(text: string): string {
	return text.replaceAll(caretHold, "");
}
