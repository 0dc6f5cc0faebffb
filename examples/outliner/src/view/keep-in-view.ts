import { caretRect } from "../text/caret.js";
import { activeField } from "../text/field.js";

/** The space between the caret and the edge of the page, in pixels. */
const space = 12;

/**
 * Keeps the caret or the selected row in sight when the page becomes smaller, because a message, the bar for
 * fingers or a keyboard takes room. Returns a function that ends it.
 */
export function keepInView(page: HTMLElement): () => void {
	let height = page.clientHeight;
	const observer = new ResizeObserver(() => {
		const isSmaller = page.clientHeight < height;
		height = page.clientHeight;
		if (!isSmaller) return;
		const line = lineAtWork(page);
		if (line === undefined) return;
		const { top, bottom } = page.getBoundingClientRect();
		if (line.bottom > bottom - space) page.scrollTop += line.bottom - bottom + space;
		else if (line.top < top) page.scrollTop -= top - line.top + space;
	});
	observer.observe(page);
	return () => observer.disconnect();
}

function lineAtWork(page: HTMLElement): DOMRect | undefined {
	const field = activeField();
	if (field !== null) return caretRect(field) ?? field.getBoundingClientRect();
	const id = page.querySelector("[aria-activedescendant]")?.getAttribute("aria-activedescendant");
	return id == null ? undefined : document.getElementById(id)?.getBoundingClientRect();
}
