import { timeZoneArgument } from "../date.js";
import { OutlineError, quoted } from "../errors.js";
import { type Fields, fieldNames, fieldsOf } from "../fields.js";
import { randomId } from "../id.js";
import { allowedSchemes } from "../markup/html/link.js";
import { escapeText, normalizeText } from "../markup/text.js";
import type { StorageAdapter } from "../storage.js";

/** The most characters in the name option of a node that references create. */
const longestName = 200;

/** How much of the past `undo` keeps. */
export interface HistoryOptions {
	/** The most steps, 0 to 10,000; 0 keeps no history at all. Default 100. */
	steps?: number | undefined;
	/**
	 * The most memory that all steps together take, in bytes: two for each character of the texts that they keep, and 128 for each
	 * record and key. The last step is kept however large it is. Default 67,108,864.
	 */
	bytes?: number | undefined;
	/**
	 * Updates of the same fields of one node that follow each other within so many milliseconds are one step, as typing
	 * makes them. Default 0: each update is a step of its own.
	 */
	groupWithin?: number | undefined;
}

/** {@link HistoryOptions}, checked and complete. */
export type HistorySettings = { readonly [K in keyof Required<HistoryOptions>]: number };

const historyOptionNames = fieldNames<HistoryOptions>({ steps: true, bytes: true, groupWithin: true });

/** The options of an outline. */
export interface OutlineOptions {
	/** Where the outline is kept. */
	storage: StorageAdapter;
	/** The IANA zone in which `today`, `[2026-11-21 14:30]` and the like are read. Default: the system's. */
	timeZone?: string | undefined;
	/** The first day of a week, 0 for Sunday to 6 for Saturday. Default 1. */
	weekStartsOn?: 0 | 1 | 2 | 3 | 4 | 5 | 6 | undefined;
	/** Where the host shows the outline: node addresses are `${appUrl}/#/<short id>`. Default: there are no addresses. */
	appUrl?: string | undefined;
	/** The clock, in milliseconds since 1970. Default `Date.now`. */
	now?: (() => number) | undefined;
	/** Draws UUID-style ids; letter case doesn't matter. Default: random ones. */
	generateId?: (() => string) | undefined;
	/** URL schemes allowed in links beside http, https and mailto, such as `tel`. */
	linkSchemes?: readonly string[] | undefined;
	/** How much a text and a commit may hold, in characters (UTF-16 code units). */
	limits?:
		| {
				/** Of the text of a name, its markup aside. Default 1,000,000. */
				name?: number | undefined;
				/** Of a note. Default 1,000,000. */
				note?: number | undefined;
				/**
				 * Of all names and notes that one commit writes, and 64 more for each node, key and receipt that it writes or deletes.
				 * More is refused (`too_large`). Default 134,217,728: a million nodes of some words.
				 */
				commit?: number | undefined;
		  }
		| undefined;
	/** The names that the inbox and the root of the calendar get when they are created. Users may rename both. */
	names?:
		| {
				/** Plain text. Default `Inbox`. */
				inbox?: string | undefined;
				/** Plain text. Default `Calendar`. */
				calendar?: string | undefined;
		  }
		| undefined;
	/** The bounds of the undo history. Default 100 steps. */
	history?: HistoryOptions | undefined;
}

/** The options of an outline, checked and complete. */
export interface Settings {
	readonly timeZone: string;
	readonly weekStartsOn: number;
	/** Without trailing slashes; undefined for none. */
	readonly appUrl: string | undefined;
	readonly now: () => number;
	readonly generateId: () => unknown;
	readonly linkSchemes: ReadonlySet<string>;
	readonly limits: { readonly name: number; readonly note: number; readonly commit: number };
	/** Canonical fragments. */
	readonly names: { readonly inbox: string; readonly calendar: string };
	readonly history: HistorySettings;
}

/** The names of the options. */
const optionNames = fieldNames<OutlineOptions>({
	storage: true,
	timeZone: true,
	weekStartsOn: true,
	appUrl: true,
	now: true,
	generateId: true,
	linkSchemes: true,
	limits: true,
	names: true,
	history: true,
});

/** Checks the options. @throws `invalid_argument` naming the option, the given and the allowed values */
export function settingsFrom(options: OutlineOptions): Settings {
	fieldsOf("Outline", options, optionNames);
	const { weekStartsOn = 1, appUrl, now = Date.now, generateId = randomId, linkSchemes = [] } = options;
	const limits = part("limits", options.limits, ["name", "note", "commit"]);
	const names = part("names", options.names, ["inbox", "calendar"]);
	if (!Number.isInteger(weekStartsOn) || weekStartsOn < 0 || weekStartsOn > 6) {
		refuse("weekStartsOn", weekStartsOn, "an integer from 0 (Sunday) to 6 (Saturday)");
	}
	if (
		appUrl !== undefined &&
		(typeof appUrl !== "string" || !/^[a-z][a-z0-9+.-]*:\/\/[^\s#]*[^\s#/]\/*$/i.test(appUrl))
	) {
		refuse("appUrl", appUrl, 'an absolute URL without a fragment, such as "https://example.org"');
	}
	if (typeof now !== "function") refuse("now", now, "a function that returns milliseconds");
	if (typeof generateId !== "function") refuse("generateId", generateId, "a function that returns an id");
	return {
		timeZone: timeZoneArgument(options.timeZone),
		weekStartsOn,
		appUrl: appUrl?.replace(/\/+$/, ""),
		now,
		generateId,
		linkSchemes: allowedSchemes(linkSchemes),
		history: historySettings(options.history),
		limits: {
			name: limit("limits.name", limits.name, 1_000_000),
			note: limit("limits.note", limits.note, 1_000_000),
			commit: limit("limits.commit", limits.commit, 2 ** 27),
		},
		names: {
			inbox: nameOption("names.inbox", names.inbox, "Inbox"),
			calendar: nameOption("names.calendar", names.calendar, "Calendar"),
		},
	};
}

/** Checks the options of a history. @throws `invalid_argument` */
function historySettings(options: HistoryOptions = {}): HistorySettings {
	fieldsOf("history", options, historyOptionNames);
	const { steps = 100, bytes = 2 ** 26, groupWithin = 0 } = options;
	if (!Number.isInteger(steps) || steps < 0 || steps > 10_000) {
		refuse("history.steps", steps, "an integer from 0 to 10,000");
	}
	if (!Number.isSafeInteger(bytes) || bytes < 1) refuse("history.bytes", bytes, "a positive integer");
	if (typeof groupWithin !== "number" || !(groupWithin >= 0)) {
		refuse("history.groupWithin", groupWithin, "a number of milliseconds, or 0");
	}
	return { steps, bytes, groupWithin };
}

function limit(option: string, given: unknown, usual: number): number {
	if (given === undefined) return usual;
	if (!Number.isSafeInteger(given) || (given as number) < 1) refuse(option, given, "a positive integer");
	return given as number;
}

/** Returns a name option as a canonical fragment. */
function nameOption(option: string, given: unknown, usual: string): string {
	const name = given === undefined ? usual : given;
	if (typeof name !== "string" || name.trim() === "" || name.length > longestName) {
		refuse(option, given, `a text of 1 to ${longestName} characters`);
	}
	return escapeText(normalizeText(name));
}

/** The fields of an option that is an object. */
function part(option: string, given: unknown, known: readonly string[]): Fields {
	return given === undefined ? {} : fieldsOf(option, given, known);
}

function refuse(option: string, given: unknown, allowed: string): never {
	throw new OutlineError("invalid_argument", `${option} is ${quoted(given)}. It must be ${allowed}.`);
}
