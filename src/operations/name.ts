import { CommitSize } from "../engine/commit-size.js";
import { LazyModule, type LoadingSteps } from "../engine/lazy-module.js";
import type { Settings } from "../engine/settings.js";
import { invalidArgument, OutlineError } from "../errors.js";
import { wordArgument } from "../fields.js";
import type { LayoutMode } from "../layout-mode.js";
import { type Block, blockOfName } from "../markup/block.js";
import { changed, normalized } from "../markup/long-text.js";
import type { MarkdownText } from "../markup/markdown.js";
import { isPlain, isPlainFragment, longestPlain } from "../markup/plain.js";
import { assertLength, escapeText, normalizeText } from "../markup/text.js";
import { sizeOfRecord } from "../node.js";
import type { Steps } from "../pace.js";

/** The formats of a name. */
export const textFormats = ["markdown", "html", "text"] as const;

/**
 * The format of a name. `markdown`: the Markdown of spec §2.5. `html`: an HTML fragment with the tags of spec
 * §2.1. `text`: plain text, without markup and with its line breaks.
 */
export type TextFormat = (typeof textFormats)[number];

/** The parts of a node that a name sets. */
export interface NameContent {
	/** A canonical fragment. */
	readonly name: string;
	/** Undefined if the name sets none. */
	readonly layoutMode: LayoutMode | undefined;
	/** Whether a task is checked; undefined if the name is no task. */
	readonly completed: boolean | undefined;
}

/**
 * The most characters of a name with its markup. This is more than the limit of a name: markup is longer than
 * its text, and one text may make many nodes.
 */
const parsedLimit = 16_000_000;

/** The reader of HTML. Most texts are plain, and don't need it. */
export const htmlModule = new LazyModule("The reader of HTML", () => import("../markup/html/html.js"));

/** The reader of Markdown. It is most of the code that an outline needs. */
export const markdownModule = new LazyModule("The reader of Markdown", () => import("../markup/markdown.js"));

/** Returns the format given, or else the fallback. @throws `invalid_argument` */
export function formatArgument(value: unknown, fallback: TextFormat): TextFormat {
	return value === undefined ? fallback : wordArgument("format", value, textFormats);
}

/**
 * Returns the name of a node for a short text without markup. Undefined for any other value, valid or not.
 * Almost all names are such texts, and the full readers take a hundred times as long.
 */
export function plainName(name: unknown, settings: Settings, format: TextFormat): string | undefined {
	if (typeof name !== "string" || name.length > Math.min(longestPlain, settings.limits.name)) return undefined;
	const text = normalizeText(name);
	if (format === "text") return escapeText(text);
	return (format === "markdown" ? isPlain(text) : isPlainFragment(text)) ? text : undefined;
}

/**
 * Reads the blocks of a name, as `create` takes it: perhaps several from Markdown, else one. Spec §2.5.
 *
 * @throws `invalid_argument`; `too_large` if they don't fit into one commit
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

/**
 * Reads a name for `update`. Markdown must make one node. Its prefix sets the layout mode, unless the caller
 * gives one, and whether a task is checked.
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
			`name makes ${blocks.length} nodes as Markdown, and an update changes one. Give one block of Markdown, create nodes for the other blocks, or give the name as html or text.`,
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
 * Reads a name that is an HTML fragment, and returns its canonical form. {@link htmlModule} is loaded. Spec
 * §2.1, §4.2.
 *
 * @throws `invalid_argument`
 */
export function* readFragment(name: unknown, settings: Settings): Steps<string> {
	const source = yield* readSource(name, settings);
	return yield* htmlModule.loaded.readHtml(source, settings);
}

/** Returns a note that is short or null. Undefined for any other value, valid or not. */
export function shortNote(note: unknown, settings: Settings): string | null | undefined {
	if (note === null) return null;
	if (typeof note !== "string" || note.length > Math.min(longestPlain, settings.limits.note)) return undefined;
	return normalizeText(note);
}

/** Reads a note: plain text, or null for none. @throws `invalid_argument` */
export function* readNote(note: unknown, settings: Settings): Steps<string | null> {
	return note === null ? null : yield* readText("note", note, settings.limits.note);
}

/** Reads a name that is plain text, and returns it as a canonical fragment. @throws `invalid_argument` */
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
	return yield* readMarkdown(source, layoutMode, settings, check);
}

/** Reads the source text of a name that is still to parse. */
function readSource(name: unknown, settings: Settings): Steps<string> {
	return readText("name", name, Math.max(parsedLimit, settings.limits.name));
}

/** Returns the length of the longest text that any argument takes. */
export function longestText({ limits }: Settings): number {
	return Math.max(parsedLimit, limits.name, limits.note);
}

function* readText(parameter: string, value: unknown, limit: number): Steps<string> {
	if (typeof value !== "string") {
		throw invalidArgument(parameter, value, "a text");
	}
	const text = yield* normalized(value);
	assertLength(parameter, text.length, limit);
	return text;
}
