import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { type Settings, settingsFrom } from "../../../src/engine/settings.js";
import type { LayoutMode } from "../../../src/layout-mode.js";
import { parseHtml } from "../../../src/markup/html/html.js";
import { parseMarkdown } from "../../../src/markup/markdown.js";
import { normalizeText } from "../../../src/markup/text.js";
import { toMarkdown } from "../../../src/markup/write/to-markdown.js";
import { toText } from "../../../src/markup/write/to-text.js";
import {
	formatArgument,
	htmlModule,
	markdownModule,
	type NameContent,
	readBlocks,
	readContent,
	readFragment,
	readNote,
	type TextFormat,
	textFormats,
} from "../../../src/operations/name.js";
import type { StorageAdapter } from "../../../src/storage.js";
import naughtyStrings from "../../vectors/blns.json" with { type: "json" };
import { canonical } from "../markup/canonical.js";
import { soup } from "../markup/soup.js";

const storage = {} as StorageAdapter;
const settings = settingsFrom({ storage, timeZone: "Europe/Berlin", linkSchemes: ["tel"] });
const tight = settingsFrom({ storage, limits: { name: 5, note: 3 } });
const invalid = (message: RegExp) =>
	expect.objectContaining({ code: "invalid_argument", message: expect.stringMatching(message) });

beforeAll(() => Promise.all([htmlModule.load(), markdownModule.load()]));

/** Runs all steps at once. */
function finished<T>(steps: Generator<unknown, T>): T {
	for (;;) {
		const step = steps.next();
		if (step.done) return step.value;
	}
}

const blocksArgument = (
	name: unknown,
	mode: LayoutMode | undefined,
	settings: Settings,
	format: TextFormat = "markdown",
) => finished(readBlocks(name, mode, settings, format));

const contentArgument = (
	name: unknown,
	mode: LayoutMode | undefined,
	settings: Settings,
	format: TextFormat = "html",
): NameContent => finished(readContent(name, mode, settings, format));

const fragmentArgument = (name: unknown, settings: Settings) => finished(readFragment(name, settings));
const noteArgument = (note: unknown, settings: Settings) => finished(readNote(note, settings));

/** The error that a call throws, if any. */
function thrown(call: () => unknown): unknown {
	try {
		call();
	} catch (error) {
		return error;
	}
	return undefined;
}

describe("formatArgument", () => {
	test("takes each format, and returns the default if the caller omits it", () => {
		for (const format of textFormats) expect(formatArgument(format, "html")).toBe(format);
		expect(formatArgument(undefined, "html")).toBe("html");
		expect(formatArgument(undefined, "markdown")).toBe("markdown");
	});

	test.each([null, "", "HTML", "md", 0, {}, ["text"]])("refuses %j", (value) => {
		expect(thrown(() => formatArgument(value, "text"))).toEqual(
			invalid(/^format is .+\. It must be one of markdown, html, text\.$/),
		);
	});
});

describe("the name of a create", () => {
	const plain = { layoutMode: "bullets", completed: false, depth: 0 };

	test("as HTML makes one node of the fragment", () => {
		const source = "# *a* <b>b</b> &amp;\n\n[2026-11-21 14:30]";
		expect(blocksArgument(source, undefined, settings, "html")).toEqual([{ ...plain, name: source }]);
		expect(blocksArgument("<em>a</em>", "h2", settings, "html")[0]).toMatchObject({
			name: "<i>a</i>",
			layoutMode: "h2",
		});
		expect(blocksArgument("<b>a</b>", "code-block", settings, "html")[0]?.name).toBe("<b>a</b>");
	});

	test.each(textFormats)("may be blank as %s, but must be a text", (format) => {
		expect(blocksArgument("", undefined, settings, format)).toEqual([{ ...plain, name: "" }]);
		expect(thrown(() => blocksArgument(7, undefined, settings, format))).toEqual(
			invalid(/^name is 7\. It must be a text\.$/),
		);
	});

	test.each<[TextFormat, string, string]>([
		["markdown", "**abcde**", "abcdef"],
		["html", "<b>&lt;bcde</b>", "<b>abcdef</b>"],
		["text", "<b>&a", "<b>abc"],
	])("as %s, %j fits into five characters, and %j doesn't", (format, fits, exceeds) => {
		expect(blocksArgument(fits, undefined, tight, format)).toHaveLength(1);
		expect(thrown(() => blocksArgument(exceeds, undefined, tight, format))).toEqual(
			invalid(/^name has 6 characters, and 5 are allowed/),
		);
		expect(thrown(() => contentArgument(exceeds, undefined, tight, format))).toEqual(invalid(/^name has 6/));
	});
});

