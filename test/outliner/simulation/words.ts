import type { OutlineNode } from "../../../src/node.js";

/** The texts of a node before and after a change; null where there is no node. */
export type TextChange = readonly [before: string | null, after: string | null];

/**
 * The words of a text, as {@link Words.next} makes them. No author has the letter `w`: a half-typed word right
 * before another one is no word.
 */
const pattern = /w\d+[a-v]/g;

/**
 * A naive account of the words that the users and the program write in a simulation. Each word is unique, and its
 * last letter names its author. A word may be gone only if an author removed it, and hasn't written it again. A
 * device may send a removal late: if another device writes the word again meanwhile, the removal still counts.
 */
export class Words {
	/** The number of the present round. */
	round = 0;
	readonly #written = new Set<string>();
	/** The authors that removed each word. */
	readonly #removed = new Map<string, Set<string>>();
	/** The author that writes at the server: its removals come before all that the others write afterwards. */
	readonly #atServer: string;
	/** The changes of each word, in order. */
	readonly #history = new Map<string, string[]>();
	#count = 0;

	constructor(atServer: string) {
		this.#atServer = atServer;
	}

	/** Returns a new word of an author. */
	next(author: string): string {
		return `w${++this.#count}${author}`;
	}

	/** Takes the changes of one commit that an author has made. */
	changed(author: string, changes: readonly TextChange[]): void {
		const { added, removed } = this.seen(author, changes);
		for (const word of removed) this.#removed.set(word, (this.#removed.get(word) ?? new Set()).add(author));
		for (const word of added) {
			this.#written.add(word);
			for (const one of [author, this.#atServer]) this.#removed.get(word)?.delete(one);
		}
	}

	/** Notes changes in the history of the words. */
	seen(where: string, changes: readonly TextChange[]): { readonly added: string[]; readonly removed: string[] } {
		const [before, after] = [0, 1].map((side) => wordsIn(changes.map((change) => change[side]).join("\n")));
		const added = [...after!].filter((word) => !before!.has(word));
		const removed = [...before!].filter((word) => !after!.has(word));
		const note = (word: string, what: string) => {
			const change = changes.find((each) => wordsIn(each.join("\n")).has(word))!;
			const history = this.#history.get(word) ?? [];
			this.#history.set(word, history);
			history.push(`${this.round}. ${where} ${what}: ${JSON.stringify(change)}`);
		};
		for (const word of added) note(word, "adds");
		for (const word of removed) note(word, "removes");
		return { added, removed };
	}

	/** The changes of a word, a line for each. */
	historyOf(word: string): string {
		return (this.#history.get(word) ?? []).join("\n  ");
	}

	/** Whether a word was ever stored. */
	isWritten(word: string): boolean {
		return this.#written.has(word);
	}

	/** Returns the words that are in none of the texts although no author removed them. */
	vanished(texts: readonly string[]): string[] {
		const there = wordsIn(texts.join("\n"));
		return [...this.#written].filter((word) => !there.has(word) && !this.#removed.get(word)?.size);
	}
}

/** The words in a text. */
export function wordsIn(text: string): Set<string> {
	// The letter of a line break in JSON is no part of the word behind it.
	return new Set(text.replaceAll("\\n", " ").match(pattern) ?? []);
}

/** The texts of a node. A mirror has none of its own. */
export function textsOf(node: OutlineNode | undefined): string | null {
	if (node === undefined || node.mirror?.originId != null) return null;
	return `${node.name}\n${node.note ?? ""}`;
}
