import { copyRows, copyText } from "../clipboard/copying.js";
import { lossOf, type Pasted, paste, pastedFrom } from "../clipboard/pasting.js";
import { dropHolds } from "../text/caret.js";
import { edit } from "../text/edit.js";
import { activeField } from "../text/field.js";
import type { Editor } from "./editor.js";
import { isNowhere } from "./navigation.js";
import { removeRows } from "./structure.js";

/** Takes part in copying, cutting and pasting, and in dropping text. Returns what ends it. */
export function listenToClipboard(editor: Editor): () => void {
	const { workspace } = editor;
	const ended = new AbortController();
	const options = { signal: ended.signal };
	/** Whether the held keys mean to paste as plain text. */
	let isPlain = false;
	const isElsewhere = () =>
		workspace.dialog.current !== null || (workspace.selection.current === null && activeField() === null);
	const onCopy = (event: ClipboardEvent) => {
		if (!isElsewhere()) copyOrCut(editor, event);
	};
	const take = (pasted: Pasted) => {
		const loss = lossOf(pasted);
		if (loss !== undefined) workspace.message.set({ text: loss, isError: false });
		if (pasted.text !== "") void editor.run({ settles: false, run: () => paste(workspace, pasted) });
	};
	const onPaste = (event: ClipboardEvent) => {
		// Another tab or device may have deleted the row with the caret.
		if (isElsewhere() && !isNowhere(workspace)) return;
		event.preventDefault();
		take(pastedFrom(event.clipboardData!, isPlain));
	};
	const onBeforeInput = (event: InputEvent) => {
		const field = (event.target as Element).closest<HTMLElement>("[data-field]");
		if (event.inputType !== "insertFromDrop" || field === null) return;
		// Foreign HTML must not come into the page.
		event.preventDefault();
		const pasted = pastedFrom(event.dataTransfer!, false);
		const [place] = event.getTargetRanges();
		field.focus();
		if (place !== undefined) getSelection()!.collapse(place.startContainer, place.startOffset);
		take(pasted);
	};
	addEventListener("copy", onCopy, options);
	addEventListener("cut", onCopy, options);
	addEventListener("paste", onPaste, options);
	addEventListener("beforeinput", onBeforeInput, options);
	for (const type of ["keydown", "keyup"] as const) {
		addEventListener(
			type,
			({ shiftKey, key }) => {
				isPlain = type === "keydown" && shiftKey && key.toLowerCase() === "v";
			},
			{ ...options, capture: true },
		);
	}
	return () => ended.abort();
}

/** Copies the selected rows, or the selected text, and removes them if the event is of cutting. */
function copyOrCut(editor: Editor, event: ClipboardEvent): void {
	const { workspace } = editor;
	const isCut = event.type === "cut";
	if (workspace.selection.current !== null) {
		event.preventDefault();
		// Asked for at once, as long as browsers know that a person wants it.
		const copied = copyRows(workspace, isCut);
		copied.catch(() => {});
		// A click before they are gone chooses another row.
		const rows = workspace.chosenRows;
		void editor.run({
			settles: isCut,
			run: async () => {
				await copied;
				if (isCut) await removeRows(workspace, rows);
			},
		});
		return;
	}
	const field = activeField()!;
	// What holds the caret is no part of the text.
	if (getSelection()?.isCollapsed === false) dropHolds(field);
	if (copyText(field, event.clipboardData!)) {
		event.preventDefault();
		if (isCut) edit("delete");
	}
}
