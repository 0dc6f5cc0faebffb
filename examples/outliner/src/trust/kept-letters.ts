import type { Editor } from "../commands/editor.js";
import { isCommandKey } from "../commands/keyboard.js";
import { isNowhere } from "../commands/navigation.js";
import { textOf } from "../text/typing.js";

/**
 * Keeps the letters that the user goes on typing after the row with the caret is gone, until the caret is in
 * another row. Otherwise they would be lost. Backspace takes back the last one.
 */
export class KeptLetters {
	readonly #editor: Editor;
	readonly #onChange: () => void;
	readonly #keys: KeyboardEvent[] = [];
	readonly #unsubscribe: () => void;

	/**
	 * @param deleted - the id of the node that the row showed
	 * @param onChange - called after each key
	 */
	constructor(editor: Editor, deleted: string, onChange: () => void) {
		const { workspace } = editor;
		this.#editor = editor;
		this.#onChange = onChange;
		addEventListener("keydown", this.#onKeyDown, { capture: true });
		this.#unsubscribe = workspace.focus.subscribe(() => {
			// A command that ran on the row may still put the caret there.
			const { focusedNode } = workspace;
			if (focusedNode !== null && focusedNode.id !== deleted) this.close();
		});
	}

	/** The keys of the letters. */
	get keys(): readonly KeyboardEvent[] {
		return this.#keys;
	}

	/** The letters. */
	get text(): string {
		return textOf(this.#keys);
	}

	/** Keeps no more letters than it has. */
	close(): void {
		this.#unsubscribe();
		removeEventListener("keydown", this.#onKeyDown, { capture: true });
	}

	readonly #onKeyDown = (event: KeyboardEvent) => {
		const { key, altKey, ctrlKey, metaKey, isComposing } = event;
		const isLetter = [...key].length === 1;
		// A letter behind held ones comes here after them.
		if (event.isTrusted && this.#editor.isBusy) return;
		if (ctrlKey || metaKey || isComposing || !isNowhere(this.#editor.workspace)) return;
		// On a Mac, Alt also writes letters.
		if (altKey && isCommandKey(event)) return;
		if (!isLetter && (key !== "Backspace" || this.#keys.length === 0)) return;
		event.preventDefault();
		event.stopPropagation();
		if (isLetter) this.#keys.push(event);
		else this.#keys.pop();
		this.#onChange();
	};
}
