/**
 * Edits the text with the caret as if the user did: replaces the selection, or deletes it or a character. Safari
 * sends `beforeinput` for such an edit, as for one by the user. Other browsers don't, so no listener gets it.
 */
export function edit(...[command, text]: ["insertText", string] | ["delete" | "forwardDelete"]): boolean {
	const hide = (event: InputEvent) => event.stopImmediatePropagation();
	addEventListener("beforeinput", hide, true);
	try {
		return document.execCommand(command, false, text);
	} finally {
		removeEventListener("beforeinput", hide, true);
	}
}
