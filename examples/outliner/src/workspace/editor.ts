import type { Command } from "../commands/command.js";
import { chordOf, commandFor } from "../commands/keyboard.js";
import { backToRows, isNowhere } from "../commands/navigation.js";
import { activeField } from "../text/field.js";
import { typeHeld, typeInto } from "../text/typing.js";
import { flush } from "../view/rendering.js";
import { Queue } from "./queue.js";
import type { Workspace } from "./workspace.js";

/** Runs commands, those of the keyboard among them, one after the other. */
export class Editor {
	readonly workspace: Workspace;
	readonly #queue: Queue;

	constructor(workspace: Workspace) {
		this.workspace = workspace;
		this.#queue = new Queue(
			(event) => this.#type(event),
			(error) => workspace.tell(error),
		);
	}

	/** Runs a command when those before it are done. */
	run(command: Command): Promise<void> {
		return this.#queue.run(() => this.#do(command));
	}

	/** Does something with the outline, when the commands before it are done. */
	do(work: () => Promise<unknown>): Promise<void> {
		return this.#queue.run(async () => {
			await this.workspace.saves.settled();
			await this.workspace.saves.commit(work);
			flush();
		});
	}

	/** Takes a key if it means a command, or has to wait for one. */
	keyDown(event: KeyboardEvent): void {
		if (event.isComposing || event.defaultPrevented) return;
		// What is pasted takes its turn when the browser hands it over.
		if (["Mod+V", "Mod+Shift+V"].includes(chordOf(event)) || this.holds(event)) return;
		const command = commandFor(event, this.workspace);
		if (command === undefined) return;
		event.preventDefault();
		void this.run(command);
	}

	/**
	 * Takes what a keyboard means that names no keys, as those on screens do: what is a command, and what has to wait for one.
	 * What a command itself writes isn't told of here.
	 */
	beforeInput(event: InputEvent): void {
		if (event.defaultPrevented || event.isComposing || activeField() === null) return;
		const keys = keysOf(event);
		if (this.#queue.busy) {
			for (const key of keys) this.#queue.hold(key);
			if (keys.length > 0) event.preventDefault();
		} else if (event.inputType !== "insertText" && keys[0] !== undefined) {
			const command = commandFor(keys[0], this.workspace);
			if (command === undefined) return;
			event.preventDefault();
			void this.run(command);
		}
	}

	/** Keeps a key back as long as something is being done. Returns whether it does. */
	holds(event: KeyboardEvent): boolean {
		// Those that aren't a person's are those that were kept back.
		if (!this.#queue.busy || !event.isTrusted) return false;
		event.preventDefault();
		this.#queue.hold(event);
		return true;
	}

	/** Forgets the keys that were kept back. */
	forgetKeys(): void {
		this.#queue.forget();
	}

	async #do({ run, settles = true }: Command): Promise<void> {
		const { saves } = this.workspace;
		const wasNowhere = isNowhere(this.workspace);
		if (settles) await saves.settled();
		await (settles ? saves.commit(async () => run(this.workspace)) : run(this.workspace));
		flush();
		// It may have taken away the row with the caret.
		if (!wasNowhere && isNowhere(this.workspace)) backToRows(this.workspace);
		flush();
	}

	#type(event: KeyboardEvent): boolean | Promise<void> {
		if (this.workspace.dialog.current !== null) return typeInto(document.activeElement, event) || typeHeld(event);
		const command = commandFor(event, this.workspace);
		return command === undefined ? typeHeld(event) : this.#do(command);
	}
}

/** The keys that stand for what a keyboard has brought; none for what only the browser can do. */
function keysOf({ inputType, data }: InputEvent): KeyboardEvent[] {
	const keys: { readonly [inputType: string]: readonly string[] } = {
		insertText: [...(data ?? "")],
		insertParagraph: ["Enter"],
		insertLineBreak: ["Enter"],
		deleteContentBackward: ["Backspace"],
	};
	return (keys[inputType] ?? []).map((key) => new KeyboardEvent("keydown", { key }));
}
