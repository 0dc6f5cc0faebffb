import { CommitSize } from "../engine/commit-size.js";
import { LazyModule, type LoadingSteps } from "../engine/lazy-module.js";
import type { Settings } from "../engine/settings.js";
import { OutlineError, quoted } from "../errors.js";
import type { LayoutMode } from "../layout-mode.js";
import { changed, normalized } from "../markup/long-text.js";
import type { Block, MarkdownText } from "../markup/markdown.js";
import type { MarkupOptions } from "../markup/options.js";
import { isPlain, isPlainFragment } from "../markup/plain.js";
import { assertLength, escapeText, normalizeText } from "../markup/text.js";
import { sizeOfRecord } from "../node.js";
import type { Steps } from "../pace.js";

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

/** The longest text that is looked at whole, to find that it has no markup. */
const longestPlain = 65_536;

/** Reads HTML. Most texts are plain, and don't need it. */
export const htmlModule = new LazyModule("The reader of HTML", () => import("../markup/html/html.js"));

/** Reads Markdown, and is most of the code that an outline needs. */
export const markdownModule = new LazyModule("The reader of Markdown", () => import("../markup/markdown.js"));

/** The format given, or the one that is meant where it was left out. @throws `invalid_argument` */
export function formatArgument(value: unknown, fallback: TextFormat): TextFormat {
	if (value === undefined) return fallback;
	if (value === "markdown" || value === "html" || value === "text") return value;
	throw new OutlineError(
		"invalid_argument",
		`format is ${quoted(value)}. It must be one of ${textFormats.join(", ")}.`,
	);
}

/**
 * The name that a short text without markup gives a node. Undefined for any other value, right or wrong: it has to be read.
 * Nearly all names are such texts, and reading takes a hundred times as long.
 */
export function plainName(name: unknown, settings: Settings, format: TextFormat): string | undefined {
	if (typeof name !== "string" || name.length > Math.min(longestPlain, settings.limits.name)) return undefined;
	const text = normalizeText(name);
	if (format === "text") return escapeText(text);
	return (format === "markdown" ? isPlain(text) : isPlainFragment(text)) ? text : undefined;
}

/**
 * The blocks of a name, as a create takes them: several if it is Markdown, else one. Spec §2.5.
 *
 * @throws `invalid_argument`; `too_large` for more than fits into one commit
 */
export function* readBlocks(
	name: unknown,
	layoutMode: LayoutMode | undefined,
	settings: Settings,
	format: TextFormat,
): LoadingSteps<Block[]> {
	if (format === "markdown") return (yield* readMarkdownName(name, layoutMode, settings)).blocks;
	return [blockOfName(yield* readOneName(name, settings, format), layoutMode)];
}

/** What becomes of a name that makes one node. */
export function blockOfName(name: string, layoutMode: LayoutMode = "bullets"): Block {
	return { name, layoutMode, completed: false, depth: 0 };
}

/**
 * What an update takes from a name. Markdown has to make one node, whose prefix tells the layout mode, unless one is given,
 * and whether a task is checked.
 *
 * @throws `invalid_argument`
 */
export function* readContent(
	name: unknown,
	layoutMode: LayoutMode | undefined,
	settings: Settings,
	format: TextFormat,
): LoadingSteps<NameContent> {
	if (format !== "markdown")
		return { name: yield* readOneName(name, settings, format), layoutMode, completed: undefined };
	const forced = layoutMode === "code-block" ? layoutMode : undefined;
	const { blocks, prefix } = yield* readMarkdownName(name, forced, settings);
	const [block] = blocks;
	if (block === undefined || blocks.length > 1) {
		throw new OutlineError(
			"invalid_argument",
			`name makes ${blocks.length} nodes as Markdown, and an update changes one. Give one block of Markdown, create nodes for the others, or give the name as html or text.`,
		);
	}
	const resulting = layoutMode ?? prefix;
	const isTask = block.layoutMode === "todo" && resulting === "todo";
	return { name: block.name, layoutMode: resulting, completed: isTask ? block.completed : undefined };
}

/** Reads a name whose format makes one node. @throws `invalid_argument` */
function* readOneName(name: unknown, settings: Settings, format: "html" | "text"): LoadingSteps<string> {
	if (format === "text") return yield* readPlain(name, settings);
	yield* htmlModule.needed();
	return yield* readFragment(name, settings);
}

/**
 * Reads a name that is an HTML fragment, and returns its canonical form. {@link htmlModule} has been loaded. Spec §2.1, §4.2.
 *
 * @throws `invalid_argument`
 */
export function* readFragment(name: unknown, settings: Settings): Steps<string> {
	const source = yield* readSource(name, settings);
	return yield* htmlModule.loaded.readHtml(source, markupOptions(settings));
}

/** A note that is short or null. Undefined for any other value, right or wrong: it has to be read. */
export function shortNote(note: unknown, settings: Settings): string | null | undefined {
	if (note === null) return null;
	if (typeof note !== "string" || note.length > Math.min(longestPlain, settings.limits.note)) return undefined;
	return normalizeText(note);
}

/** A note: plain text, or null for none. @throws `invalid_argument` */
export function* readNote(note: unknown, settings: Settings): Steps<string | null> {
	return note === null ? null : yield* readText("note", note, settings.limits.note);
}

/** A name that is given as plain text, as a canonical fragment. @throws `invalid_argument` */
export function* readPlain(name: unknown, settings: Settings): Steps<string> {
	return yield* changed(yield* readText("name", name, settings.limits.name), escapeText);
}

function* readMarkdownName(
	name: unknown,
	layoutMode: LayoutMode | undefined,
	settings: Settings,
): LoadingSteps<MarkdownText> {
	const source = yield* readSource(name, settings);
	const size = new CommitSize(settings, "Create its nodes in several steps");
	const check = ({ name }: Block) => size.add(sizeOfRecord({ name, note: null }));
	const { readMarkdown } = yield* markdownModule.needed();
	return yield* readMarkdown(source, { ...markupOptions(settings), layoutMode }, check);
}

/** How an outline reads markup. */
export function markupOptions({ timeZone, linkSchemes, limits }: Settings): MarkupOptions {
	return { timeZone, linkSchemes, longest: limits.name };
}

/** A name that is still to be parsed. */
function readSource(name: unknown, settings: Settings): Steps<string> {
	return readText("name", name, Math.max(parsedLimit, settings.limits.name));
}

/** The length of the longest text that is taken for anything. */
export function longestText({ limits }: Settings): number {
	return Math.max(parsedLimit, limits.name, limits.note);
}

function* readText(parameter: string, value: unknown, limit: number): Steps<string> {
	if (typeof value !== "string") {
		throw new OutlineError("invalid_argument", `${parameter} is ${quoted(value)}. It must be a text.`);
	}
	const text = yield* normalized(value);
	assertLength(parameter, text.length, limit);
	return text;
}
