import type { Outline } from "outlinekit";
import { merged } from "../text/merging.js";
import { Cell } from "./cell.js";

/** A text of a node that a person edits. */
export type TextField = "name" | "note";

/** Whether the typed text is saved. */
export type SaveState = "saved" | "saving" | { readonly failed: unknown };

interface Draft {
	readonly id: string;
	readonly field: TextField;
	text: string;
	/** The text before the typing. */
	base: string;
	/** The outline's text at that moment, and whether it has more changes than the base. */
	stored: string;
	isMerged: boolean;
	/** The text that is being stored; undefined if there is none. */
	sent: string | undefined;
}

/**
 * Stores typed text: each keystroke at once, and after a running write only the newest text. A text that
 * can't be stored stays here, and on the screen, until it can. Merges the text with changes of other tabs.
 */
export class Saves {
	readonly state = new Cell<SaveState>("saved");
	readonly #outline: Outline;
	/** The unsaved texts, by field and id. */
	readonly #drafts = new Map<string, Draft>();
	/** Other commits under way. */
	#commits = 0;
	#waiting: (() => void)[] = [];

	constructor(outline: Outline) {
		this.#outline = outline;
	}

	/** The text of a node as it was typed, if it isn't stored yet. */
	draft(id: string, field: TextField): string | undefined {
		return this.#drafts.get(`${field} ${id}`)?.text;
	}

	/** The unsaved text, whether a write of it runs or not. */
	get unsaved(): readonly { readonly id: string; readonly field: TextField; readonly text: string }[] {
		return [...this.#drafts.values()];
	}

	/** Keeps what was typed. `stored` is the text that showed before. */
	typed(id: string, field: TextField, text: string, stored: string): void {
		const key = `${field} ${id}`;
		const draft = this.#drafts.get(key);
		if (draft === undefined) {
			this.#drafts.set(key, { id, field, text, base: stored, stored, isMerged: false, sent: undefined });
		} else draft.text = text;
		if (draft?.sent === undefined) void this.#store(key);
	}

	/** Does what changes the outline in another way, and tells that it is under way. */
	async commit<T>(work: () => Promise<T>): Promise<T> {
		this.#commits += 1;
		this.#tell();
		try {
			return await work();
		} finally {
			this.#commits -= 1;
			this.#tell();
		}
	}

	/** Tries again what couldn't be stored. */
	retry(): void {
		for (const [key, { sent }] of this.#drafts) if (sent === undefined) void this.#store(key);
	}

	/** Resolves when what was typed is stored. @throws what storing it threw */
	async settled(): Promise<void> {
		while ([...this.#drafts.values()].some(({ sent }) => sent !== undefined)) {
			await new Promise<void>((resolve) => this.#waiting.push(resolve));
		}
		const { current } = this.state;
		if (typeof current === "object") throw current.failed;
	}

	async #store(key: string): Promise<void> {
		const draft = this.#drafts.get(key)!;
		let failed: unknown;
		try {
			do {
				const sent = draft.text;
				draft.sent = sent;
				this.#tell();
				await alone(key, () => this.#write(draft, sent));
			} while (draft.text !== draft.sent);
			this.#drafts.delete(key);
		} catch (error) {
			failed = error;
			// A user who deletes a node doesn't need the text typed into it.
			if ((error as { code?: unknown }).code === "not_found") this.#drafts.delete(key);
		}
		draft.sent = undefined;
		this.#tell(failed);
		for (const resolve of this.#waiting.splice(0)) resolve();
	}

	/** Stores the typed text. Only the result of replacing the text shows the changes of other tabs. */
	async #write(draft: Draft, sent: string): Promise<void> {
		const { id, field, base } = draft;
		let text = draft.isMerged ? merged(base, sent, draft.stored) : sent;
		for (;;) {
			let replaced: string | undefined;
			const unsubscribe = this.#outline.subscribe(({ source, changes }) => {
				const before = source === "local" ? changes.find((change) => change.id === id)?.before : undefined;
				if (before !== undefined) replaced = before[field] ?? "";
			});
			try {
				const node = await this.#outline.update(id, {
					[field]: field === "note" && text === "" ? null : text,
				});
				const isOther = replaced !== undefined && replaced !== draft.stored;
				draft.stored = node[field] ?? "";
				if (!isOther) break;
				draft.isMerged = true;
				text = merged(base, sent, replaced!);
			} finally {
				unsubscribe();
			}
		}
		draft.base = sent;
	}

	#tell(failed?: unknown): void {
		const drafts = [...this.#drafts.values()];
		const unsent = drafts.some(({ sent }) => sent === undefined);
		const before = this.state.current;
		if (unsent) this.state.set(failed === undefined && typeof before === "object" ? before : { failed });
		else this.state.set(drafts.length > 0 || this.#commits > 0 ? "saving" : "saved");
	}
}

/** Does something that no other tab does at the same time under this name. */
async function alone<T>(name: string, work: () => Promise<T>): Promise<T> {
	// Pages that came over an unsafe way have no locks.
	if (navigator.locks === undefined) return work();
	return await navigator.locks.request(name, work as () => T);
}
