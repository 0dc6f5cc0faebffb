const tabWidth = 4;

/** One line of a text, read from left to right in columns: a tab reaches to the next multiple of four. */
export class Line {
	readonly text: string;
	#at = 0;
	#column = 0;
	/** Whether part of the tab at the position has been passed. */
	#insideTab = false;

	constructor(text: string) {
		this.text = text;
	}

	/** The offset of the next character that isn't a space or tab. */
	contentStart(): number {
		let at = this.#at;
		while (isSpace(this.text, at)) at++;
		return at;
	}

	/** The columns of white space that come next. */
	indentation(): number {
		let column = this.#column;
		for (let at = this.#at; isSpace(this.text, at); at++) column += this.#width(at, column);
		return column - this.#column;
	}

	/** Whether nothing but white space is left. */
	isBlank(): boolean {
		return this.contentStart() === this.text.length;
	}

	/** Whether nothing but white space follows an offset. */
	isBlankFrom(at: number): boolean {
		while (isSpace(this.text, at)) at++;
		return at === this.text.length;
	}

	/** Passes over white space, at most so many columns. */
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

	/** Passes over so many characters, none of them a tab. */
	pass(characters: number): void {
		this.#at += characters;
		this.#column += characters;
		this.#insideTab = false;
	}

	/** What is left, with spaces for what is left of a tab. */
	rest(): string {
		if (!this.#insideTab) return this.text.slice(this.#at);
		return " ".repeat(this.#width(this.#at, this.#column)) + this.text.slice(this.#at + 1);
	}

	/** Whether what is left is a thematic break: three or more of `*`, `-` or `_`, and white space. */
	isRule(): boolean {
		let at = this.contentStart();
		const marker = this.text[at];
		if (marker !== "*" && marker !== "-" && marker !== "_") return false;
		let count = 0;
		for (; at < this.text.length; at++) {
			if (this.text[at] === marker) count++;
			else if (!isSpace(this.text, at)) return false;
		}
		return count >= 3;
	}

	#width(at: number, column: number): number {
		return this.text[at] === "\t" ? tabWidth - (column % tabWidth) : 1;
	}
}

function isSpace(text: string, at: number): boolean {
	const character = text[at];
	return character === " " || character === "\t";
}
