import { firstNotBefore } from "../../../src/engine/binary-search.js";
import type { Document, DocumentChanges, Query } from "../../../src/storage.js";

/** The most documents of a chunk. A change moves at most so many, however many documents there are. */
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

/** The documents of an outline, in ascending order of their keys. */
export class DocumentIndex {
	/** Documents as they were put, in chunks that aren't empty: the value of one may be computed when it is read. */
	readonly #chunks: Document[][] = [];
	/** The place where {@link DocumentIndex.#seek} begins: most documents follow the last one that was put. */
	#at = 0;
	#next = 0;
	/** Blocks of a snapshot, in ascending order. No other document is between the first and the last one of a block. */
	#packed: readonly PackedDocuments[] = [];

	/** Returns all documents. */
	image(): DocumentsImage {
		const packed = this.#packed;
		const documents = this.#chunks.flat();
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
		const isNext = this.#chunks.length === 0 && (this.#packed.at(-1)?.last ?? "") < block.first;
		if (isNext && block.first <= block.last) this.#packed = [...this.#packed, block];
		else this.change({ put: block.documents(), dropped: [] });
	}

	/** Changes documents. */
	change({ put, dropped }: DocumentChanges): void {
		this.#unpackAround({ put, dropped });
		for (const key of dropped) this.#drop(key);
		for (const document of put) this.#put(document);
	}

	/** Returns the changes that undo other changes. Call it before they are made. */
	undo({ put, dropped }: DocumentChanges): DocumentChanges {
		this.#unpackAround({ put, dropped });
		const undo: { put: Document[]; dropped: string[] } = { put: [], dropped: [] };
		const keep = (key: string) => {
			const document = this.#seek(key);
			if (document === undefined) undo.dropped.push(key);
			else undo.put.push(document);
		};
		for (const { key } of put) keep(key);
		for (const key of dropped) keep(key);
		return undo;
	}

	/** Answers a `documents` query. */
	found({ prefix, after, limit = Number.POSITIVE_INFINITY }: Extract<Query, { type: "documents" }>): Document[] {
		// `!` is the lowest character of a key, so this is the lowest possible key after `after`.
		const start = after === undefined || after < prefix ? prefix : `${after}!`;
		this.#unpackFrom(start, prefix, limit);
		const found: Document[] = [];
		for (let at = chunkOf(this.#chunks, start); at < this.#chunks.length; at++) {
			const chunk = this.#chunks[at]!;
			for (let index = indexIn(chunk, start); index < chunk.length; index++) {
				const document = chunk[index]!;
				const { key } = document;
				if (found.length >= limit || !key.startsWith(prefix)) return found;
				found.push({ key, value: document.value });
			}
		}
		return found;
	}

	/**
	 * Moves to the place of a key: `#next` is the index, in the chunk `#at`, of the first document that isn't before it.
	 * Returns the document that has the key.
	 */
	#seek(key: string): Document | undefined {
		let chunk = this.#chunks[this.#at];
		const before = chunk?.[this.#next - 1];
		let found = chunk?.[this.#next];
		const isLast = found === undefined && this.#at === this.#chunks.length - 1;
		if (before === undefined || before.key >= key || (found === undefined ? !isLast : found.key < key)) {
			this.#at = Math.max(0, Math.min(chunkOf(this.#chunks, key), this.#chunks.length - 1));
			chunk = this.#chunks[this.#at];
			this.#next = chunk === undefined ? 0 : indexIn(chunk, key);
			found = chunk?.[this.#next];
		}
		return found?.key === key ? found : undefined;
	}

	#put(document: Document): void {
		const isNew = this.#seek(document.key) === undefined;
		const chunk = this.#chunks[this.#at];
		if (chunk === undefined) this.#chunks.push([document]);
		else if (isNew) chunk.splice(this.#next, 0, document);
		else chunk[this.#next] = document;
		this.#next += 1;
		if (chunk !== undefined && chunk.length > chunkLimit) {
			this.#chunks.splice(this.#at + 1, 0, chunk.splice(chunkLimit >> 1));
		}
	}

	#drop(key: string): void {
		if (this.#seek(key) === undefined) return;
		const chunk = this.#chunks[this.#at]!;
		chunk.splice(this.#next, 1);
		if (chunk.length === 0) this.#chunks.splice(this.#at, 1);
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

/** Returns the index of the first chunk that doesn't end before a text. */
function chunkOf(chunks: readonly Document[][], text: string): number {
	return firstNotBefore(chunks.length, (index) => chunks[index]!.at(-1)!.key < text);
}

/** Returns the index of the first document whose key isn't before a text. */
function indexIn(chunk: readonly Document[], text: string): number {
	return firstNotBefore(chunk.length, (index) => chunk[index]!.key < text);
}
