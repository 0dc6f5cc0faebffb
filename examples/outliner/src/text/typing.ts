/**
 * Applies a held key to the field that has the focus now. The browser offers programs no
 * other way to edit as if the user typed.
 */
export function typeHeld({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
	if (ctrlKey || metaKey) return false;
	switch (key) {
		case "Backspace":
			return document.execCommand("delete");
		case "Delete":
			return document.execCommand("forwardDelete");
		case "ArrowLeft":
		case "ArrowRight":
			getSelection()?.modify(shiftKey ? "extend" : "move", key === "ArrowLeft" ? "left" : "right", "character");
			return true;
		case "Home":
		case "End":
			getSelection()?.modify(shiftKey ? "extend" : "move", key === "Home" ? "backward" : "forward", "lineboundary");
			return true;
		case "Enter": {
			const { activeElement } = document;
			if (activeElement instanceof HTMLInputElement) activeElement.form?.requestSubmit();
			else if (activeElement instanceof HTMLButtonElement) activeElement.click();
			return true;
		}
		default:
			return [...key].length === 1 && insert(key);
	}
}

function insert(text: string): boolean {
	const { activeElement } = document;
	if (!(activeElement instanceof HTMLInputElement) || activeElement.selectionStart === null)
		return document.execCommand("insertText", false, text);
	// Not by a command of the browser: what listens to the input may give the text back to a row by such a command,
	// and browsers ignore one within another.
	activeElement.setRangeText(text, activeElement.selectionStart, activeElement.selectionEnd!, "end");
	return activeElement.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText", data: text }));
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
