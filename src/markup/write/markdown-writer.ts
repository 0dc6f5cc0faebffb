import type { Steps } from "../../pace.js";
import type { FragmentElement, FragmentNode } from "../html/fragment.js";
import { openingTag } from "../html/serialize.js";
import { datesInText } from "../html/time.js";
import { piecesOf } from "../pieces.js";
import { longestRunOf } from "../read/code-span.js";
import { delimits, flankOf } from "../read/flank.js";
import type { InlineTag } from "../read/inline.js";
import { escapeEnd, escapeInline, escapeStart } from "./markdown-escape.js";

/** How a writer chooses between Markdown and tags. */
export interface WriterOptions {
	/** The zone of dates with a time; without one, these are written as tags. */
	readonly timeZone: string | undefined;
	/** Whether emphasis and links are written as tags everywhere. */
	readonly tags: boolean;
}

/** What was written last, if it was Markdown that what follows could run into. */
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
/** What the Markdown of an element may begin with that a text before it could run into. */
const leading: Partial<Record<InlineTag, string>> = { s: "~", a: "[", time: "[" };
/** What could end the target of a link, or be taken for other markup in it. */
const unsafeInTarget = /[\s<>[\]\\`]|&#?[A-Za-z0-9]+;/;
const parentheses = /\([^()]*\)/g;
const autolink = /^[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\0-\x20<>\x7f]*$/;

/** The nodes of a fragment as inline Markdown for the text of one block: readable Markdown, and tags where it has no way. */
export function* inlineMarkdown(nodes: readonly FragmentNode[], timeZone: string | undefined): Steps<string> {
	const writer = new MarkdownWriter({ timeZone, tags: false });
	yield* writer.write(nodes);
	if (!(yield* writer.isTornApart())) return writer.markdown();
	const safeWriter = new MarkdownWriter({ timeZone, tags: true });
	yield* safeWriter.write(nodes);
	return safeWriter.markdown();
}

/** How many nodes of a fragment are written in a step. */
const nodesInStep = 1024;

/** Writes the nodes of a fragment from left to right. */
export class MarkdownWriter {
	readonly #options: WriterOptions;
	readonly #parts: string[] = [];
	readonly #open = new Set<InlineTag>();
	/** Where the outermost elements in Markdown begin and end, in order. */
	readonly #elements: { readonly start: number; readonly end: number }[] = [];
	#length = 0;
	#depth = 0;
	#tail: Tail | undefined;

	constructor(options: WriterOptions) {
		this.#options = options;
	}

	/** What has been written. */
	markdown(): string {
		return this.#parts.join("");
	}

	/** Writes all the nodes of a fragment. */
	*write(nodes: readonly FragmentNode[]): Steps<void> {
		yield* this.#writeChildren(nodes, undefined);
	}

	/**
	 * Whether a create, which reads long texts in pieces, would tear apart an element in Markdown: it pairs only within a
	 * piece, while tags pair across them.
	 */
	*isTornApart(): Steps<boolean> {
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

	/** Recursive, which is safe: fragments are at most six deep. */
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

	/** Whether a label in brackets would become this date. */
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
			// Three stars are an italic around a bold, unless one of the two ends elsewhere.
			if (!this.#tail.isOpening || (tag === "i" && after === undefined)) return false;
		}
		// The edge of the block is no character, and the markup of the parent is punctuation: either will do.
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
	const fence = "`".repeat(longestRunOf("`", code) + 1);
	const isStripped = code.startsWith(" ") && code.endsWith(" ") && /[^ ]/.test(code);
	const padding = isStripped || code.startsWith("`") || code.endsWith("`") ? " " : "";
	return fence + padding + code + padding + fence;
}
