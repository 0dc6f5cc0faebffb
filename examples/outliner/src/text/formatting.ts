import { spanIn } from "./caret.js";
import { activeField, caretOffset } from "./field.js";
import { caretHold } from "./fragment.js";

/** The last formatting of typed Markdown: its field, with the text and the caret right afterwards. */
let last: { readonly field: HTMLElement; readonly text: string; readonly caret: number | "end" } | undefined;

/** Remembers that typed Markdown has just been formatted in a field. */
export function formattedIn(field: HTMLElement): void {
	last = { field, text: textIn(field), caret: caretOffset() };
}

/** Forgets it, because something else has happened since: the next undo takes back that. */
export function forgetFormatting(): void {
	last = undefined;
}

/** Whether the last edit of the active field was such a formatting, and the caret is right behind it. */
export function isJustFormatted(): boolean {
	const field = activeField();
	if (last === undefined || field === null || field !== last.field || textIn(field) !== last.text) return false;
	const span = spanIn(field);
	return span !== undefined && span.start === span.end && caretOffset() === last.caret;
}

/** The text without what holds the caret, which some keys take out. */
function textIn(field: HTMLElement): string {
	return field.textContent!.replaceAll(caretHold, "");
}
