/** Cuts a text that comes in pieces into its lines, which end with LF, CRLF or CR. */
export class LineSplitter {
	readonly #take: (line: string, number: number) => void;
	#rest = "";
	#number = 0;
	/** Whether the last piece ended with a CR, which an LF may follow. */
	#afterReturn = false;

	/** @param take - is given each line without its end, and its number from 1 */
	constructor(take: (line: string, number: number) => void) {
		this.#take = take;
	}

	/** Takes the next piece. */
	write(piece: string): void {
		let start = this.#afterReturn && piece.startsWith("\n") ? 1 : 0;
		if (piece !== "") this.#afterReturn = piece.endsWith("\r");
		const ends = /\r\n?|\n/g;
		ends.lastIndex = start;
		for (let end = ends.exec(piece); end !== null; end = ends.exec(piece)) {
			const line = this.#rest + piece.slice(start, end.index);
			this.#rest = "";
			this.#number += 1;
			this.#take(line, this.#number);
			start = ends.lastIndex;
		}
		this.#rest += piece.slice(start);
	}

	/** Gives what stands behind the last line end, if anything does. */
	end(): void {
		if (this.#rest === "") return;
		this.#number += 1;
		this.#take(this.#rest, this.#number);
		this.#rest = "";
	}
}
