import { mergeEdits } from "outlinekit/sync";

/** The undo step of a text: that of the text before, the next one, or a step for it alone. */
export type UndoPart = "along" | "apart" | "alone";

/** A text to store. */
interface Version {
	text: string;
	readonly part: UndoPart;
}

/**
 * The text that a person types into a field, until it is stored. Three texts meet here: the stored one that
 * the typing began from, the one that shows, and the one that another tab has stored meanwhile. The letters of
 * the other tab come into the text that shows. The person's own letters stay where they typed them.
 */
export class Draft {
	/** The stored text that the first version is an edit of. */
	#base: string;
	/** The versions that aren't stored yet; each is an edit of the one before. */
	readonly #versions: Version[] = [];
	/** Whether the first version is being stored. */
	#isSending = false;

	/** @param base - the text that showed before the typing */
	constructor(base: string) {
		this.#base = base;
	}

	/** The text to show. */
	get text(): string {
		return this.#versions.at(-1)?.text ?? this.#base;
	}

	/** Whether everything is stored. */
	get isStored(): boolean {
		return this.#versions.length === 0;
	}

	/**
	 * Takes what a person has typed.
	 *
	 * @param shown - the text that showed before; the draft may have changed since
	 */
	type(text: string, shown: string, part: UndoPart = "along"): void {
		const next = mergeEdits(shown, text, this.text);
		const last = this.#versions.at(-1);
		const isSent = this.#isSending && this.#versions.length === 1;
		if (last === undefined || isSent || last.part === "alone" || part !== "along")
			this.#versions.push({ text: next, part });
		else last.text = next;
	}

	/** Returns the version to store next, and the stored text that it is an edit of. */
	send(): Version & { readonly base: string } {
		this.#isSending = true;
		return { ...this.#versions[0]!, base: this.#base };
	}

	/** The sent version couldn't be stored. */
	fail(): void {
		this.#isSending = false;
	}

	/** The sent version is stored. Returns whether another edit is merged into it. */
	store(stored: string): boolean {
		const sent = this.#versions.shift()!.text;
		for (const version of this.#versions) version.text = mergeEdits(sent, version.text, stored);
		this.#base = stored;
		this.#isSending = false;
		return stored !== sent;
	}

	/** The sent version doesn't fit, because another tab has changed the same words. */
	refuse(stored: string): void {
		const sent = this.#versions[0]!.text;
		const merged = mergeEdits(this.#base, sent, stored);
		for (const version of this.#versions) version.text = mergeEdits(sent, version.text, merged);
		this.#base = stored;
		this.#isSending = false;
	}
}
