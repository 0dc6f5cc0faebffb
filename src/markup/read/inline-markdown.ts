import type { Steps } from "../../pace.js";
import { permittedHref } from "../html/link.js";
import { type Inline, literal } from "../inline.js";
import { sliceLength } from "../long-text.js";
import type { MarkupOptions } from "../options.js";
import { normalizeText } from "../text.js";
import { characterSet, firstOf } from "./character-set.js";
import { codeSpansOf, runEnd } from "./code-span.js";
import { pushWithEmphasis, type Run, runOf } from "./emphasis.js";
import { LeafReader } from "./leaf.js";
import { type Link, linksOf } from "./links.js";
import { piecesOf } from "./pieces.js";

/** Matches the characters that begin markup. A text without them is plain. */
const mark = /[\\`<&*~[]/;

/** The characters that begin a leaf (kind 1) or a run (kind 2). */
const kinds = characterSet("\\&`<", "*~");

/** The number of leaves, runs and links read in a step. */
const itemsInStep = 1024;
const noLinks: readonly Link[] = [];

/** Whether a text may contain markup. */
export function mayHoldMore(text: string): boolean {
	return mark.test(text);
}

/** Reads the text of one block, without line endings, as inline Markdown. Spec §2.5. */
export function* inlinesOfMarkdown(text: string, options: MarkupOptions): Steps<Inline[]> {
	const inlines: Inline[] = [];
	for (const piece of piecesOf(text)) {
		if (piece !== undefined) yield* pushPiece(inlines, piece, options);
		yield;
	}
	return inlines;
}

/** Reads a piece. */
function* pushPiece(inlines: Inline[], text: string, options: MarkupOptions): Steps<void> {
	const leaves = new LeafReader(text, options, text.includes("`") ? yield* codeSpansOf(text) : undefined);
	const links = text.includes("](") ? yield* linksOf(text, leaves) : noLinks;
	yield* new PieceReader(text, leaves, links, options).read(inlines);
}

/** A range in which emphasis is paired separately: a piece, or the label of a link in it. */
interface Span {
	/** Undefined for a piece. */
	readonly link: Link | undefined;
	readonly end: number;
	readonly items: (Inline | Run)[];
}

class PieceReader {
	readonly #text: string;
	readonly #leaves: LeafReader;
	readonly #links: readonly Link[];
	readonly #options: MarkupOptions;
	readonly #outer: Span[] = [];
	#span: Span;
	#nextLink = 0;
	/** The start of the text that hasn't been added yet. */
	#start = 0;
	#at = 0;
	/** Whether tildes come before stars. */
	#isStruckFirst: boolean | undefined;

	constructor(text: string, leaves: LeafReader, links: readonly Link[], options: MarkupOptions) {
		this.#text = text;
		this.#leaves = leaves;
		this.#links = links;
		this.#options = options;
		this.#span = { link: undefined, end: text.length, items: [] };
	}

	*read(inlines: Inline[]): Steps<void> {
		for (let count = 1; ; count++) {
			if (count % itemsInStep === 0) yield;
			const { link, end, items } = this.#span;
			const stop = Math.min(this.#links[this.#nextLink]?.start ?? end, end);
			this.#at = firstOf(kinds, this.#text, this.#at, Math.min(stop, this.#at + sliceLength));
			if (this.#at < stop) {
				const kind = kinds[this.#text.charCodeAt(this.#at)];
				if (kind === 1) this.#readLeaf();
				else if (kind === 2) this.#readRun();
				// This slice has nothing but text.
				else yield;
			} else if (stop < end) this.#openLink(this.#links[this.#nextLink++]!);
			else if (link !== undefined) yield* this.#closeLink(link, items);
			else break;
		}
		this.#addText(this.#at);
		yield* pushWithEmphasis(inlines, this.#span.items, this.#isStruckFirst === true);
	}

	#readLeaf(): void {
		const { end, inlines } = this.#leaves.at(this.#at);
		if (inlines.length > 0) {
			this.#addText(end);
			for (const inline of inlines) this.#span.items.push(inline);
		}
		this.#at = end;
	}

	#readRun(): void {
		const end = runEnd(this.#text, this.#at);
		const isStars = this.#text[this.#at] === "*";
		if (isStars || end - this.#at === 2) {
			const run = runOf(this.#text, this.#at, end);
			this.#addText(end);
			this.#span.items.push(run);
			this.#isStruckFirst ??= !isStars;
		}
		this.#at = end;
	}

	#openLink(link: Link): void {
		this.#outer.push(this.#span);
		const labelStart = link.start + (link.isImage ? 2 : 1);
		this.#addText(labelStart);
		this.#span = { link, end: link.labelEnd, items: [] };
		this.#at = labelStart;
	}

	*#closeLink(link: Link, items: readonly (Inline | Run)[]): Steps<void> {
		this.#addText(link.end);
		const label: Inline[] = [];
		yield* pushWithEmphasis(label, items, true);
		this.#span = this.#outer.pop()!;
		for (const inline of inlinesOfLink(link, label, this.#text, this.#options)) this.#span.items.push(inline);
		this.#at = link.end;
	}

	/** Adds the text up to the current offset. The next text begins at `next`. */
	#addText(next: number): void {
		if (this.#at > this.#start) {
			this.#span.items.push({ type: "text", value: this.#text.slice(this.#start, this.#at), dates: true });
		}
		this.#start = next;
	}
}

/**
 * Returns the inlines of a link. An image stays as typed, and so does a link with a forbidden target or an
 * empty label. A title follows its link as text.
 */
function inlinesOfLink(
	{ isImage, start, labelEnd, end, url, title }: Link,
	label: readonly Inline[],
	text: string,
	{ linkSchemes }: MarkupOptions,
): readonly Inline[] {
	const href = isImage || label.length === 0 ? undefined : permittedHref(normalizeText(url), linkSchemes);
	if (href === undefined) return [literal(text.slice(start, end))];
	const suffix = title === "" ? "" : ` "${title}"`;
	return [
		{ type: "open", tag: "a", attribute: href, source: "[", sealed: true },
		...label,
		{ type: "close", tag: "a", source: text.slice(labelEnd, end), sealed: true, suffix },
	];
}
