import type { Node } from "mdast";
import {
	type CompileContext,
	fromMarkdown,
	type Token,
	type Extension as TreeExtension,
} from "mdast-util-from-markdown";
import type { Construct, Event, State, Extension as SyntaxExtension } from "micromark-util-types";
import type { Steps } from "../../pace.js";
import type { LeafReader } from "./leaf.js";
import { type LinkTarget, LinkTargetReader } from "./link-target.js";

/** A link or an image, with the offsets of its brackets in the text. */
export interface Link extends LinkTarget {
	readonly isImage: boolean;
	readonly start: number;
	/** The end of the label, which begins after the opening bracket. */
	readonly labelEnd: number;
}

/** A link or an image in the parser's tree. */
interface LinkNode extends Node {
	type: "labeled";
	link: Link;
}

declare module "mdast" {
	interface RootContentMap {
		labeled: LinkNode;
	}
	interface PhrasingContentMap {
		labeled: LinkNode;
	}
}

declare module "micromark-util-types" {
	interface TokenTypeMap {
		/** The end of a link or an image. */
		labeled: "labeled";
		/** Any other input of the parser. */
		input: "input";
	}
	interface Token {
		link?: Link | undefined;
	}
}

/** An opening bracket without a closing bracket yet. */
interface Bracket {
	readonly start: number;
	readonly isImage: boolean;
	/** Whether a link has ended after it. Links can't contain links, so it can't begin one any more. */
	isInactive: boolean;
}

/** The end of the text read so far, and the link that ends there, if any. */
interface Consumed {
	readonly end: number;
	readonly link?: Link | undefined;
}

/** The maximum number of characters parsed at once. A link or image that contains more of them is text. */
const parsedAtOnce = 4096;

/** The parser's characters: brackets, and the starts of leaves, because leaves may contain brackets. */
const significant = /!\[|[[\]<&`\\]/g;

const blockConstructs = ["codeFenced", "definition", "htmlFlow"];

/**
 * Returns the links and images of a text, in the order in which they begin.
 *
 * The parser is slow for each character, and slower for characters that could have a meaning. So it only gets
 * the brackets and the first characters of leaves. It finds the brackets that make a link. The ends of leaves
 * and targets are looked up in the text itself.
 */
export function* linksOf(text: string, leaves: LeafReader): Steps<readonly Link[]> {
	const links: Link[] = [];
	const targets = new LinkTargetReader(text);
	for (let input = new ParserInput(text, 0); input.characters !== ""; input = new ParserInput(text, input.end)) {
		const { children } = fromMarkdown(input.characters, {
			extensions: [syntax(input, leaves, targets)],
			mdastExtensions: [linkNodes],
		});
		for (const paragraph of children) {
			if (paragraph.type !== "paragraph") continue;
			for (const node of paragraph.children) if (node.type === "labeled") links.push(node.link);
		}
		yield;
	}
	// The parser reports links by their ends, and a link may be in the label of an image.
	return links.sort((left, right) => left.start - right.start);
}

/** The significant characters of a text from an offset on. */
class ParserInput {
	readonly characters: string;
	/** The offset after these characters, or the end of a leaf or link among them if that is later. */
	end: number;
	readonly #offsets: number[] = [];

	constructor(text: string, start: number) {
		let characters = "";
		let end = text.length;
		significant.lastIndex = start;
		for (let match = significant.exec(text); match !== null; match = significant.exec(text)) {
			if (characters.length >= parsedAtOnce) {
				end = match.index;
				break;
			}
			characters += match[0];
			for (let index = 0; index < match[0].length; index++) this.#offsets.push(match.index + index);
		}
		this.characters = characters;
		this.end = end;
	}

	/** Returns the offset in the text of one of these characters. */
	offset(at: number): number {
		return this.#offsets[at]!;
	}

	/** Returns the number of these characters from one of them up to an offset in the text. */
	countUpTo(at: number, end: number): number {
		let next = at + 1;
		while (next < this.#offsets.length && this.#offsets[next]! < end) next++;
		if (next === this.#offsets.length) this.end = Math.max(this.end, end);
		return next - at;
	}
}

function syntax(input: ParserInput, leaves: LeafReader, targets: LinkTargetReader): SyntaxExtension {
	const open: Bracket[] = [];

	const opening = (isImage: boolean) =>
		construct(input, (start) => {
			open.push({ start, isImage, isInactive: false });
			return { end: start + (isImage ? 2 : 1) };
		});
	const closing = construct(input, (labelEnd) => {
		const bracket = open.pop();
		const target = bracket === undefined || bracket.isInactive ? undefined : targets.at(labelEnd + 1);
		if (bracket === undefined || target === undefined) return { end: labelEnd + 1 };
		const { start, isImage } = bracket;
		const { end, url, title } = target;
		if (!isImage) deactivate(open);
		return { end, link: { isImage, start, labelEnd, end, url, title } };
	});
	const leaf = construct(input, (start) => leaves.at(start));

	return {
		disable: { null: blockConstructs },
		text: { 33: opening(true), 38: leaf, 60: leaf, 91: opening(false), 92: leaf, 93: closing, 96: leaf },
	};
}

/** Returns a construct that accepts every character, so that the parser's own constructs never run. */
function construct(input: ParserInput, read: (start: number) => Consumed): Construct {
	return {
		resolveAll: linksAlone,
		tokenize(effects, ok) {
			let left = 0;
			let type: "labeled" | "input" = "input";
			const consume: State = (code) => {
				effects.consume(code);
				left -= 1;
				if (left > 0) return consume;
				effects.exit(type);
				return ok;
			};
			return (code) => {
				const at = this.now().offset;
				const { end, link } = read(input.offset(at));
				left = input.countUpTo(at, end);
				if (link !== undefined) type = "labeled";
				effects.enter(type, { link });
				return consume(code);
			};
		},
	};
}

/**
 * Marks the brackets around a link as inactive, because they can't begin another link. Brackets around an
 * earlier link are already inactive.
 */
function deactivate(brackets: readonly Bracket[]): void {
	for (let index = brackets.length - 1; index >= 0; index--) {
		const bracket = brackets[index]!;
		if (bracket.isInactive) return;
		if (!bracket.isImage) bracket.isInactive = true;
	}
}

/** Keeps only the link events of the parser, so that it creates nothing from the rest. */
function linksAlone(events: Event[]): Event[] {
	// The parser fails for a text without events, so the first two stay.
	let count = 2;
	for (let index = 2; index < events.length; index++) {
		if (events[index]![1].type === "labeled") events[count++] = events[index]!;
	}
	events.length = count;
	return events;
}

const linkNodes: TreeExtension = { exit: { labeled: addLink } };

function addLink(this: CompileContext, { link }: Token): undefined {
	const parent = this.stack.at(-1)!;
	if (link !== undefined && "children" in parent) {
		(parent.children as Node[]).push({ type: "labeled", link } as LinkNode);
	}
}
