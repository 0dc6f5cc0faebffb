import { dropHolds } from "../text/caret.js";
import { codeOf } from "../text/error-code.js";
import { activeField, caretOffset } from "../text/field.js";
import { forgetFormatting } from "../text/formatting.js";
import { textOf, typeHeld, typeInto } from "../text/typing.js";
import type { Focus } from "../workspace/focus.js";
import { titleKey, type Workspace } from "../workspace/workspace.js";
import type { Command } from "./command.js";
import { chordOf, commandFor, hasRows } from "./keyboard.js";
import { backToRows, isNowhere } from "./navigation.js";
import { Queue } from "./queue.js";

/** The codes of errors by which another tab or device may have overtaken a command. */
const overtaken: ReadonlySet<unknown> = new Set(["edit_conflict", "not_found"]);

/** Runs commands, also the ones of the keyboard, one after the other. */
export class Editor {
	readonly workspace: Workspace;
	readonly #queue: Queue<KeyboardEvent | Focus>;
	readonly #flush: () => void;

	/** @param flush - brings the page up to date at once */
	constructor(workspace: Workspace, flush: () => void) {
		this.workspace = workspace;
		this.#flush = flush;
		this.#queue = new Queue(
			(input) => (input instanceof KeyboardEvent ? this.#type(input) : this.#goBack(input)),
			(error, held) => workspace.tell(error, textOf(held.filter((input) => input instanceof KeyboardEvent))),
		);
		workspace.onRootDeleted = () => {
			const { root } = workspace;
			void this.holdDuring(async () => {
				// An earlier command may have gone elsewhere, or brought the node back.
				if (workspace.root === root) await workspace.zoom(null);
			});
		};
	}

	/** Whether a command runs. */
	get isBusy(): boolean {
		return this.#queue.busy;
	}

	/** Runs a command after the earlier ones. */
	run(command: Command): Promise<void> {
		return this.#queue.run(() => this.#do(command));
	}

	/** Runs a function on the outline after the earlier commands. */
	do(work: () => Promise<unknown>): Promise<void> {
		const { saves } = this.workspace;
		return this.holdDuring(async () => {
			forgetFormatting();
			await saves.settled();
			await saves.during(work);
		});
	}

