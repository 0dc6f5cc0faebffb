import { lengthOf, spanIn } from "./caret.js";
import { caretHold, fragmentOf } from "./fragment.js";

/** The field that has the focus, if it is one in which a text of a node is edited. */
export function activeField(): HTMLElement | null {
	const { activeElement } = document;
	return activeElement instanceof HTMLElement && activeElement.dataset.field !== undefined ? activeElement : null;
}

/** The text in a field as it is edited now; undefined if the field isn't there. */
export function fieldText({ key, field }: { readonly key: string; readonly field: string }): string | undefined {
	const element = document.querySelector(`[data-field="${field}"][data-key="${CSS.escape(key)}"]`);
	if (element === null) return undefined;
	return field === "name" ? fragmentOf(element) : (element.textContent ?? "");
}

/** The offset of the caret in the text of the active field, or its end. */
export function caretOffset(): number | "end" {
	const field = activeField();
	const span = field === null ? undefined : spanIn(field);
	return span === undefined ? "end" : field!.textContent!.slice(0, span.start).replaceAll(caretHold, "").length;
}

/** Whether there is a caret, with nothing selected, at an end of the active field. */
export function caretIsAt(end: "start" | "end"): boolean {
	const field = activeField();
	const span = field === null ? undefined : spanIn(field);
	if (field === null || span === undefined || span.start !== span.end) return false;
	return end === "start" ? span.start === 0 : span.end >= lengthOf(field);
}

/** Whether the active field is that of a name, or of a note. */
export function activeFieldIs(kind: "name" | "note"): boolean {
	return activeField()?.dataset.field === kind;
}
