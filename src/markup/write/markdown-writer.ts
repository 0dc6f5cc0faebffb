import type { Steps } from "../../pace.js";
import type { FragmentElement, FragmentNode } from "../html/fragment.js";
import { openingTag } from "../html/serialize.js";
import { datesInText } from "../html/time.js";
import type { InlineTag } from "../inline.js";
import { longestBackticks } from "../read/code-span.js";
import { delimits, type Flank, flankAt } from "../read/flank.js";
import { piecesOf } from "../read/pieces.js";
import { escapeEnd, escapeInline, escapeStart } from "./markdown-escape.js";

/** The writer's choice between Markdown and tags. */
export interface WriterOptions {
	/** The time zone of dates with a time. Without one, these are written as tags. */
	readonly timeZone: string | undefined;
	/** Whether emphasis and links are always written as tags. */
	readonly tags: boolean;
}

/** The Markdown written last, if the next characters could be read as part of it. */
interface Tail {
	readonly character: "*" | "~" | "`" | "]";
	readonly isOpening: boolean;
}

interface Sibling {
	readonly parent: FragmentElement | undefined;
	readonly before: FragmentNode | undefined;
	readonly after: FragmentNode | undefined;
}

const delimiters: Partial<Record<InlineTag, string>> = { b: "**", i: "*", s: "~~" };
/** The first character of an element's Markdown, if a text before it could be read as part of it. */
const leading: Partial<Record<InlineTag, string>> = { s: "~", a: "[", time: "[" };
/** Matches characters that could end a link's target, or be read as other markup in it. */
const unsafeInTarget = /[\s<>[\]\\`]|&#?[A-Za-z0-9]+;/;
const parentheses = /\([^()]*\)/g;
const autolink = /^[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\0-\x20<>\x7f]*$/;

/** Writes the nodes of a fragment as inline Markdown for one block, with tags only if necessary. */
export function* inlineMarkdown(nodes: readonly FragmentNode[], timeZone: string | undefined): Steps<string> {
	const writer = new MarkdownWriter({ timeZone, tags: false });
	yield* writer.write(nodes);
	if (!(yield* writer.isSplit())) return writer.markdown();
	const safeWriter = new MarkdownWriter({ timeZone, tags: true });
	yield* safeWriter.write(nodes);
	return safeWriter.markdown();
}

/** The number of nodes of a fragment written in a step. */
const nodesInStep = 1024;

/** Writes the nodes of a fragment from left to right. */
class MarkdownWriter {
	readonly #options: WriterOptions;
	readonly #parts: string[] = [];
	readonly #open = new Set<InlineTag>();
	/** The offsets of the outermost Markdown elements, in order. */
	readonly #elements: { readonly start: number; readonly end: number }[] = [];
	#length = 0;
	#depth = 0;
	#tail: Tail | undefined;

	constructor(options: WriterOptions) {
		this.#options = options;
	}

	/** Returns the text written so far. */
	markdown(): string {
		return this.#parts.join("");
	}

	/** Writes all nodes of a fragment. */
	*write(nodes: readonly FragmentNode[]): Steps<void> {
		yield* this.#writeChildren(nodes, undefined);
	}

	/**
	 * Whether a create would split an element written in Markdown. A create reads a long text in pieces.
	 * Markdown pairs only within a piece, and tags pair across pieces.
	 */
	*isSplit(): Steps<boolean> {
		let cut = 0;
		let index = 0;
		for (const piece of this.#elements.length === 0 ? [] : piecesOf(this.markdown())) {
			yield;
			if (piece === undefined) continue;
			while ((this.#elements[index]?.end ?? Number.POSITIVE_INFINITY) <= cut) index++;
			if ((this.#elements[index]?.start ?? Number.POSITIVE_INFINITY) < cut) return true;
			cut += piece.length;
		}
		return false;
	}

	/** Recursion is safe here, because fragments are at most six deep. */
	*#writeChildren(nodes: readonly FragmentNode[], parent: FragmentElement | undefined): Steps<void> {
		for (const [index, node] of nodes.entries()) {
			if (index % nodesInStep === nodesInStep - 1) yield;
			const sibling = { parent, before: nodes[index - 1], after: nodes[index + 1] };
			if (typeof node === "string") yield* this.#writeText(node, sibling);
			else yield* this.#writeElement(node, sibling);
		}
	}

	*#writeText(text: string, { parent, before, after }: Sibling): Steps<void> {
		let markdown = yield* escapeInline(text, {
			before: this.#tail?.character ?? "",
			after: typeof after === "object" ? (leading[after.tag] ?? "") : parent?.tag === "s" ? "~" : "",
			isInLink: this.#open.has("a"),
		});
		if (parent === undefined && before === undefined) markdown = escapeStart(markdown);
		if (parent === undefined && after === undefined) markdown = escapeEnd(markdown);
		this.#put(markdown);
	}

	*#writeElement(element: FragmentElement, sibling: Sibling): Steps<void> {
		const { tag, attribute, children } = element;
		const only = children.length === 1 && typeof children[0] === "string" ? children[0] : undefined;
		if (tag === "code" && only !== undefined && this.#isCodeSpan(only)) this.#put(codeSpan(only), "`");
		else if (tag === "time" && only !== undefined && this.#isDate(only, attribute)) this.#put(`[${only}]`, "]");
		else if (tag === "a" && only !== undefined && only === attribute && autolink.test(only)) this.#put(`<${only}>`);
		else if (this.#isLink(element)) yield* this.#enclose("[", element, `](${attribute})`);
		else if (this.#isDelimited(element, sibling)) {
			const delimiter = delimiters[tag] ?? "";
			yield* this.#enclose(delimiter, element, delimiter, delimiter.startsWith("~") ? "~" : "*");
		} else {
			this.#put(openingTag(element));
			yield* this.#writeWithin(element);
			this.#put(`</${tag}>`);
		}
	}

	*#enclose(opening: string, element: FragmentElement, closing: string, character?: Tail["character"]): Steps<void> {
		const start = this.#length;
		this.#depth++;
		this.#put(opening, character, true);
		yield* this.#writeWithin(element);
		this.#put(closing, character);
		this.#depth--;
		if (this.#depth === 0) this.#elements.push({ start, end: this.#length });
	}

	*#writeWithin(element: FragmentElement): Steps<void> {
		this.#open.add(element.tag);
		yield* this.#writeChildren(element.children, element);
		this.#open.delete(element.tag);
	}

	#isCodeSpan(code: string): boolean {
		return !code.includes("\n") && this.#tail?.character !== "`";
	}

	/** Whether the label in brackets would be read as this date. */
	#isDate(label: string, datetime: string | undefined): boolean {
		if (this.#open.has("code") || this.#open.has("a")) return false;
		const { timeZone } = this.#options;
		const [date] = datesInText(`[${label}]`, timeZone ?? "UTC");
		if (typeof date !== "object" || date.label !== label || date.datetime !== datetime) return false;
		return timeZone !== undefined || date.datetime === label;
	}

	#isLink({ tag, attribute, children }: FragmentElement): boolean {
		if (this.#options.tags || tag !== "a" || attribute === undefined || children.length === 0) return false;
		return !unsafeInTarget.test(attribute) && !/[()]/.test(attribute.replace(parentheses, ""));
	}

	#isDelimited({ tag, children }: FragmentElement, { before, after }: Sibling): boolean {
		const delimiter = delimiters[tag];
		const first = children[0];
		const last = children.at(-1);
		if (this.#options.tags || delimiter === undefined || first === undefined || last === undefined) return false;
		if (this.#tail !== undefined && delimiter.startsWith(this.#tail.character)) {
			// Three stars are an italic around a bold, unless one of the two ends earlier.
			if (!this.#tail.isOpening || (tag === "i" && after === undefined)) return false;
		}
		// The edge of the block isn't a character, and the markup of the parent is punctuation. Both work.
		const outsideStart = before === undefined ? "punctuation" : flankOf(before, "last");
		const outsideEnd = after === undefined ? "punctuation" : flankOf(after, "first");
		return delimits(flankOf(first, "first"), outsideStart) && delimits(flankOf(last, "last"), outsideEnd);
	}

	#put(markdown: string, character?: Tail["character"], isOpening = false): void {
		this.#parts.push(markdown);
		this.#length += markdown.length;
		this.#tail = character && { character, isOpening };
	}
}

function codeSpan(code: string): string {
	const fence = "`".repeat(longestBackticks(code) + 1);
	const isStripped = code.startsWith(" ") && code.endsWith(" ") && /[^ ]/.test(code);
	const padding = isStripped || code.startsWith("`") || code.endsWith("`") ? " " : "";
	return fence + padding + code + padding + fence;
}

/** Returns the kind of a node's first or last character in Markdown. Markup is punctuation. */
function flankOf(node: FragmentNode, end: "first" | "last"): Flank {
	return typeof node === "string" ? flankAt(node, end === "first" ? 0 : node.length - 1) : "punctuation";
}
