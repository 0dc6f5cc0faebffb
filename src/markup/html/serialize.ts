import { finished, type Steps } from "../../pace.js";
import { changed, normalized, sliceLength } from "../long-text.js";
import type { MarkupOptions } from "../options.js";
import type { Inline, InlineOpen, InlineTag } from "../read/inline.js";
import { assertLength, escapeAttribute, escapeText, normalizeText } from "../text.js";
import { pair } from "./pair.js";
import { datesInText } from "./time.js";

/** How an element shows: with its tags, as its content alone, or as the text that was typed. */
type Showing = "element" | "flattened" | "typed";

// Of a long text there may be very many.
const openingTags = { b: "<b>", i: "<i>", s: "<s>", code: "<code>" } as const;
const closingTags = { b: "</b>", i: "</i>", s: "</s>", code: "</code>", a: "</a>", time: "</time>" } as const;

/** How many inlines are written in a step. */
const inlinesInStep = 4096;

/** {@link serialization}, at once. */
export function serialize(inlines: readonly Inline[], options: SerializeOptions): string {
	return finished(serialization(inlines, options));
}

/** What the writing of a fragment depends on. */
export type SerializeOptions = Pick<MarkupOptions, "timeZone" | "longest">;

/**
 * The canonical fragment: the only code that emits HTML. Tags without a partner show as typed. An element within one of
 * its own kind is flattened, except that an `a` or `time` within one shows as typed; so nesting is at most six deep, and
 * parsing a fragment gives the same fragment.
 *
 * @throws `invalid_argument` for a text that is too long
 */
export function* serialization(
	inlines: readonly Inline[],
	{ timeZone, longest = Number.POSITIVE_INFINITY }: SerializeOptions,
): Steps<string> {
	const partners = yield* pair(inlines);
	const open = { b: false, i: false, s: false, code: false, a: false, time: false };
	/** How each element that has begun shows, by the index of its opening. */
	const shown: (Showing | undefined)[] = [];
	const writer = new FragmentWriter(longest);

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
			else yield* writer.writeWithDates(value, timeZone);
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

/** Writes a fragment from left to right. A text that gets too long is counted to its end, but no longer kept. */
class FragmentWriter {
	/** The text that comes next, or is still growing: what stands side by side is cleaned as one. */
	text = "";
	readonly #longest: number;
	#chunks: string[] = [];
	#parts: string[] = [];
	#length = 0;

	constructor(longest: number) {
		this.#longest = longest;
	}

	/** Writes a tag, behind the text. */
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

	/** Writes the text, where that takes long. */
	*endLongText(): Steps<void> {
		const text = yield* normalized(this.text);
		this.text = "";
		if (this.#count(text)) this.#parts.push(yield* changed(text, escapeText));
	}

	/** Makes one of all parts so far. */
	join(): void {
		this.#chunks.push(this.#parts.join(""));
		this.#parts = [];
	}

	/** The fragment. @throws `invalid_argument` for a text that is too long */
	end(): string {
		this.write("");
		assertLength("name", this.#length, this.#longest);
		this.join();
		return this.#chunks.join("");
	}

	#add(text: string): void {
		if (this.#count(text)) this.#parts.push(escapeText(text));
	}

	/** Whether all text so far isn't too long with another one. */
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

/** The tag that opens an element of a canonical fragment. */
export function openingTag({ tag, attribute }: Pick<InlineOpen, "tag" | "attribute">): string {
	if (tag === "a") return `<a href="${escapeAttribute(attribute ?? "")}">`;
	if (tag === "time") return `<time datetime="${escapeAttribute(attribute ?? "")}">`;
	return openingTags[tag];
}
