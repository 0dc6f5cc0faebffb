import type { Document, DocumentChanges, Query } from "../../../src/storage.js";

/** The most keys of a chunk. A change moves at most so many, however many documents there are. */
const chunkLimit = 512;

/** Some documents of a snapshot as they were read, in ascending order. They are parsed only when they are needed. */
export interface PackedDocuments {
	/** The first key. */
	readonly first: string;
	/** The last key. */
	readonly last: string;
	/** The number of documents. */
	readonly count: number;
	/** Returns the documents. @throws `storage_corrupt` if the block isn't valid */
	documents(): readonly Document[];
}

/** All documents of an index at one revision, in ascending order. Packed ones are unpacked when they are read. */
export interface DocumentsImage extends Iterable<Document> {
	/** The number of documents. */
	readonly length: number;
}

/** The documents of an outline, ordered by key if needed. */
export class DocumentIndex {
	/** Documents as they were put: the value of one may be computed when it is read. */
	readonly #documents = new Map<string, Document>();
	/** All keys of these in ascending order, in chunks that aren't empty; null until first needed. */
	#chunks: string[][] | null = null;
	/** Whether the order was needed since the last change. If not, it isn't worth keeping. */
	#asked = false;
	/** Blocks of a snapshot, in ascending order. No other document is between the first and the last one of a block. */
	#packed: readonly PackedDocuments[] = [];

	/** Returns all documents. */
	image(): DocumentsImage {
		const packed = this.#packed;
		const documents = this.#ordered().flatMap((keys) => keys.map((key) => this.#documents.get(key)!));
		return {
			length: packed.reduce((sum, { count }) => sum + count, documents.length),
			*[Symbol.iterator]() {
				let next = 0;
				for (const block of packed) {
					while (next < documents.length && documents[next]!.key < block.first) yield documents[next++]!;
					yield* block.documents();
				}
				for (; next < documents.length; next++) yield documents[next]!;
			},
		};
	}

	/** Adds the documents of a snapshot's block. */
	loadPacked(block: PackedDocuments): void {
		// Earlier releases wrote the documents in any order.
		const isNext = this.#documents.size === 0 && (this.#packed.at(-1)?.last ?? "") < block.first;
		if (isNext && block.first <= block.last) this.#packed = [...this.#packed, block];
		else this.change({ put: block.documents(), dropped: [] });
	}

	/** Changes documents. */
	change({ put, dropped }: DocumentChanges): void {
		this.#unpackAround({ put, dropped });
		if (!this.#asked) this.#chunks = null;
		this.#asked = false;
		for (const key of dropped) if (this.#documents.delete(key) && this.#chunks !== null) removeFrom(this.#chunks, key);
		for (const document of put) this.#put(document);
	}

	/** Returns the changes that undo other changes. Call it before they are made. */
	undo({ put, dropped }: DocumentChanges): DocumentChanges {
		this.#unpackAround({ put, dropped });
		const keys = [...put.map(({ key }) => key), ...dropped];
		return {
			put: keys.flatMap((key) => this.#documents.get(key) ?? []),
			dropped: keys.filter((key) => !this.#documents.has(key)),
		};
	}

	/** Answers a `documents` query. */
	found({ prefix, after, limit = Number.POSITIVE_INFINITY }: Extract<Query, { type: "documents" }>): Document[] {
		// No key is between a key and the same key with a `!` after it.
		const start = after === undefined || after < prefix ? prefix : `${after}!`;
		this.#unpackFrom(start, prefix, limit);
		const chunks = this.#ordered();
		this.#asked = true;
		const found: Document[] = [];
		for (let at = chunkOf(chunks, start); at < chunks.length; at++) {
			const chunk = chunks[at]!;
			for (let index = indexIn(chunk, start); index < chunk.length; index++) {
				const key = chunk[index]!;
				if (found.length >= limit || !key.startsWith(prefix)) return found;
				found.push({ key, value: this.#documents.get(key)!.value });
			}
		}
		return found;
	}

	#ordered(): string[][] {
		this.#chunks ??= chunksOf([...this.#documents.keys()].sort());
		return this.#chunks;
	}

	#put(document: Document): void {
		const { key } = document;
		if (this.#chunks !== null && !this.#documents.has(key)) addTo(this.#chunks, key);
		this.#documents.set(key, document);
	}

	/** Unpacks the blocks that have, or would have, the documents of some changes. */
	#unpackAround({ put, dropped }: DocumentChanges): void {
		if (this.#packed.length === 0) return;
		for (const key of [...put.map((document) => document.key), ...dropped]) {
			const at = firstNotBefore(this.#packed.length, (index) => this.#packed[index]!.last < key);
			if (at < this.#packed.length && this.#packed[at]!.first <= key) this.#unpack(at, at + 1);
		}
	}

	/** Unpacks the blocks that have the first documents from a text on with a prefix. */
	#unpackFrom(start: string, prefix: string, limit: number): void {
		const packed = this.#packed;
		const from = firstNotBefore(packed.length, (index) => packed[index]!.last < start);
		let to = from;
		for (let whole = 0; to < packed.length && whole < limit; to++) {
			const { first, count } = packed[to]!;
			if (first > prefix && !first.startsWith(prefix)) break;
			if (first >= start) whole += count;
		}
		if (to > from) this.#unpack(from, to);
	}

	/** Unpacks some blocks. If one can't be read, all stay as they are. */
	#unpack(from: number, to: number): void {
		const documents = this.#packed.slice(from, to).flatMap((block) => block.documents());
		this.#packed = this.#packed.toSpliced(from, to - from);
		for (const document of documents) this.#put(document);
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
