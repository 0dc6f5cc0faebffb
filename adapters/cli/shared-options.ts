import type { OptionTable } from "./options.ts";

/** Keys that name a node in each outline, for the completion. */
export const nodeKeys = ["inbox", "today", "tomorrow", "next_week"] as const;

/** The options of commands that print. */
export const outputOptions = {
	json: { help: "print JSON Lines, as on a pipe; --no-json prints text there too" },
	quiet: { short: "q", help: "print errors only" },
} satisfies OptionTable;

/** The options that name a local outline. */
export const localOptions = {
	file: { value: "path", variable: "OUTLINEKIT_FILE", help: "an outline in a file" },
	database: {
		value: "url",
		variable: "OUTLINEKIT_DATABASE",
		help: "an outline in a database: sqlite:<path> or postgres://…",
	},
	outline: {
		value: "name",
		variable: "OUTLINEKIT_OUTLINE",
		help: "the name of the outline in the database; default: outline",
	},
	wait: {
		value: "seconds",
		variable: "OUTLINEKIT_WAIT",
		help: "how long to wait for a file that another process uses; default: 5",
	},
} satisfies OptionTable;

/** The options that name an outline on a server. */
export const serverOptions = {
	server: {
		value: "url",
		variable: "OUTLINEKIT_SERVER",
		help: "an outline on a server: its address, or the whole link that `serve` prints",
	},
	key: { value: "key", variable: "OUTLINEKIT_KEY", help: "the API key for the server" },
} satisfies OptionTable;

/** The settings of an outline that change the meaning of dates. */
export const dateOptions = {
	"time-zone": {
		value: "zone",
		variable: "OUTLINEKIT_TIME_ZONE",
		help: "the IANA zone of dates; default: that of the system",
	},
	"week-start": {
		value: "day",
		variable: "OUTLINEKIT_WEEK_START",
		help: "the first day of a week, from 0 (Sunday) to 6; default: 1",
	},
} satisfies OptionTable;

/** The options of commands that also work on a server. */
export const outlineOptions = { ...localOptions, ...serverOptions, ...dateOptions, ...outputOptions };

/** The options of commands that need the file or the database itself. */
export const storageOptions = { ...localOptions, ...dateOptions, ...outputOptions };
