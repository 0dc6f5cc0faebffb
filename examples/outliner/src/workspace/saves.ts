import { type Outline, OutlineError, type OutlineNode } from "outlinekit";
import { Draft } from "../text/draft.js";
import { codeOf } from "../text/error-code.js";
import { Cell } from "./cell.js";

/** A text of a node that a person edits. */
export type TextField = "name" | "note";

/** Whether the typed text is saved. */
export type SaveState = "saved" | "saving" | { readonly failed: unknown };

/** An unsaved text, and where it belongs. */
interface Unsaved {
	readonly id: string;
	readonly field: TextField;
	readonly draft: Draft;
	/** Whether it is being stored. */
	isStoring: boolean;
}

/**
 * Stores typed text: each keystroke at once, and after a running write only the newest text. A text that
 * can't be stored stays here, and on the screen, until it can. Merges the text with edits of other tabs.
 */
export class Saves {
	readonly state = new Cell<SaveState>("saved");
	readonly #outline: Outline;
	/** The number of changes of unsaved texts. Views follow it. */
	readonly changes = new Cell(0);
	/** The unsaved texts, by field and id. */
	readonly #drafts = new Map<string, Unsaved>();
	/** Where the last typing was: the key of the text, and the part of it that was written. */
	#last: { readonly key: string; readonly start: number; readonly end: number } | undefined;
	/** The number of other changes under way. */
	#changing = 0;
	#waiting: (() => void)[] = [];

	constructor(outline: Outline) {
		this.#outline = outline;
	}

	/** The text of a node as it was typed, if it isn't stored yet. */
	draft(id: string, field: TextField): string | undefined {
		return this.#drafts.get(`${field} ${id}`)?.draft.text;
	}

	/** The unsaved text, whether a write of it runs or not. */
	get unsaved(): readonly { readonly id: string; readonly field: TextField; readonly text: string }[] {
		return [...this.#drafts.values()].map(({ id, field, draft }) => ({ id, field, text: draft.text }));
	}

	/**
	 * Keeps what was typed.
	 *
	 * @param shown - the text that showed before
	 * @param isStep - whether an undo takes it back alone
	 */
	typed(id: string, field: TextField, text: string, shown: string, isStep = false): void {
		const key = `${field} ${id}`;
		const unsaved = this.#drafts.get(key) ?? { id, field, draft: new Draft(shown), isStoring: false };
		this.#drafts.set(key, unsaved);
		const isAlong = this.#goOn(key, text, shown);
		unsaved.draft.type(text, shown, isStep ? "alone" : isAlong ? "along" : "apart");
		this.changes.set(this.changes.current + 1);
		if (!unsaved.isStoring) void this.#store(key, unsaved);
	}

	/** The caret has gone to another text: one undo takes back no more than what is typed from now on. */
	leave(): void {
		this.#last = undefined;
	}

	/** Remembers the place of the typing. Returns whether it goes on where the typing before it was. */
	#goOn(key: string, text: string, shown: string): boolean {
		const last = this.#last;
		const shorter = Math.min(shown.length, text.length);
		let start = 0;
		while (start < shorter && shown[start] === text[start]) start++;
		let tail = 0;
		while (tail < shorter - start && shown.at(-1 - tail) === text.at(-1 - tail)) tail++;
		this.#last = { key, start, end: text.length - tail };
		return last?.key === key && start <= last.end && shown.length - tail >= last.start;
	}

	/** Runs any other change of the outline. The state is `saving` until it ends. */
	async during<T>(work: () => Promise<T>): Promise<T> {
		this.#changing += 1;
		this.#updateState();
		try {
			return await work();
		} finally {
			this.#changing -= 1;
			this.#updateState();
		}
	}

	/** Tries again what couldn't be stored. */
	retry(): void {
		for (const [key, unsaved] of this.#drafts) if (!unsaved.isStoring) void this.#store(key, unsaved);
	}

	/** Resolves when what was typed is stored. @throws what storing it threw */
	async settled(): Promise<void> {
		while ([...this.#drafts.values()].some(({ isStoring }) => isStoring)) {
			await new Promise<void>((resolve) => this.#waiting.push(resolve));
		}
		const { current } = this.state;
		if (typeof current === "object") throw current.failed;
	}

	async #store(key: string, unsaved: Unsaved): Promise<void> {
		unsaved.isStoring = true;
		this.#updateState();
		let failed: unknown;
		try {
			while (!unsaved.draft.isStored) await this.#write(unsaved);
			this.#drafts.delete(key);
		} catch (error) {
			failed = error;
			unsaved.draft.fail();
			// The user doesn't need the text if they have deleted the node. Otherwise `trust/deleted-elsewhere.ts` shows it.
			if (codeOf(error) === "not_found") this.#drafts.delete(key);
		}
		unsaved.isStoring = false;
		this.#updateState(failed);
		for (const resolve of this.#waiting.splice(0)) resolve();
	}

	/** Stores one version of a text, and takes in the edits of other tabs. */
	async #write({ id, field, draft }: Unsaved): Promise<void> {
		const { text, base, part } = draft.send();
		const storedAs = (written: string) => (field === "note" && written === "" ? null : written);
		const input = { [field]: storedAs(text), base: { [field]: storedAs(base) } };
		let hasArrived = true;
		try {
			// The steps of updates that follow each other without a pause are one; a batch is a step of its own.
			if (part === "apart") this.#outline.endUndoStep();
			const node =
				part === "alone"
					? (await this.#outline.batch([{ type: "update", ref: id, ...input }])).results[0]!
					: await this.#outline.update(id, input);
			hasArrived = draft.store((node as OutlineNode)[field] ?? "");
		} catch (error) {
			if (!(error instanceof OutlineError) || error.code !== "edit_conflict") throw error;
			draft.refuse(error.stored![field] ?? "");
		}
		if (hasArrived) this.changes.set(this.changes.current + 1);
	}

	#updateState(failed?: unknown): void {
		const drafts = [...this.#drafts.values()];
		const unsent = drafts.some(({ isStoring }) => !isStoring);
		const before = this.state.current;
		if (unsent) this.state.set(failed === undefined && typeof before === "object" ? before : { failed });
		else this.state.set(drafts.length > 0 || this.#changing > 0 ? "saving" : "saved");
	}
}
