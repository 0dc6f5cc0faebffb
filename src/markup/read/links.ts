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

/** A link or an image, and the brackets that it stands in, by their offsets in the text. */
export interface Link extends LinkTarget {
	readonly isImage: boolean;
	readonly start: number;
	/** Where the label ends, which begins behind the opening bracket. */
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
		/** Anything else that has been given. */
		given: "given";
	}
	interface Token {
		link?: Link | undefined;
	}
}

/** An opening bracket that has no closing one yet. */
interface Bracket {
	readonly start: number;
	readonly isImage: boolean;
	/** Whether a link has ended behind it, so that it can't begin one: links hold no links. */
	isInactive: boolean;
}

/** The end of the text read so far, and the link that ends there, if any. */
interface Passed {
	readonly end: number;
	readonly link?: Link | undefined;
}

/** The most characters that the parser is given at once. A link or image that holds more of them is none. */
const givenAtOnce = 4096;

/** The characters that the parser gets: brackets of labels, and the beginnings of leaves that may hide brackets. */
const significant = /!\[|[[\]<&`\\]/g;

const blockConstructs = ["codeFenced", "definition", "htmlFlow"];

/**
 * The links and images of a text, in the order in which they begin.
 *
 * The parser takes long for each character, and longer for each that could have a meaning. So it is given nothing but
 * brackets, and the beginnings of leaves, within which there are none: it finds which brackets make a link. Where leaves and
 * targets end is looked up in the text itself.
 */
export function* linksOf(text: string, leaves: LeafReader): Steps<readonly Link[]> {
	const links: Link[] = [];
	const targets = new LinkTargetReader(text);
	for (let given = new Given(text, 0); given.characters !== ""; given = new Given(text, given.end)) {
		const { children } = fromMarkdown(given.characters, {
			extensions: [syntax(given, leaves, targets)],
			mdastExtensions: [linkNodes],
		});
		for (const paragraph of children) {
			if (paragraph.type !== "paragraph") continue;
			for (const node of paragraph.children) if (node.type === "labeled") links.push(node.link);
		}
		yield;
	}
	// They come as they end, and some are in the labels of others.
	return links.sort((left, right) => left.start - right.start);
}

/** The significant characters of a text from an offset on. */
class Given {
	readonly characters: string;
	/** Where the text goes on behind them: later, if what begins with one of them ends later. */
	end: number;
	readonly #offsets: number[] = [];

	constructor(text: string, start: number) {
		let characters = "";
		let end = text.length;
		significant.lastIndex = start;
		for (let match = significant.exec(text); match !== null; match = significant.exec(text)) {
			if (characters.length >= givenAtOnce) {
				end = match.index;
				break;
			}
			characters += match[0];
			for (let index = 0; index < match[0].length; index++) this.#offsets.push(match.index + index);
		}
		this.characters = characters;
		this.end = end;
	}

	/** The offset in the text of a character that is given. */
	offset(at: number): number {
		return this.#offsets[at]!;
	}

	/** How many characters from one on are before an offset in the text. */
	countUpTo(at: number, end: number): number {
		let next = at + 1;
		while (next < this.#offsets.length && this.#offsets[next]! < end) next++;
		if (next === this.#offsets.length) this.end = Math.max(this.end, end);
		return next - at;
	}
}

function syntax(given: Given, leaves: LeafReader, targets: LinkTargetReader): SyntaxExtension {
	const open: Bracket[] = [];

	const opening = (isImage: boolean) =>
		construct(given, (start) => {
			open.push({ start, isImage, isInactive: false });
			return { end: start + (isImage ? 2 : 1) };
		});
	const closing = construct(given, (labelEnd) => {
		const bracket = open.pop();
		const target = bracket === undefined || bracket.isInactive ? undefined : targets.at(labelEnd + 1);
		if (bracket === undefined || target === undefined) return { end: labelEnd + 1 };
		const { start, isImage } = bracket;
		const { end, url, title } = target;
		if (!isImage) deactivate(open);
		return { end, link: { isImage, start, labelEnd, end, url, title } };
	});
	const leaf = construct(given, (start) => leaves.at(start));

	return {
		disable: { null: blockConstructs },
		text: { 33: opening(true), 38: leaf, 60: leaf, 91: opening(false), 92: leaf, 93: closing, 96: leaf },
	};
}

/** A construct that takes whatever it is asked about, and so keeps the parser's own from being tried. */
function construct(given: Given, read: (start: number) => Passed): Construct {
	return {
		resolveAll: linksAlone,
		tokenize(effects, ok) {
			let left = 0;
			let type: "labeled" | "given" = "given";
			const consume: State = (code) => {
				effects.consume(code);
				left -= 1;
				if (left > 0) return consume;
				effects.exit(type);
				return ok;
			};
			return (code) => {
				const at = this.now().offset;
				const { end, link } = read(given.offset(at));
				left = given.countUpTo(at, end);
				if (link !== undefined) type = "labeled";
				effects.enter(type, { link });
				return consume(code);
			};
		},
	};
}

/** The brackets around a link can't begin another one. Those around an earlier one are so already. */
function deactivate(brackets: readonly Bracket[]): void {
	for (let index = brackets.length - 1; index >= 0; index--) {
		const bracket = brackets[index]!;
		if (bracket.isInactive) return;
		if (!bracket.isImage) bracket.isInactive = true;
	}
}

/** Leaves of the parser's events those of links, so that it makes nothing of the others. */
function linksAlone(events: Event[]): Event[] {
	// It takes no text that has no event at all.
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
