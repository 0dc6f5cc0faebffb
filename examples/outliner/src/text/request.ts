import { placeBehind, rangeBefore } from "./caret.js";
import { edit } from "./edit.js";
import { activeField } from "./field.js";
import { caretHold } from "./fragment.js";
import { isClosed } from "./linking.js";

/** The text of a field before the caret. */
function textBefore(field: HTMLElement): string {
	const { startContainer, startOffset } = getSelection()!.getRangeAt(0);
	return rangeBefore(field, startContainer, startOffset).toString();
}

/** Whether a slash has just been typed that begins a word, and so asks for the menu, unless it is in code. */
export function asksForMenu(field: HTMLElement): boolean {
	if (getSelection()?.anchorNode?.parentElement?.closest("code")) return false;
	return /(?:^|\s)\/$/.test(textBefore(field).replaceAll(caretHold, ""));
}

/** Whether the text before the caret asks for a dialog. A third bracket, and text in code, a link or a date, doesn't. */
export function asksFor(request: "((" | "[[", field: HTMLElement): boolean {
	const before = textBefore(field);
	return before.endsWith(request) && !before.endsWith(request[0] + request) && !isClosed();
}

/** Puts what was typed into a dialog behind the text that asked for it, if the person has chosen nothing. */
export function giveBack(request: string, typed: string): void {
	const field = activeField();
	if (typed === "" || field === null || !textBefore(field).endsWith(request)) return;
	edit("insertText", typed);
}

/** Takes out the text that asked for a dialog, such as `((`, from the field in which it was typed. */
export function takeOut(request: string): void {
	const field = activeField();
	if (field === null || !textBefore(field).endsWith(request)) return;
	const { anchorNode } = getSelection()!;
	const around = anchorNode instanceof Text ? anchorNode.parentElement : anchorNode;
	for (const _ of request) edit("delete");
	// Browsers put the caret into a link or bold text that ends here, and what follows isn't part of it.
	let within = getSelection()!.anchorNode;
	while (within !== null && within !== around && within.parentNode !== around) within = within.parentNode;
	if (within instanceof Element && within !== around) placeBehind(within);
}
