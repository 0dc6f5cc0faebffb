import { OutlineError, quoted } from "../errors.js";
import { malformed } from "./line-error.js";

/** What is imported: a text, or the bytes of one in UTF-8 (or UTF-16 with a byte order mark), whole or in pieces. */
export type ImportSource = string | Uint8Array | AsyncIterable<string | Uint8Array>;

/** How much is decoded and read at once, in characters or bytes. */
const pieceSize = 65_536;

/** The text of a source in pieces that may end anywhere, without a byte order mark. @throws `invalid_argument` */
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

/** Decodes pieces of text or bytes, whatever they end within. */
class SourceDecoder {
	/** Made when the first two bytes are there, which tell the encoding. */
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

	/** Counts the lines, and takes off the mark. */
	#take(text: string): string {
		if (text === "") return "";
		const isMarked = this.#isFirst && text.startsWith("\ufeff");
		this.#isFirst = false;
		this.#line += lineEnds(text) - (this.#afterReturn && text.startsWith("\n") ? 1 : 0);
		this.#afterReturn = text.endsWith("\r");
		return isMarked ? text.slice(1) : text;
	}

	/** What is left of the bytes so far. */
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

	/** Chooses the encoding, and gives the bytes with those that were kept until then. */
	#begin(bytes: Uint8Array): Uint8Array {
		const all = new Uint8Array(this.#head.length + bytes.length);
		all.set(this.#head);
		all.set(bytes, this.#head.length);
		this.#head = [];
		const [first, second] = all;
		const encoding =
			first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
		// The mark is taken off above, as it is from a text.
		this.#decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
		return all;
	}
}

function lineEnds(text: string): number {
	return text.match(/\r\n?|\n/g)?.length ?? 0;
}

/** How many lines end in these bytes before the first that is no UTF-8. In UTF-16 that is left open. */
function linesBefore(bytes: Uint8Array, encoding: string): number {
	if (encoding !== "utf-8") return 0;
	// The first ones may go on a character that was begun before. Where they don't, nothing else is wrong.
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

// Not ECMAScript, but what every host has.
interface TextDecoder {
	readonly encoding: string;
	decode(bytes?: Uint8Array, options?: { stream: boolean }): string;
}
declare const TextDecoder: new (encoding: string, options: { fatal: boolean; ignoreBOM?: boolean }) => TextDecoder;
