import { OutlineError } from "../errors.js";
import type { Steps } from "../pace.js";

/** Splits a text that arrives in pieces into its lines, which end with LF, CRLF or CR. */
export class LineSplitter {
	readonly #longest: number;
	#rest = "";
	#number = 0;
	/** Whether the last piece ended with a CR, which an LF may follow. */
	#afterReturn = false;

	/** @param longest - the maximum number of characters in a line */
	constructor(longest: number) {
		this.#longest = longest;
	}

	/** The number of the last line returned, from 1. */
	get number(): number {
		return this.#number;
	}

	/**
	 * Yields the lines that end in the next piece.
	 *
	 * @throws `invalid_argument` if a line is too long
	 */
	*write(piece: string): Generator<string, void, undefined> {
		let start = this.#afterReturn && piece.startsWith("\n") ? 1 : 0;
		if (piece !== "") this.#afterReturn = piece.endsWith("\r");
		const ends = /\r\n?|\n/g;
		ends.lastIndex = start;
		for (let end = ends.exec(piece); end !== null; end = ends.exec(piece)) {
			const line = this.#rest + piece.slice(start, end.index);
			start = ends.lastIndex;
			this.#rest = "";
			this.#number += 1;
			yield line;
		}
		this.#rest += piece.slice(start);
		if (this.#rest.length <= this.#longest) return;
		throw malformed(
			this.#number + 1,
			`The line has more than ${this.#longest} characters, which no text may have. Cut it into several.`,
		);
	}

	/** Yields the text after the last line ending, if there is any. */
	*end(): Generator<string, void, undefined> {
		if (this.#rest === "") return;
		this.#number += 1;
		yield this.#rest;
		this.#rest = "";
	}
}

/** Returns the error for a malformed file, with the number of the wrong line (from 1). */
export function malformed(line: number, what: string, cause?: unknown): OutlineError {
	return new OutlineError("invalid_argument", `Line ${line}: ${what} Nothing was imported.`, { cause });
}

/** Calls a check, and adds the line to the error that it throws. */
export function atLine<T>(line: number, check: () => T): T {
	try {
		return check();
	} catch (error) {
		throw withLine(line, error);
	}
}

/** Runs steps, and adds the line to the error that they throw. */
export function* inLine<T>(line: number, reading: Steps<T>): Steps<T> {
	try {
		return yield* reading;
	} catch (error) {
		throw withLine(line, error);
	}
}

function withLine(line: number, error: unknown): unknown {
	if (!(error instanceof OutlineError)) return error;
	return new OutlineError(error.code, `Line ${line}: ${error.message} Nothing was imported.`, { cause: error });
}
