import type { MarkupOptions } from "../../../src/markup/options.js";

/** The options with which the tests read texts, unless they matter for the test. */
export const berlin = {
	timeZone: "Europe/Berlin",
	linkSchemes: new Set(["http", "https", "mailto"]),
} satisfies MarkupOptions;
