import type { Steps } from "../../pace.js";
import { fold, pieceEnd } from "./fold.js";
import { Integers } from "./integers.js";

const ascii = /^[\0-\x7f]*$/;

/** The number of pieces folded in a step. */
const stride = 2048;

/** A folded text that knows where its characters come from. */
export class FoldedText {
	/** The text as {@link fold} returns it. */
	readonly folded: string;
	/** By folded character: the start and the end of the piece that it comes from. Undefined for equal offsets. */
	readonly #pieces: { readonly starts: Integers; readonly ends: Integers } | undefined;

	private constructor(folded: string, pieces?: { readonly starts: Integers; readonly ends: Integers }) {
		this.folded = folded;
		this.#pieces = pieces;
	}

	/** Folds a text in steps: piece by piece, each as short as possible. */
	static *of(text: string): Steps<FoldedText> {
		if (ascii.test(text)) return new FoldedText(text.toLowerCase());
		const starts = new Integers();
		const ends = new Integers();
		let folded = "";
		let steps = 0;
		for (let start = 0; start < text.length; ) {
			const end = pieceEnd(text, start + (text.codePointAt(start)! > 0xffff ? 2 : 1));
			const piece = fold(text.slice(start, end));
			for (let at = 0; at < piece.length; at++) {
				starts.push(start);
				ends.push(end);
			}
			folded += piece;
			start = end;
			if (++steps % stride === 0) yield;
		}
		return new FoldedText(folded, { starts, ends });
	}

	/** Returns the offset in the text at which a folded character begins. */
	start(at: number): number {
		return this.#pieces === undefined ? at : this.#pieces.starts.values[at]!;
	}

	/** Returns the offset in the text behind the folded character before an offset. */
	end(at: number): number {
		return this.#pieces === undefined ? at : this.#pieces.ends.values[at - 1]!;
	}
}
