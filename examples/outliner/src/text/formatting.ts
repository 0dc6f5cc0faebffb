import { spanIn } from "./caret.js";
import { activeField } from "./field.js";

/** The last formatting of typed Markdown: its field, with the text and the caret right afterwards. */
let last: { readonly field: HTMLElement; readonly text: string; readonly caret: number | undefined } | undefined;

/** Remembers that typed Markdown has just been formatted in a field. */
export function formattedIn(field: HTMLElement): void {
	last = { field, text: field.textContent!, caret: spanIn(field)?.start };
}

/** Forgets it, because something else has happened since: the next undo takes back that. */
export function forgetFormatting(): void {
	last = undefined;
}

/** Whether the last edit of the active field was such a formatting, and the caret is right behind it. */
export function isJustFormatted(): boolean {
	const field = activeField();
	if (last === undefined || field === null || field !== last.field || field.textContent !== last.text) return false;
	const span = spanIn(field);
	return span !== undefined && span.start === last.caret && span.end === last.caret;
}
