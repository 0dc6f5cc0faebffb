import type { Document, DocumentChanges, Query } from "../../../src/storage.js";

/** The most keys of a chunk. A change moves at most so many, however many documents there are. */
const chunkLimit = 512;

/** The documents of an outline, ordered by key if needed. */
export class DocumentIndex {
	/** Documents as they were put: the value of one may be computed when it is read. */
	readonly #documents = new Map<string, Document>();
	/** All keys in ascending order, in chunks that aren't empty; null until first needed. */
	#chunks: string[][] | null = null;
	/** Whether the order was needed since the last change. If not, it isn't worth keeping. */
	#asked = false;

	/** Returns all documents. */
	all(): Document[] {
		return [...this.#documents.values()];
	}

	/** Changes documents. */
	change({ put, dropped }: DocumentChanges): void {
		if (!this.#asked) this.#chunks = null;
		this.#asked = false;
		for (const key of dropped) if (this.#documents.delete(key) && this.#chunks !== null) removeFrom(this.#chunks, key);
		for (const document of put) {
			const { key } = document;
			if (this.#chunks !== null && !this.#documents.has(key)) addTo(this.#chunks, key);
			this.#documents.set(key, document);
		}
	}

	/** Returns the changes that undo other changes. Call it before they are made. */
	undo({ put, dropped }: DocumentChanges): DocumentChanges {
		const keys = [...put.map(({ key }) => key), ...dropped];
		return {
			put: keys.flatMap((key) => this.#documents.get(key) ?? []),
			dropped: keys.filter((key) => !this.#documents.has(key)),
		};
	}

	/** Answers a `documents` query. */
	found({ prefix, after, limit = Number.POSITIVE_INFINITY }: Extract<Query, { type: "documents" }>): Document[] {
		this.#chunks ??= chunksOf([...this.#documents.keys()].sort());
		this.#asked = true;
		const found: Document[] = [];
		// No key is between a key and the same key with a `!` after it.
		const start = after === undefined || after < prefix ? prefix : `${after}!`;
		for (let at = chunkOf(this.#chunks, start); at < this.#chunks.length; at++) {
			const chunk = this.#chunks[at]!;
			for (let index = indexIn(chunk, start); index < chunk.length; index++) {
				const key = chunk[index]!;
				if (found.length >= limit || !key.startsWith(prefix)) return found;
				found.push({ key, value: this.#documents.get(key)!.value });
			}
		}
		return found;
	}
}

function chunksOf(keys: readonly string[]): string[][] {
	const count = Math.ceil(keys.length / chunkLimit);
	return Array.from({ length: count }, (_, at) => keys.slice(at * chunkLimit, (at + 1) * chunkLimit));
}

function addTo(chunks: string[][], key: string): void {
	const at = Math.min(chunkOf(chunks, key), chunks.length - 1);
	const chunk = chunks[at];
	if (chunk === undefined) {
		chunks.push([key]);
		return;
	}
	chunk.splice(indexIn(chunk, key), 0, key);
	if (chunk.length > chunkLimit) chunks.splice(at + 1, 0, chunk.splice(chunkLimit >> 1));
}

function removeFrom(chunks: string[][], key: string): void {
	const at = chunkOf(chunks, key);
	const chunk = chunks[at]!;
	chunk.splice(indexIn(chunk, key), 1);
	if (chunk.length === 0) chunks.splice(at, 1);
}

/** Returns the index of the first chunk that doesn't end before a text. */
function chunkOf(chunks: readonly string[][], text: string): number {
	return firstNotBefore(chunks.length, (index) => chunks[index]!.at(-1)! < text);
}

/** Returns the index of the first key that isn't before a text. */
function indexIn(chunk: readonly string[], text: string): number {
	return firstNotBefore(chunk.length, (index) => chunk[index]! < text);
}

function firstNotBefore(count: number, isBefore: (index: number) => boolean): number {
	let low = 0;
	for (let high = count; low < high; ) {
		const middle = (low + high) >> 1;
		if (isBefore(middle)) low = middle + 1;
		else high = middle;
	}
	return low;
}
