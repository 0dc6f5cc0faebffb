import { z } from "zod";

/** A reference to a node that is there. */
export const reference = z
	.string()
	.min(1)
	.max(1000)
	.describe(
		"A node: its id or short id (12 hex digits), a shortcut, inbox, calendar, today, tomorrow, next_week, or a date (2026-11-21, 2026-11, 2026)",
	);

/** A reference to a parent. */
export const parent = reference.describe(
	"Where to put it: the id or short id (12 hex digits) of a node, a shortcut, inbox, today, tomorrow, next_week, or a date (2026-11-21), which are made if they aren't there yet; None for the top level",
);

/** A place among siblings. */
export const position = z
	.union([z.enum(["top", "bottom"]), z.strictObject({ before: reference }), z.strictObject({ after: reference })])
	.describe('The place among the siblings: "top", "bottom", or beside one of them, as in {"after": "0a1b2c3d4e5f"}');

/** A text of Markdown. */
export const markdown = z.string().min(1);

/** The display modes of a node. */
export const layoutMode = z.enum(["bullets", "todo", "h1", "h2", "h3", "code-block", "quote-block"]);
