import { malformed } from "./line-error.js";

/** Cuts a text that comes in pieces into its lines, which end with LF, CRLF or CR. */
export class LineSplitter {
	readonly #longest: number;
	#rest = "";
	#number = 0;
	/** Whether the last piece ended with a CR, which an LF may follow. */
	#afterReturn = false;

	/** @param longest - how many characters a line may have */
	constructor(longest: number) {
		this.#longest = longest;
	}

	/** The number of the line that was given last, from 1. */
	get number(): number {
		return this.#number;
	}

	/** Takes the next piece, and gives the lines that end in it. @throws `invalid_argument` for a line that is too long */
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

	/** Gives what stands behind the last line end, if anything does. */
	*end(): Generator<string, void, undefined> {
		if (this.#rest === "") return;
		this.#number += 1;
		yield this.#rest;
		this.#rest = "";
	}
}
