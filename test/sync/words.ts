import { OutlineError } from "../../src/errors.js";
import type { OutlineNode } from "../../src/node.js";
import type { Batch, NodeRecord } from "../../src/storage.js";
import type { ReplicaConflict } from "../../src/sync/index.js";
import { forwarded } from "./kinds.js";
import type { Content, Wrap } from "./site.js";

/** An author's last act on a word of a node. */
type Act = "typed" | "removed";

/**
 * Follows each word that an author types, and says which words have vanished unseen. Every typed word is
 * unique. A word may vanish if the last act of an author on it was to remove it: the author has seen it.
 * Otherwise it must be in the outline or in a conflict.
 */
export class Words {
	/** By node and word, and then by author. */
	#acts = new Map<string, Map<string, Act>>();
	/** The node that each word was typed into. */
	readonly #homes = new Map<string, string>();
	/** Words that authors have copied, and that may be in several nodes. */
	readonly #copied = new Set<string>();
	#typed = 0;

	/** Returns a new word. */
	next(): string {
		return `w${++this.#typed}`;
	}

	/** Wraps the storage of an author, whose commits it then follows. */
	by(author: string): Wrap {
		return (storage) => {
			const follow = (batch: Batch, isStored: boolean) => {
				for (const { before, after } of batch.nodes) {
					const [old, now] = [wordsIn(before), wordsIn(after)];
					const { id } = (before ?? after)!;
					for (const word of old) {
						if (now.has(word)) continue;
						this.#act(author, id, word, "removed");
						// An edit of a mirror that the server has kept goes to its origin. A device that removes it there has seen it.
						const home = this.#homes.get(word);
						if (home !== undefined && home !== id) this.#act(author, home, word, "removed");
					}
					// A mirror becomes a node of its own if its origin is gone.
					if (after?.originId != null) for (const word of after.name.match(pattern) ?? []) this.#mayBeIn(id, word);
					for (const word of now) {
						if (old.has(word)) continue;
						if (isStored) this.#act(author, id, word, "typed");
						else this.#mayBeIn(id, word);
					}
				}
			};
			return {
				...forwarded(storage),
				async commit(batch) {
					try {
						const revision = await storage.commit(batch);
						follow(batch, true);
						return revision;
					} catch (error) {
						// The commit may have been stored nevertheless.
						if (!(error instanceof OutlineError) || error.code !== "conflict") follow(batch, false);
						throw error;
					}
				},
			};
		};
	}

	/** Notes that a device is a copy of another one. It sends what the other has yet to send, deletions too. */
	copied(author: string, copy: string): void {
		for (const acts of this.#acts.values()) {
			const act = acts.get(author);
			if (act !== undefined) acts.set(copy, act);
		}
	}

	/** Notes that an author has closed a conflict, having seen both of its values. */
	closed(author: string, { nodeId, shown, other }: ReplicaConflict): void {
		for (const word of wordsOf([shown, other])) this.#act(author, nodeId, word, "removed");
	}

	/** Forgets the words that are in none of these outlines and conflicts: they were lost with a disk. */
	keepOnly(contents: readonly Content[], conflicts: readonly ReplicaConflict[]): void {
		const kept = new Set(contents.flatMap(({ nodes }) => nodes.flatMap(placesIn)));
		// A text that gave way is told of again, also if its node is gone.
		for (const { kind, nodeId, other } of conflicts) {
			if (kind === "text") for (const word of wordsOf(other)) kept.add(`${nodeId} ${word}`);
		}
		for (const place of this.#acts.keys()) if (!kept.has(place)) this.#acts.delete(place);
	}

	/**
	 * Returns the words that are in neither the outline nor a conflict although no author removed them, and those
	 * that are there twice. From then on it follows the words that are there.
	 */
	judge({ nodes }: Content, conflicts: readonly ReplicaConflict[]): string[] {
		const there = new Map<string, string[]>();
		const faults: string[] = [];
		for (const place of nodes.flatMap(placesIn)) {
			const [id, word] = place.split(" ") as [string, string];
			there.set(word, [...(there.get(word) ?? []), id]);
		}
		const told = new Set(wordsOf(conflicts));
		for (const [key, acts] of this.#acts) {
			const [id, word] = key.split(" ") as [string, string];
			if (there.has(word) || told.has(word) || [...acts.values()].includes("removed")) continue;
			faults.push(`${word} of ${id} has vanished`);
		}
		for (const [word, ids] of there) {
			const isTwiceInOne = new Set(ids).size < ids.length;
			if (isTwiceInOne || (ids.length > 1 && !this.#copied.has(word)))
				faults.push(`${word} is in ${ids.join(" and ")}`);
		}
		const left = new Map<string, Map<string, Act>>();
		for (const [word, ids] of there) for (const id of ids) left.set(`${id} ${word}`, new Map());
		// What a conflict shows is in the outline, unless an author has deleted it.
		for (const { nodeId, other } of conflicts) {
			for (const word of wordsOf(other)) left.set(`${nodeId} ${word}`, new Map());
		}
		this.#acts = left;
		return faults;
	}

	/** Notes a word that may have been stored in a node, although its author doesn't know. */
	#mayBeIn(id: string, word: string): void {
		const home = this.#homes.get(word);
		if (home === undefined) this.#homes.set(word, id);
		else if (home !== id) this.#copied.add(word);
	}

	#act(author: string, id: string, word: string, act: Act): void {
		const key = `${id} ${word}`;
		const home = this.#homes.get(word);
		if (act === "typed") this.#mayBeIn(id, word);
		let acts = this.#acts.get(key);
		if (acts === undefined) {
			// A copy may be dropped again, together with the deletion that made it, also after an undo has removed it once.
			if (home !== undefined && home !== id) return;
			acts = new Map();
			this.#acts.set(key, acts);
		}
		acts.set(author, act);
	}
}

const pattern = /\bw\d+\b/g;

/** The words in the texts of a value. */
function wordsOf(value: unknown): string[] {
	// The letter of a line break is no part of the word behind it.
	return JSON.stringify(value).replaceAll("\\n", " ").match(pattern) ?? [];
}

/** The words in the texts of a record. A mirror has no text of its own. */
function wordsIn(record: NodeRecord | null): Set<string> {
	if (record === null || record.originId !== null) return new Set();
	return new Set(`${record.name}\n${record.note ?? ""}\n${record.properties ?? ""}`.match(pattern) ?? []);
}

/** The words in the texts of a node, each with the node's id. A mirror has no text of its own. */
function placesIn({ id, name, note, properties, mirror }: OutlineNode): string[] {
	if (mirror?.originId != null) return [];
	const texts = [name, note ?? "", JSON.stringify(properties ?? {})];
	return texts.flatMap((text) => (text.match(pattern) ?? []).map((word) => `${id} ${word}`));
}
