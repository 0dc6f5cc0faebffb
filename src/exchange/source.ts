import { OutlineError, quoted } from "../errors.js";
import { malformed } from "./lines.js";

/**
 * The source of an import, whole or in pieces: text, or bytes in UTF-8 or UTF-16 (with a byte order mark).
 */
export type ImportSource = string | Uint8Array | AsyncIterable<string | Uint8Array>;

/** The number of characters or bytes that are decoded and read at once. */
const pieceSize = 65_536;

/**
 * Returns the text of a source without a byte order mark. The pieces may end anywhere.
 *
 * @throws `invalid_argument`
 */
export async function* textOf(source: ImportSource): AsyncGenerator<string, void, undefined> {
	const decoder = new SourceDecoder();
	for await (const chunk of chunksOf(source)) {
		for (let start = 0; start < chunk.length; start += pieceSize) {
			const text = decoder.decode(
				typeof chunk === "string" ? chunk.slice(start, start + pieceSize) : chunk.subarray(start, start + pieceSize),
			);
			if (text !== "") yield text;
		}
	}
	const text = decoder.end();
	if (text !== "") yield text;
}

async function* chunksOf(source: unknown): AsyncGenerator<string | Uint8Array, void, undefined> {
	if (typeof source === "string" || source instanceof Uint8Array) {
		yield source;
		return;
	}
	if (typeof (source as AsyncIterable<unknown> | null)?.[Symbol.asyncIterator] !== "function")
		throw unfit("is", source);
	for await (const chunk of source as AsyncIterable<unknown>) {
		if (typeof chunk !== "string" && !(chunk instanceof Uint8Array)) throw unfit("gave", chunk);
		yield chunk;
	}
}

function unfit(verb: "is" | "gave", value: unknown): OutlineError {
	return new OutlineError(
		"invalid_argument",
		`The source ${verb} ${quoted(value)}. Give a text, a Uint8Array, or an async iterable of these.`,
	);
}

/** Decodes pieces of text or bytes, which may end within a character. */
class SourceDecoder {
	/** Created after the first two bytes, which determine the encoding. */
	#decoder: TextDecoder | undefined;
	#head: readonly number[] = [];
	#isFirst = true;
	/** Whether the last piece ended with a CR, which an LF may follow. */
	#afterReturn = false;
	#line = 1;

	decode(piece: string | Uint8Array): string {
		return this.#take(typeof piece === "string" ? this.#flush() + piece : this.#decodeBytes(piece));
	}

	end(): string {
		return this.#take(this.#flush());
	}

	/** Counts the lines, and removes the byte order mark. */
	#take(text: string): string {
		if (text === "") return "";
		const isMarked = this.#isFirst && text.startsWith("\ufeff");
		this.#isFirst = false;
		this.#line += lineEnds(text) - (this.#afterReturn && text.startsWith("\n") ? 1 : 0);
		this.#afterReturn = text.endsWith("\r");
		return isMarked ? text.slice(1) : text;
	}

	/** Returns the text of the bytes that are still undecoded. */
	#flush(): string {
		const rest = this.#head.length > 0 ? this.#decodeBytes(new Uint8Array(), true) : "";
		try {
			return rest + (this.#decoder?.decode() ?? "");
		} catch (error) {
			throw malformed(this.#line, "The bytes end within a character.", error);
		}
	}

	#decodeBytes(bytes: Uint8Array, isEnd = false): string {
		if (!isEnd && this.#decoder === undefined && this.#head.length + bytes.length < 2) {
			this.#head = [...this.#head, ...bytes];
			return "";
		}
		const all = this.#decoder === undefined ? this.#begin(bytes) : bytes;
		try {
			return this.#decoder!.decode(all, { stream: true });
		} catch (error) {
			throw malformed(
				this.#line + linesBefore(all, this.#decoder!.encoding),
				`These are no characters in ${this.#decoder!.encoding.toUpperCase()}. Save the file in UTF-8.`,
				error,
			);
		}
	}

	/** Chooses the encoding. Returns the bytes together with the bytes kept until then. */
	#begin(bytes: Uint8Array): Uint8Array {
		const all = new Uint8Array(this.#head.length + bytes.length);
		all.set(this.#head);
		all.set(bytes, this.#head.length);
		this.#head = [];
		const [first, second] = all;
		const encoding =
			first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
		// `#take` removes the byte order mark, as it does from a text.
		this.#decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
		return all;
	}
}

function lineEnds(text: string): number {
	return text.match(/\r\n?|\n/g)?.length ?? 0;
}

/** Returns the number of line endings before the first byte that isn't UTF-8. For UTF-16, returns 0. */
function linesBefore(bytes: Uint8Array, encoding: string): number {
	if (encoding !== "utf-8") return 0;
	// The first bytes may continue a character of the piece before. If they don't, they are the only wrong
	// bytes.
	let at = 0;
	while (at < 3 && bytes[at] !== undefined && (bytes[at]! & 0xc0) === 0x80) at += 1;
	const decoder = new TextDecoder("utf-8", { fatal: true });
	let text = "";
	try {
		for (; at < bytes.length; at += 1) text += decoder.decode(bytes.subarray(at, at + 1), { stream: true });
	} catch {
		return lineEnds(text);
	}
	return 0;
}

// TextDecoder isn't part of ECMAScript, but every host has it.
interface TextDecoder {
	readonly encoding: string;
	decode(bytes?: Uint8Array, options?: { stream: boolean }): string;
}
declare const TextDecoder: new (encoding: string, options: { fatal: boolean; ignoreBOM?: boolean }) => TextDecoder;
