import { isNowhere } from "../commands/navigation.js";
import { textOf } from "../text/typing.js";
import type { Workspace } from "../workspace/workspace.js";

/**
 * Keeps the letters that the user goes on typing after the row with the caret is gone, until the caret is in
 * another row. Otherwise they would be lost. Backspace takes back the last one.
 */
export class KeptLetters {
	readonly #workspace: Workspace;
	readonly #onChange: () => void;
	readonly #keys: KeyboardEvent[] = [];
	readonly #unsubscribe: () => void;

	/** @param onChange - called after each key */
	constructor(workspace: Workspace, onChange: () => void) {
		this.#workspace = workspace;
		this.#onChange = onChange;
		addEventListener("keydown", this.#onKeyDown, { capture: true });
		this.#unsubscribe = workspace.focus.subscribe(() => {
			if (workspace.focus.current !== null) this.close();
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
		const { key, ctrlKey, metaKey, isComposing } = event;
		const isLetter = [...key].length === 1;
		if (ctrlKey || metaKey || isComposing || !isNowhere(this.#workspace)) return;
		if (!isLetter && (key !== "Backspace" || this.#keys.length === 0)) return;
		event.preventDefault();
		event.stopPropagation();
		if (isLetter) this.#keys.push(event);
		else this.#keys.pop();
		this.#onChange();
	};
}
