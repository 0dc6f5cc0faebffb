/**
 * The texts of an outline, without an outline: what a person reads in a name, its Markdown, and the nodes that a Markdown text
 * will make. Whoever imports it has the parser from the start; an outline loads it when it needs it, or with
 * `outline.preload()`.
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
export { type FromMarkdownOptions, fromMarkdown } from "./from-markdown.js";
export type { Block } from "./markdown.js";
export { type ToMarkdownOptions, toMarkdown } from "./write/to-markdown.js";
export { toText } from "./write/to-text.js";
