import type { MarkupOptions } from "../../../src/markup/options.js";

/** What the tests read texts with where nothing else matters. */
export const berlin = {
	timeZone: "Europe/Berlin",
	linkSchemes: new Set(["http", "https", "mailto"]),
} satisfies MarkupOptions;