	/** Runs a function after the earlier commands. Keys wait until it ends. */
	holdDuring(work: () => Promise<unknown>): Promise<void> {
		return this.#queue.run(async () => {
			await work();
			this.#flush();
		});
	}

	/** Takes a key if it means a command, or has to wait for one. */
	keyDown(event: KeyboardEvent): void {
		if (event.isComposing || event.defaultPrevented) return;
		// Pasting takes its turn when the browser delivers the text.
		if (["Mod+V", "Mod+Shift+V"].includes(chordOf(event)) || this.holds(event)) return;
		dropHoldsFor(event);
		const command = commandFor(event, this.workspace);
		if (command === undefined) return;
		event.preventDefault();
		void this.run(command);
	}

	/**
	 * Handles input of keyboards without key names, such as on-screen ones: commands, and input that has to
	 * wait for one. Ignores input that a command itself writes.
	 */
	beforeInput(event: InputEvent): void {
		if (event.defaultPrevented || event.isComposing || activeField() === null) return;
		const keys = keysOf(event);
		if (this.#queue.busy) {
			for (const key of keys) this.#queue.hold(key);
			if (keys.length > 0) event.preventDefault();
		} else if (event.inputType !== "insertText" && keys[0] !== undefined) {
			dropHoldsFor(keys[0]);
			const command = commandFor(keys[0], this.workspace);
			if (command === undefined) return;
			event.preventDefault();
			void this.run(command);
		}
	}

	/**
	 * Handles a click that has put the caret into a text while a command runs. The command may take the caret
	 * elsewhere when it ends, so the caret goes back then.
	 */
	click({ target }: MouseEvent): void {
		const { current } = this.workspace.focus;
		const isInText = (target as Element).closest("a, button, input") === null && activeField() !== null;
		if (!this.#queue.busy || current === null || !isInText || !getSelection()?.isCollapsed) return;
		this.#queue.hold({ ...current, caret: caretOffset() });
	}

	/** Holds a key while a command runs. Returns whether it does. */
	holds(event: KeyboardEvent): boolean {
		// Events that don't come from the user are held keys.
		if (!this.#queue.busy || !event.isTrusted) return false;
		event.preventDefault();
		this.#queue.hold(event);
		return true;
	}

	/** Types keys when the running command ends. */
	type(keys: readonly KeyboardEvent[]): void {
		for (const key of keys) this.#queue.hold(key);
	}

	/** Forgets the held keys and clicks. */
	forgetKeys(): void {
		this.#queue.forget();
	}

	async #do(command: Command): Promise<void> {
		const { run, when = hasRows, settles = true } = command;
		forgetFormatting();
		const { saves } = this.workspace;
		const wasNowhere = isNowhere(this.workspace);
		const hadRows = hasRows(this.workspace);
		if (settles) await saves.settled();
		// Another tab or device may have deleted the row with the caret meanwhile. A message offers to restore it with the
		// letters that follow, so they must not go into another row.
		const isLost = () => hadRows && !hasRows(this.workspace);
		let hasRun = true;
		try {
			if (isLost() && !when(this.workspace)) hasRun = false;
			else if (settles) hasRun = await saves.during(() => this.#runOnRows(command));
			else await run(this.workspace);
		} catch (error) {
			hasRun = codeOf(error) !== "not_found" || !isLost();
			if (hasRun) throw error;
		} finally {
			this.#flush();
			// It may have taken away the row with the caret.
			if (hasRun && !wasNowhere && isNowhere(this.workspace)) backToRows(this.workspace);
			this.#flush();
		}
	}

	/**
	 * Runs a command. If another tab or device has changed a text or deleted a row that the command works on, runs it
	 * again on the rows that show now, unless there are none. Returns whether it ran.
	 */
	async #runOnRows({ run, when = hasRows }: Command): Promise<boolean> {
		const { outline, rows } = this.workspace;
		let hasWritten = false;
		const unsubscribe = outline.subscribe(({ source }) => {
			hasWritten ||= source === "local";
		});
		try {
			for (;;) {
				this.#flush();
				const { current } = rows;
				try {
					await run(this.workspace);
					return true;
				} catch (error) {
					const isOvertaken = overtaken.has(codeOf(error)) && !hasWritten && rows.current !== current;
					if (!isOvertaken) throw error;
				}
				if (!when(this.workspace)) return false;
			}
		} finally {
			unsubscribe();
		}
	}

	#goBack(place: Focus): void {
		const { dialog, focus, selection } = this.workspace;
		if (dialog.current !== null || (place.key !== titleKey && this.workspace.row(place.key) === undefined)) return;
		selection.set(null);
		focus.set(place);
		this.#flush();
	}

	#type(event: KeyboardEvent): boolean | Promise<void> {
		if (this.workspace.dialog.current !== null) {
			// By then the earlier text shows, as between two keys of a user.
			this.#flush();
			return typeInto(document.activeElement, event) || typeHeld(event);
		}
		dropHoldsFor(event);
		const command = commandFor(event, this.workspace);
		if (command !== undefined) return this.#do(command);
		// Where no field is, `trust/kept-letters.ts` may listen.
		return typeHeld(event) || typeInto(document.activeElement, event);
	}
}

/** Prepares the field with the caret for a key that moves the caret or deletes a character. */
function dropHoldsFor({ key, altKey, ctrlKey, metaKey }: KeyboardEvent): void {
	const field = activeField();
	if (field === null || altKey || ctrlKey || metaKey) return;
	if (/^(Arrow.*|Home|End|Backspace|Delete)$/.test(key)) dropHolds(field);
}

/** The keys for an input event; none if only the browser can handle it. */
function keysOf({ inputType, data }: InputEvent): KeyboardEvent[] {
	const keys: { readonly [inputType: string]: readonly string[] } = {
		insertText: [...(data ?? "")],
		insertParagraph: ["Enter"],
		insertLineBreak: ["Enter"],
		deleteContentBackward: ["Backspace"],
	};
	return (keys[inputType] ?? []).map((key) => new KeyboardEvent("keydown", { key }));
}
