import { timeZoneArgument } from "./date.js";
import { OutlineError, quoted } from "./errors.js";
import { type HistoryOptions, type HistorySettings, historySettings } from "./history/history.js";
import { randomId } from "./id.js";
import { dangerousSchemes } from "./markup/link.js";
import type { StorageAdapter } from "./storage.js";

/** What an outline is made with. */
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
	/** The most characters (UTF-16 code units) of text in a name and in a note. Default 1,000,000 each. */
	limits?: {
		/** Of a name, its markup aside. */
		name?: number | undefined;
		/** Of a note. */
		note?: number | undefined;
	};
	/** How much `undo` remembers. Default 100 steps. */
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
	readonly limits: { readonly name: number; readonly note: number };
	readonly history: HistorySettings;
}

/** Checks the options. @throws `invalid_argument` naming the option, what was given and what is allowed */
export function settingsFrom(options: OutlineOptions): Settings {
	const { weekStartsOn = 1, appUrl, now = Date.now, generateId = randomId, linkSchemes = [], limits = {} } = options;
	if (!Number.isInteger(weekStartsOn) || weekStartsOn < 0 || weekStartsOn > 6) {
		refuse("weekStartsOn", weekStartsOn, "an integer from 0 (Sunday) to 6 (Saturday)");
	}
	if (
		appUrl !== undefined &&
		(typeof appUrl !== "string" || !/^[a-z][a-z0-9+.-]*:\/\/[^\s#]*[^\s#/]\/*$/i.test(appUrl))
	) {
		refuse("appUrl", appUrl, 'an absolute URL without a fragment, such as "https://example.org"');
	}
	if (typeof limits !== "object" || limits === null) refuse("limits", limits, "an object with name and note");
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
		limits: { name: limit("limits.name", limits.name), note: limit("limits.note", limits.note) },
	};
}

/** The schemes that links may have. @throws `invalid_argument` */
export function allowedSchemes(given: unknown): ReadonlySet<string> {
	if (!Array.isArray(given)) refuse("linkSchemes", given, 'an array of scheme names, such as ["tel"]');
	const schemes = new Set(["http", "https", "mailto"]);
	for (const scheme of given) {
		const name = typeof scheme === "string" ? scheme.toLowerCase() : "";
		if (!/^[a-z][a-z0-9+.-]*$/.test(name) || dangerousSchemes.has(name)) {
			refuse("linkSchemes", scheme, 'scheme names such as "tel", and none that can carry a script');
		}
		schemes.add(name);
	}
	return schemes;
}

function limit(option: string, given: number | undefined): number {
	if (given === undefined) return 1_000_000;
	if (!Number.isSafeInteger(given) || given < 1) refuse(option, given, "a positive integer");
	return given;
}

function refuse(option: string, given: unknown, allowed: string): never {
	throw new OutlineError("invalid_argument", `${option} is ${quoted(given)}. It must be ${allowed}.`);
}
