import { OutlineError, quoted } from "../errors.js";
import type { FormatModule } from "./format-module.js";

/** The formats that an outline can be read from and written in. */
export const exchangeFormats = ["json", "opml", "markdown", "text"] as const;

/**
 * A format of files: `json` (JSON Lines) carries everything over, `opml` is OPML 2.0, `markdown` is nested lists, and `text`
 * is plain text with a node on each line, indented by its depth.
 *
 * @useDeclaredType
 */
export type ExchangeFormat = (typeof exchangeFormats)[number];

/** The module of a format. */
export const loadFormat: { readonly [F in ExchangeFormat]: () => Promise<FormatModule> } = {
	json: () => import("./json.js"),
	opml: () => import("./opml.js"),
	markdown: () => import("./markdown.js"),
	text: () => import("./text.js"),
};

/** The format given. @throws `invalid_argument` */
export function exchangeFormatArgument(value: unknown): ExchangeFormat {
	const format = exchangeFormats.find((known) => known === value);
	if (format !== undefined) return format;
	throw new OutlineError(
		"invalid_argument",
		`format is ${quoted(value)}. It must be one of ${exchangeFormats.join(", ")}.`,
	);
}
