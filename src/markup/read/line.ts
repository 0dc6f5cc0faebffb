const tabWidth = 4;

/** Long runs of white space are compared with these, which is much faster than examining each character. */
const runLength = 4096;
const spaces = " ".repeat(runLength);
const tabs = "\t".repeat(runLength);

/** One line of a text, read from left to right in columns. A tab reaches to the next multiple of four. */
export class Line {
	readonly text: string;
	/** The offset of the white space at the end. */
	readonly #contentEnd: number;
	#at = 0;
	#column = 0;
	/** Whether the current offset is within a partly skipped tab. */
	#insideTab = false;
	/** The end of the white space examined last. Kept because callers ask for it repeatedly. */
	#contentStart = -1;
	#contentColumn = 0;
	/** The last marker examined, and its end with white space. The same marker may precede many items. */
	#ruleMarker = "";
	#ruleEnd = -1;

	constructor(text: string) {
		this.text = text;
		let end = text.length;
		while (end > runLength && (text.endsWith(spaces, end) || text.endsWith(tabs, end))) end -= runLength;
		while (isSpace(text, end - 1)) end--;
		this.#contentEnd = end;
	}

	/** Returns the offset of the next character that isn't a space or tab. */
	contentStart(): number {
		if (this.#contentStart < this.#at) {
			let at = this.#at;
			let column = this.#column;
			for (; this.text.length - at > runLength; at += runLength) {
				if (this.text.startsWith(spaces, at)) column += runLength;
				else if (this.text.startsWith(tabs, at)) column = tabWidth * (Math.floor(column / tabWidth) + runLength);
				else break;
			}
			for (; isSpace(this.text, at); at++) column += this.text.charCodeAt(at) === 32 ? 1 : this.#width(at, column);
			this.#contentStart = at;
			this.#contentColumn = column;
		}
		return this.#contentStart;
	}

	/** Returns the number of columns of white space at the current offset. */
	indentation(): number {
		this.contentStart();
		return this.#contentColumn - this.#column;
	}

	/** Whether only white space is left. */
	isBlank(): boolean {
		return this.isBlankFrom(this.#at);
	}

	/** Whether only white space follows an offset. */
	isBlankFrom(at: number): boolean {
		return at >= this.#contentEnd;
	}

	/** Skips white space, at most this number of columns. */
	skip(columns: number): void {
		let left = columns;
		while (left > 0 && isSpace(this.text, this.#at)) {
			const width = this.#width(this.#at, this.#column);
			this.#column += Math.min(width, left);
			this.#insideTab = width > left;
			if (!this.#insideTab) this.#at++;
			left -= width;
		}
	}

	/** Skips characters. None of them may be a tab. */
	pass(characters: number): void {
		this.#at += characters;
		this.#column += characters;
		this.#insideTab = false;
	}

	/** Returns the rest of the line. The rest of a partly skipped tab becomes spaces. */
	rest(): string {
		if (!this.#insideTab) return this.text.slice(this.#at);
		return " ".repeat(this.#width(this.#at, this.#column)) + this.text.slice(this.#at + 1);
	}

	/** Returns the rest without white space at either end. */
	content(): string {
		return this.isBlank() ? "" : this.text.slice(this.contentStart(), this.#contentEnd);
	}

	/** Whether the rest is a thematic break: three or more of `*`, `-` or `_`, and white space. */
	isRule(): boolean {
		const start = this.contentStart();
		const marker = this.text[start];
		if ((marker !== "*" && marker !== "-" && marker !== "_") || this.text[this.#contentEnd - 1] !== marker)
			return false;
		if (marker !== this.#ruleMarker || this.#ruleEnd < start) {
			const code = this.text.charCodeAt(start);
			let end = start;
			while (this.text.charCodeAt(end) === code || isSpace(this.text, end)) end++;
			this.#ruleMarker = marker;
			this.#ruleEnd = end;
		}
		if (this.#ruleEnd < this.text.length) return false;
		let count = 0;
		for (let at = start; at < this.text.length && count < 3; at++) if (this.text[at] === marker) count++;
		return count === 3;
	}

	#width(at: number, column: number): number {
		return this.text[at] === "\t" ? tabWidth - (column % tabWidth) : 1;
	}
}

function isSpace(text: string, at: number): boolean {
	const code = text.charCodeAt(at);
	return code === 32 || code === 9;
}
