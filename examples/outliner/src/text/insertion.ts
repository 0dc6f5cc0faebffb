import { placeBehind } from "./caret.js";
import { showDatesInWords } from "./date-label.js";

/** Replaces the selection in a field, and puts the caret behind the new text, like typing. */
export function insert(field: HTMLElement, contents: DocumentFragment | string): void {
	const range = getSelection()!.getRangeAt(0);
	range.deleteContents();
	// Of an element that was selected only in part as the range has it, a husk stays.
	for (const element of field.querySelectorAll("*")) if (element.textContent === "") element.remove();
	const nodes = typeof contents === "string" ? [document.createTextNode(contents)] : [...contents.childNodes];
	const last = nodes.at(-1);
	if (last === undefined) return;
	const fragment = document.createDocumentFragment();
	fragment.append(...nodes);
	showDatesInWords(fragment);
	range.insertNode(fragment);
	if (last instanceof HTMLAnchorElement || last instanceof HTMLTimeElement) placeBehind(last);
	else getSelection()!.collapse(last, last instanceof Text ? last.length : last.childNodes.length);
	field.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertFromPaste" }));
}
