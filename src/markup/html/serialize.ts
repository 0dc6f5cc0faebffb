import type { Steps } from "../../pace.js";
import type { Inline, InlineOpen, InlineTag } from "../inline.js";
import { changed, normalized, sliceLength } from "../long-text.js";
import type { MarkupOptions } from "../options.js";
import { assertLength, escapeAttribute, escapeText, normalizeText } from "../text.js";
import { pair } from "./pair.js";
import { datesInText } from "./time.js";

/** The form in which an element is written: with its tags, its content alone, or its source as typed. */
type Showing = "element" | "flattened" | "typed";

// Shared constants, because a long text may have very many tags.
const openingTags = { b: "<b>", i: "<i>", s: "<s>", code: "<code>" } as const;
const closingTags = { b: "</b>", i: "</i>", s: "</s>", code: "</code>", a: "</a>", time: "</time>" } as const;

/** The number of inlines written in a step. */
const inlinesInStep = 4096;

/**
 * Writes the canonical fragment. This is the only code that emits HTML. A tag without a partner is written as
 * typed. Within an element of its own kind, an element is flattened, except `a` and `time`, which are written
 * as typed. So nesting is at most six deep, and parsing a fragment returns the same fragment.
 *
 * @throws `invalid_argument` if the text is too long
 */
export function* serialization(
	inlines: readonly Inline[],
	options: Pick<MarkupOptions, "timeZone" | "longest">,
): Steps<string> {
	const partners = yield* pair(inlines);
	const open = { b: false, i: false, s: false, code: false, a: false, time: false };
	/** The form of each element that has begun, by the index of its opening. */
	const shown: (Showing | undefined)[] = [];
	const writer = new FragmentWriter(options.longest ?? Number.POSITIVE_INFINITY);

	for (let index = 0; index < inlines.length; index++) {
		if (index % inlinesInStep === inlinesInStep - 1) {
			writer.join();
			yield;
		}
		const inline = inlines[index]!;
		if (inline.type === "text") {
			const { value, dates } = inline;
			const datesCount = dates && value.includes("[") && !open.code && !open.a && !open.time;
			if (!datesCount) writer.text += value;
			else yield* writer.writeWithDates(value, options.timeZone);
			continue;
		}
		const how = inline.type === "open" ? showing(inline, open, partners[index]!) : (shown[partners[index]!] ?? "typed");
		if (inline.type === "open") shown[index] = how;
		if (how === "typed") writer.text += inline.source;
		else if (how === "element") {
			if (writer.text.length > sliceLength) yield* writer.endLongText();
			writer.write(inline.type === "open" ? openingTag(inline) : closingTags[inline.tag]);
			open[inline.tag] = inline.type === "open";
		}
		if (how !== "typed" && inline.type === "close" && inline.suffix !== undefined) writer.text += inline.suffix;
	}
	if (writer.text.length > sliceLength) yield* writer.endLongText();
	return writer.end();
}

/** Writes a fragment from left to right. If the text gets too long, only its length is kept. */
class FragmentWriter {
	/** The next text, which may still grow. Adjacent texts are normalized as one. */
	text = "";
	readonly #longest: number;
	#chunks: string[] = [];
	#parts: string[] = [];
	#length = 0;

	constructor(longest: number) {
		this.#longest = longest;
	}

	/** Writes a tag after the text. */
	write(tag: string): void {
		if (this.text !== "") this.#add(normalizeText(this.text));
		this.text = "";
		this.#parts.push(tag);
	}

	*writeWithDates(text: string, timeZone: string): Steps<void> {
		for (const part of datesInText(text, timeZone)) {
			if (typeof part === "string") this.text += part;
			else {
				if (this.text.length > sliceLength) yield* this.endLongText();
				this.write(`<time datetime="${escapeAttribute(part.datetime)}">`);
				this.#add(part.label);
				this.#parts.push("</time>");
				yield;
			}
		}
	}

	/** Writes the text in steps, if it is long. */
	*endLongText(): Steps<void> {
		const text = yield* normalized(this.text);
		this.text = "";
		if (this.#count(text)) this.#parts.push(yield* changed(text, escapeText));
	}

	/** Joins all parts so far into one. */
	join(): void {
		this.#chunks.push(this.#parts.join(""));
		this.#parts = [];
	}

	/**
	 * Returns the fragment.
	 *
	 * @throws `invalid_argument` if the text is too long
	 */
	end(): string {
		this.write("");
		assertLength("name", this.#length, this.#longest);
		this.join();
		return this.#chunks.join("");
	}

	#add(text: string): void {
		if (this.#count(text)) this.#parts.push(escapeText(text));
	}

	/** Adds to the length of the text. Returns whether it is still short enough. */
	#count(text: string): boolean {
		this.#length += text.length;
		if (this.#length <= this.#longest) return true;
		this.#chunks = [];
		this.#parts = [];
		return false;
	}
}

function showing(inline: InlineOpen, open: { readonly [T in InlineTag]: boolean }, partner: number): Showing {
	const carriesAttribute = inline.tag === "a" || inline.tag === "time";
	if (partner === -1 || (carriesAttribute && inline.attribute === undefined)) return "typed";
	if (!open[inline.tag]) return "element";
	return carriesAttribute ? "typed" : "flattened";
}

/** Returns the start tag of an element of a canonical fragment. */
export function openingTag({ tag, attribute }: Pick<InlineOpen, "tag" | "attribute">): string {
	if (tag === "a") return `<a href="${escapeAttribute(attribute ?? "")}">`;
	if (tag === "time") return `<time datetime="${escapeAttribute(attribute ?? "")}">`;
	return openingTags[tag];
}
