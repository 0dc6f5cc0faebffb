import { LazyModule } from "../engine/lazy-module.js";
import { wordArgument } from "../fields.js";
import type { FormatModule } from "./format-module.js";

/** The formats of import and export. */
const exchangeFormats = ["json", "opml", "markdown", "text"] as const;

/**
 * A file format. `json` (JSON Lines) keeps everything, `opml` is OPML 2.0, and `markdown` is nested
 * lists. `text` is plain text with one node per line, indented by its depth.
 *
 * @useDeclaredType
 */
export type ExchangeFormat = (typeof exchangeFormats)[number];

/** The module of each format. */
export const formatModules: { readonly [F in ExchangeFormat]: LazyModule<FormatModule> } = {
	json: new LazyModule("The reader and writer of JSON", () => import("./json/json.js")),
	opml: new LazyModule("The reader and writer of OPML", () => import("./opml/opml.js")),
	markdown: new LazyModule("The reader and writer of Markdown", () => import("./markdown/markdown.js")),
	text: new LazyModule("The reader and writer of text", () => import("./text/text.js")),
};

/**
 * Returns the format.
 *
 * @throws `invalid_argument` for an unknown format
 */
export function exchangeFormatArgument(value: unknown): ExchangeFormat {
	return wordArgument("format", value, exchangeFormats);
}
