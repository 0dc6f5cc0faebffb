/**
 * Converts the texts of an outline without an outline: a name to plain text or Markdown, and a Markdown text
 * to nodes. Finds tags, web addresses and dates in texts. Importing this module loads the parser at once. An
 * outline loads it on first use, or with `outline.preload()`.
 *
 * ```ts
 * import { fromMarkdown, toMarkdown, toText } from "outlinekit/markup";
 *
 * toText("Trip to <b>Oslo</b>"); // Trip to Oslo
 * toMarkdown("Trip to <b>Oslo</b>", { layoutMode: "h1" }); // # Trip to **Oslo**
 * fromMarkdown("# Trip to **Oslo**"); // [{ name: "Trip to <b>Oslo</b>", layoutMode: "h1", … }]
 * ```
 *
 * @module outlinekit/markup
 */
export type { Block } from "./block.js";
export { type DatesInOptions, datesIn, type WordsOfDate } from "./dates.js";
export { type FromMarkdownOptions, fromMarkdown } from "./from-markdown.js";
export { type TagInText, tagsIn } from "./tags.js";
export { type UrlInText, urlsIn } from "./urls.js";
export { type ToMarkdownOptions, toMarkdown } from "./write/to-markdown.js";
export { toText } from "./write/to-text.js";
