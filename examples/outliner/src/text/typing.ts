import { edit } from "./edit.js";

/**
 * Applies a held key to the field that has the focus now. The browser offers programs no
 * other way to edit as if the user typed.
 */
export function typeHeld({ key, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
	const { activeElement } = document;
	// Beside the fields, as in selected rows, the browser would still edit the text in which the caret was.
	const isEditable =
		activeElement instanceof HTMLInputElement ||
		(activeElement instanceof HTMLElement && activeElement.isContentEditable);
	if ((ctrlKey || metaKey) && key.length === 1) {
		const type = { c: "copy", x: "cut" }[key.toLowerCase()];
		if (type === undefined || shiftKey) return false;
		return isEditable ? document.execCommand(type) : !dispatchEvent(new ClipboardEvent(type, { cancelable: true }));
	}
	if (key === "Enter") {
		if (activeElement instanceof HTMLInputElement) activeElement.form?.requestSubmit();
		else if (activeElement instanceof HTMLButtonElement) activeElement.click();
		return true;
	}
	if (!isEditable) return false;
	// As far as the key goes, on a Mac too.
	const unit = metaKey ? "lineboundary" : ctrlKey || altKey ? "word" : "character";
	switch (key) {
		case "Backspace":
		case "Delete": {
			const selection = getSelection();
			const isBack = key === "Backspace";
			if (unit !== "character" && selection?.isCollapsed)
				selection.modify("extend", isBack ? "backward" : "forward", unit);
			return edit(isBack ? "delete" : "forwardDelete");
		}
		case "ArrowLeft":
		case "ArrowRight":
			getSelection()?.modify(shiftKey ? "extend" : "move", key === "ArrowLeft" ? "left" : "right", unit);
			return true;
		case "ArrowUp":
		case "ArrowDown":
			getSelection()?.modify(shiftKey ? "extend" : "move", key === "ArrowUp" ? "backward" : "forward", "line");
			return true;
		case "Home":
		case "End":
			getSelection()?.modify(shiftKey ? "extend" : "move", key === "Home" ? "backward" : "forward", "lineboundary");
			return true;
		default:
			return [...key].length === 1 && insert(key, activeElement);
	}
}

function insert(text: string, element: HTMLElement): boolean {
	if (!(element instanceof HTMLInputElement) || element.selectionStart === null) return edit("insertText", text);
	// Not by a command of the browser: what listens to the input may give the text back to a row by such a command,
	// and browsers ignore one within another.
	element.setRangeText(text, element.selectionStart, element.selectionEnd!, "end");
	return element.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText", data: text }));
}

/** The text that held keys write, with a space for each Enter. */
export function textOf(keys: readonly KeyboardEvent[]): string {
	const letters: string[] = [];
	for (const { key, ctrlKey, metaKey } of keys) {
		if (ctrlKey || metaKey) continue;
		if (key === "Backspace") letters.pop();
		else if (key === "Enter") letters.push(" ");
		else if ([...key].length === 1) letters.push(key);
	}
	return letters.join("");
}

/** Sends a held key to an element. Returns whether the element handled it. */
export function typeInto(element: Element | null, event: KeyboardEvent): boolean {
	return element !== null && !element.dispatchEvent(new KeyboardEvent("keydown", event));
}
