import { OutlineError, quoted } from "./errors.js";
import type { LayoutMode } from "./layout-mode.js";
import { LazyModule } from "./lazy-module.js";
import type { Block } from "./markup/markdown.js";
import { isPlain, isPlainFragment, plainBlock } from "./markup/plain.js";
import { escapeText, normalizeText, textLength } from "./markup/text.js";
import type { Settings } from "./settings.js";

/** The formats a name may be given in. */
export const textFormats = ["markdown", "html", "text"] as const;

/**
 * How a name is read: as the Markdown of spec §2.5, as an HTML fragment with the tags of spec §2.1, or to the letter, as
 * text in which nothing is markup and lines stay lines.
 *
 * @useDeclaredType
 */
export type TextFormat = (typeof textFormats)[number];

/** What a name says about the node it is given to. */
export interface NameContent {
	/** A canonical fragment. */
	readonly name: string;
	/** Undefined where nothing is said about it. */
	readonly layoutMode: LayoutMode | undefined;
	/** Whether a task is checked; undefined for all that is no task. */
	readonly completed: boolean | undefined;
}

/**
 * The most characters that are parsed at once, markup and all. Above the limit of a name: escapes, tags and links are longer
 * than the text they stand for, and one text may make many nodes.
 */
const parsedLimit = 16_000_000;

/** Reads HTML. Most texts are plain, and don't need it. */
export const htmlModule = new LazyModule("What reads HTML", () => import("./markup/html.js"));

/** Reads Markdown, and is most of the code that an outline needs. */
export const markdownModule = new LazyModule("What reads Markdown", () => import("./markup/markdown.js"));

/** The format given, or the one that is meant where it was left out. @throws `invalid_argument` */
export function formatArgument(value: unknown, fallback: TextFormat): TextFormat {
	if (value === undefined) return fallback;
	if (value === "markdown" || value === "html" || value === "text") return value;
	throw new OutlineError(
		"invalid_argument",
		`format is ${quoted(value)}. It must be one of ${textFormats.join(", ")}.`,
	);
}

/** The blocks of a name, as a create takes them: several if it is Markdown, else one. Spec §2.5. @throws `invalid_argument` */
export function blocksArgument(
	name: unknown,
	layoutMode: LayoutMode | undefined,
	settings: Settings,
	format: TextFormat = "markdown",
): Block[] {
	if (format === "markdown") return blocksOfMarkdown(sourceArgument(name, settings), layoutMode, settings);
	const fragment = format === "html" ? fragmentArgument(name, settings) : plainArgument(name, settings);
	return [{ name: fragment, layoutMode: layoutMode ?? "bullets", completed: false, depth: 0 }];
}

/**
 * What an update takes from a name. Markdown has to make one node, whose prefix tells the layout mode, unless one is given,
 * and whether a task is checked.
 *
 * @throws `invalid_argument`; NotLoaded as {@link blocksArgument}
 */
export function contentArgument(
	name: unknown,
	layoutMode: LayoutMode | undefined,
	settings: Settings,
	format: TextFormat = "html",
): NameContent {
	if (format === "html") return { name: fragmentArgument(name, settings), layoutMode, completed: undefined };
	if (format === "text") return { name: plainArgument(name, settings), layoutMode, completed: undefined };
	const text = sourceArgument(name, settings);
	const blocks = blocksOfMarkdown(text, layoutMode === "code-block" ? layoutMode : undefined, settings);
	const [block] = blocks;
	if (block === undefined || blocks.length > 1) {
		throw new OutlineError(
			"invalid_argument",
			`name makes ${blocks.length} nodes as Markdown, and an update changes one. Give one block of Markdown, create nodes for the others, or give the name as html or text.`,
		);
	}
	const resulting = layoutMode ?? (isPlain(text) ? undefined : markdownModule.now.layoutModeOfPrefix(text, block));
	const isTask = block.layoutMode === "todo" && resulting === "todo";
	return { name: block.name, layoutMode: resulting, completed: isTask ? block.completed : undefined };
}

/** A name that is given as an HTML fragment, in its canonical form. Spec §2.1, §4.2. @throws as {@link blocksArgument} */
export function fragmentArgument(name: unknown, settings: Settings): string {
	const source = sourceArgument(name, settings);
	const { timeZone, linkSchemes } = settings;
	const fragment = isPlainFragment(source) ? source : htmlModule.now.parseHtml(source, { timeZone, linkSchemes });
	assertTextLength(fragment, settings);
	return fragment;
}

/** A note: plain text, or null for none. @throws `invalid_argument` */
export function noteArgument(note: unknown, settings: Settings): string | null {
	return note === null ? null : textArgument("note", note, settings.limits.note);
}

function blocksOfMarkdown(text: string, layoutMode: LayoutMode | undefined, settings: Settings): Block[] {
	const { timeZone, linkSchemes } = settings;
	const plain = plainBlock(text, layoutMode);
	const blocks = plain ? [plain] : markdownModule.now.parseMarkdown(text, { timeZone, linkSchemes, layoutMode });
	for (const block of blocks) assertTextLength(block.name, settings);
	return blocks;
}

/** A name that is given as plain text, as a canonical fragment. */
function plainArgument(name: unknown, settings: Settings): string {
	return escapeText(textArgument("name", name, settings.limits.name));
}

/** A name that is still to be parsed. */
function sourceArgument(name: unknown, settings: Settings): string {
	return textArgument("name", name, Math.max(parsedLimit, settings.limits.name));
}

function textArgument(parameter: string, value: unknown, limit: number): string {
	if (typeof value !== "string") {
		throw new OutlineError("invalid_argument", `${parameter} is ${quoted(value)}. It must be a text.`);
	}
	const text = normalizeText(value);
	assertLength(parameter, text.length, limit);
	return text;
}

/** Of a canonical name, whose text is never longer than the name. */
function assertTextLength(name: string, { limits }: Settings): void {
	if (name.length > limits.name) assertLength("name", textLength(name), limits.name);
}

function assertLength(parameter: string, length: number, limit: number): void {
	if (length <= limit) return;
	throw new OutlineError(
		"invalid_argument",
		`${parameter} has ${length} characters, and ${limit} are allowed. Shorten it, or split it over several nodes.`,
	);
}