describe("the name of an update", () => {
	test.each<[string, TextFormat | undefined, string]>([
		["# <em>a</em> **b**", undefined, "# <i>a</i> **b**"],
		["# <em>a</em> **b**", "html", "# <i>a</i> **b**"],
		["- <em>a</em>\n\n# &amp;", "text", "- &lt;em&gt;a&lt;/em&gt;\n\n# &amp;amp;"],
	])("%j as %s changes only the name", (given, format, name) => {
		const expected = { name, layoutMode: undefined, completed: undefined };
		expect(contentArgument(given, undefined, settings, format)).toEqual(expected);
		expect(contentArgument(given, "todo", settings, format)).toEqual({ ...expected, layoutMode: "todo" });
	});

	test.each([
		["a **b**", "a <b>b</b>", undefined, undefined],
		["a\nb", "a b", undefined, undefined],
		["", "", undefined, undefined],
		["- a", "a", "bullets", undefined],
		["* #### a", "<b>a</b>", "bullets", undefined],
		["> - a", "a", "bullets", undefined],
		["#### a", "<b>a</b>", undefined, undefined],
		["1. a", "1. a", undefined, undefined],
		["1. *a*", "1. <i>a</i>", undefined, undefined],
		["# a", "a", "h1", undefined],
		["- # a", "a", "h1", undefined],
		["> a", "a", "quote-block", undefined],
		["```\na\n```", "a", "code-block", undefined],
		["- [ ] a", "a", "todo", false],
		["- [x] a", "a", "todo", true],
		["[x] a", "[x] a", undefined, undefined],
		["-", "-", undefined, undefined],
		["- [x]", "- [x]", undefined, undefined],
		[" - # ", "- #", undefined, undefined],
		["- &#0;", "", "bullets", undefined],
		["- [x] &#0;", "", "todo", true],
		["&#0;", "", undefined, undefined],
	])("reads the Markdown %j", (given, name, layoutMode, completed) => {
		expect(contentArgument(given, undefined, settings, "markdown")).toEqual({ name, layoutMode, completed });
	});

	test.each([
		["- [x] a", "todo", "a", true],
		["- [x] a", "h1", "a", undefined],
		["# a", "todo", "a", undefined],
		["# a", "bullets", "a", undefined],
		["# **a**\n\nb", "code-block", "# **a**\n\nb", undefined],
		["```\n- [x] a\n```", "code-block", "- [x] a", undefined],
	] as const)("prefers the given layout mode to that of %j: %s", (given, layoutMode, name, completed) => {
		expect(contentArgument(given, layoutMode, settings, "markdown")).toEqual({ name, layoutMode, completed });
	});

	test.each([
		["a\n\nb", 2],
		["- a\n- b\n- c", 3],
		["1. - a", 2],
	])("refuses the Markdown %j, which makes %i nodes", (given, count) => {
		expect(thrown(() => contentArgument(given, "h1", settings, "markdown"))).toEqual(
			invalid(new RegExp(`^name makes ${count} nodes as Markdown, and an update changes one\\. Give one block`)),
		);
	});

	test.each(textFormats)("refuses a name that is no text as %s", (format) => {
		expect(thrown(() => contentArgument(null, undefined, settings, format))).toEqual(
			invalid(/^name is null\. It must be a text\.$/),
		);
	});
});

describe("the formats agree", () => {
	test("create and update keep every letter of a text", () => {
		const check = (source: string) => {
			const [block, ...others] = blocksArgument(source, undefined, settings, "text");
			expect(others).toEqual([]);
			expect(toText(block!.name)).toBe(normalizeText(source));
			expect(contentArgument(source, undefined, settings, "text").name).toBe(block!.name);
			expect(parseHtml(block!.name, settings)).toBe(block!.name);
		};
		fc.assert(fc.property(soup, check), { numRuns: 500 });
		fc.assert(fc.property(fc.string({ unit: "binary" }), check), { numRuns: 300 });
		for (const source of naughtyStrings) check(source);
	});

	test("create and update read the same name from a fragment", () => {
		fc.assert(
			fc.property(soup, (source) => {
				const name = fragmentArgument(source, settings);
				expect(contentArgument(source, undefined, settings).name).toBe(name);
				expect(blocksArgument(source, undefined, settings, "html")).toMatchObject([{ name, depth: 0 }]);
			}),
		);
	});

	test("create and update read the same name from one block of Markdown, and update refuses several", () => {
		fc.assert(
			fc.property(soup, (source) => {
				const blocks = parseMarkdown(normalizeText(source), settings as Settings);
				const update = () => contentArgument(source, undefined, settings, "markdown");
				if (blocks.length > 1) expect(thrown(update)).toEqual(invalid(/an update changes one/));
				else {
					expect(update().name).toBe(blocks[0]!.name);
					expect(update().layoutMode ?? "bullets").toBe(blocks[0]!.layoutMode);
				}
			}),
			{ numRuns: 500 },
		);
	});

	test("an update with the Markdown of a node changes nothing", () => {
		const modes = fc.constantFrom("bullets", "todo", "h1", "h2", "h3", "quote-block");
		fc.assert(
			fc.property(canonical, modes, fc.boolean(), (name, layoutMode, done) => {
				const completed = layoutMode === "todo" ? done : undefined;
				const markdown = toMarkdown(name, { layoutMode, completed, timeZone: "Europe/Berlin" });
				expect(contentArgument(markdown, undefined, settings, "markdown")).toEqual({
					name,
					layoutMode: layoutMode === "bullets" ? undefined : layoutMode,
					completed,
				});
			}),
			{ numRuns: 300 },
		);
	});
});

test("a note is plain text or null", () => {
	expect(noteArgument("<b>\r\n&amp;", settings)).toBe("<b>\n&amp;");
	expect(noteArgument(null, settings)).toBe(null);
	expect(noteArgument("abc", tight)).toBe("abc");
	expect(thrown(() => noteArgument("abcd", tight))).toEqual(invalid(/^note has 4 characters, and 3 are allowed/));
	expect(thrown(() => noteArgument({}, tight))).toEqual(invalid(/^note is an object\. It must be a text\.$/));
});
