import { referenceAt } from "../html/character-reference.js";
import { elementOfTag } from "../html/element.js";
import { permittedHref } from "../html/link.js";
import { createMarkupReader, type Markup } from "../html/tag.js";
import { type Inline, literal } from "../inline.js";
import type { MarkupOptions } from "../options.js";
import { punctuation } from "./character-set.js";
import { type CodeSpans, runEnd } from "./code-span.js";

/**
 * An escape, a character reference, a code span, a tag or an autolink. A leaf takes precedence over emphasis
 * and links, and contains neither. So it can be read without the text around it.
 */
export interface Leaf {
	readonly end: number;
	/** The inlines it stands for; empty if the characters up to its end are text. */
	readonly inlines: readonly Inline[];
}

const url = /<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\0-\x20\x7f<>]*)>/y;
const mail =
	/<([#-'*+\--9=?A-Z^-~]+@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?){0,999})>/y;
const none: readonly Inline[] = [];
const codeStart: Inline = { type: "open", tag: "code", source: "", sealed: true };
const codeEnd: Inline = { type: "close", tag: "code", source: "", sealed: true };

/** Reads the leaves of a text. */
export class LeafReader {
	readonly #text: string;
	readonly #options: MarkupOptions;
	readonly #codeSpans: CodeSpans | undefined;
	readonly #markupAt: (start: number) => Markup | undefined;

	/** @param codeSpans - undefined if the text has no backtick */
	constructor(text: string, options: MarkupOptions, codeSpans: CodeSpans | undefined) {
		this.#text = text;
		this.#options = options;
		this.#codeSpans = codeSpans;
		this.#markupAt = createMarkupReader(text);
	}

	/** Returns the leaf that begins at an offset of `\`, `&`, `` ` `` or `<`. */
	at(start: number): Leaf {
		switch (this.#text[start]) {
			case "\\":
				return this.#escape(start);
			case "&":
				return this.#reference(start);
			case "`":
				return this.#code(start);
			default:
				return this.#markup(start);
		}
	}

	#escape(start: number): Leaf {
		const character = this.#text.charAt(start + 1);
		if (!punctuation.test(character)) return { end: start + 1, inlines: none };
		return { end: start + 2, inlines: [literal(character)] };
	}

	#reference(start: number): Leaf {
		const found = referenceAt(this.#text, start);
		return found === undefined
			? { end: start + 1, inlines: none }
			: { end: found.end, inlines: [literal(found.value)] };
	}

	#code(start: number): Leaf {
		const contentStart = runEnd(this.#text, start);
		const end = this.#codeSpans?.end(start) ?? -1;
		if (end === -1) return { end: contentStart, inlines: none };
		const content = this.#text.slice(contentStart, end - (contentStart - start));
		const isPadded = content.startsWith(" ") && content.endsWith(" ") && /[^ ]/.test(content);
		return { end, inlines: [codeStart, literal(isPadded ? content.slice(1, -1) : content), codeEnd] };
	}

	#markup(start: number): Leaf {
		const found = this.#markupAt(start);
		if (found === undefined) return this.#autolink(start);
		const { end, tag } = found;
		const source = this.#text.slice(start, end);
		return { end, inlines: [tag === undefined ? literal(source) : elementOfTag(tag, source, this.#options)] };
	}

	/** Reads an autolink. A link with a forbidden target stays as typed. */
	#autolink(start: number): Leaf {
		const address = addressAt(url, this.#text, start);
		const shown = address ?? addressAt(mail, this.#text, start);
		if (shown === undefined) return { end: start + 1, inlines: none };
		const end = start + shown.length + 2;
		const href = permittedHref(address ?? `mailto:${shown}`, this.#options.linkSchemes);
		if (href === undefined) return { end, inlines: [literal(this.#text.slice(start, end))] };
		return {
			end,
			inlines: [
				{ type: "open", tag: "a", attribute: href, source: "<", sealed: true },
				{ type: "text", value: shown, dates: true },
				{ type: "close", tag: "a", source: ">", sealed: true },
			],
		};
	}
}

/** Returns the text between angle brackets. */
function addressAt(pattern: RegExp, text: string, start: number): string | undefined {
	pattern.lastIndex = start;
	return pattern.exec(text)?.[1];
}
