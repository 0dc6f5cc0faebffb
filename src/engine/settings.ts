import { timeZoneArgument } from "../date.js";
import { invalidArgument } from "../errors.js";
import { assertBoolean, type Fields, fieldNames, fieldsOf } from "../fields.js";
import { randomId } from "../id.js";
import { allowedSchemes } from "../markup/html/link.js";
import type { MarkupOptions } from "../markup/options.js";
import { escapeText, normalizeText } from "../markup/text.js";
import type { StorageAdapter } from "../storage.js";
import type { PendingCommit, WriteReport } from "./event.js";

/** The most characters in the name option of a node that references create. */
const longestName = 200;

/** The limits of the undo history. */
export interface HistoryOptions {
	/** The most steps, 0 to 10,000; 0 turns the history off. Default 100. */
	steps?: number | undefined;
	/**
	 * The most memory of all steps together, in bytes: two for each character of their texts, and 128 for each
	 * record and key. The last step always stays, however large it is. Default 67,108,864, or 4,194,304 with `keep`.
	 */
	bytes?: number | undefined;
	/**
	 * The time in milliseconds within which updates of the same fields of one node, as typing makes them, join
	 * one step. Each has to touch the place of the text where the update before it was. `endUndoStep` ends a
	 * step earlier. Updates that set the text back are no step. Default 0: each update is a step of its own.
	 */
	groupWithin?: number | undefined;
	/**
	 * The most characters that the updates of such a step write or delete, so that long typing without a pause is
	 * several steps. From two thirds of it on, a step ends with the next word. Default: no limit.
	 */
	groupLength?: number | undefined;
	/**
	 * Whether the steps are stored with the outline, so that undo survives a reload, a restart, or the end of a
	 * program. They belong to the outline then: of several programs that keep them, each undoes the last step of
	 * all. A step of more than half of `bytes` isn't kept, and the steps before it go. Default `false`.
	 */
	keep?: boolean | undefined;
}

/** {@link HistoryOptions}, checked and complete. */
export interface HistorySettings {
	readonly steps: number;
	readonly bytes: number;
	readonly groupWithin: number;
	readonly groupLength: number;
	readonly keep: boolean;
}

const historyOptionNames = fieldNames<HistoryOptions>({
	steps: true,
	bytes: true,
	groupWithin: true,
	groupLength: true,
	keep: true,
});

/** The options of an outline. */
export interface OutlineOptions {
	/** The storage of the outline. */
	storage: StorageAdapter;
	/** The IANA zone for `today`, `[2026-11-21 14:30]` and the like. Default: the system's. */
	timeZone?: string | undefined;
	/** The first day of a week, 0 for Sunday to 6 for Saturday. Default 1. */
	weekStartsOn?: 0 | 1 | 2 | 3 | 4 | 5 | 6 | undefined;
	/**
	 * The address of the outline in the host. Node addresses are `${appUrl}/#/<short id>`. Default: no
	 * addresses.
	 */
	appUrl?: string | undefined;
	/** The clock, in milliseconds since 1970. Default `Date.now`. */
	now?: (() => number) | undefined;
	/** Returns a new UUID-style id; letter case doesn't matter. Default: random ids. */
	generateId?: (() => string) | undefined;
	/** URL schemes allowed in links beside http, https and mailto, such as `tel`. */
	linkSchemes?: readonly string[] | undefined;
	/** The most characters (UTF-16 code units) in a text and in a commit. */
	limits?:
		| {
				/** In the text of a name, without its markup. Default 1,000,000. */
				name?: number | undefined;
				/** In a note. Default 1,000,000. */
				note?: number | undefined;
				/** In the properties of a node, as JSON. Default 16,384. */
				properties?: number | undefined;
				/**
				 * In all names, notes and properties that one commit writes. Each node, key and document that it writes or deletes
				 * counts 64 more. A larger commit throws `too_large`. Default 134,217,728: a million nodes of some
				 * words.
				 */
				commit?: number | undefined;
		  }
		| undefined;
	/** The names of the inbox and of the calendar's root when they are created. Users may rename both. */
	names?:
		| {
				/** Plain text. Default `Inbox`. */
				inbox?: string | undefined;
				/** Plain text. Default `Calendar`. */
				calendar?: string | undefined;
		  }
		| undefined;
	/** The limits of the undo history. Default 100 steps. */
	history?: HistoryOptions | undefined;
	/**
	 * Called with every commit of this outline before it is written: of every method, scope and batch, of undo and
	 * import, and of the entries that devices push. To refuse it, throw: the call rejects with `refused`, whose
	 * `cause` is that error, and nothing changes. A pushed entry that is refused becomes a conflict of its device. It may be
	 * called again for the same call if another writer commits first. It must be quick and synchronous. Each
	 * write costs one more read, as with a listener. What other writers of the storage commit isn't checked.
	 */
	validate?: ((commit: PendingCommit) => void) | undefined;
	/**
	 * Called at the end of every write, whether it succeeded or not. For counters and durations. Not called for a
	 * write that is refused before it begins: for arguments of a wrong form, or by a read-only scope. An error of it
	 * becomes an unhandled rejection.
	 */
	onWrite?: ((report: WriteReport) => void) | undefined;
}

/** The limits of an outline whose host sets none. */
export const usualLimits = { name: 1_000_000, note: 1_000_000, properties: 16_384, commit: 2 ** 27 } as const;

/** The options of an outline, checked and complete. */
export interface Settings extends MarkupOptions {
	readonly weekStartsOn: number;
	/** Without trailing slashes; undefined for none. */
	readonly appUrl: string | undefined;
	readonly now: () => number;
	readonly generateId: () => unknown;
	readonly limits: {
		readonly name: number;
		readonly note: number;
		readonly properties: number;
		readonly commit: number;
	};
	/** Canonical fragments. */
	readonly names: { readonly inbox: string; readonly calendar: string };
	readonly history: HistorySettings;
	readonly validate: OutlineOptions["validate"];
	readonly onWrite: OutlineOptions["onWrite"];
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
	validate: true,
	onWrite: true,
});

/** Checks the options. @throws `invalid_argument` naming the option, the given and the allowed values */
export function settingsFrom(options: OutlineOptions): Settings {
	fieldsOf("Outline", options, optionNames);
	const {
		weekStartsOn = 1,
		appUrl,
		now = Date.now,
		generateId = randomId,
		linkSchemes = [],
		validate,
		onWrite,
	} = options;
	const limits = part("limits", options.limits, ["name", "note", "properties", "commit"]);
	const names = part("names", options.names, ["inbox", "calendar"]);
	if (!Number.isInteger(weekStartsOn) || weekStartsOn < 0 || weekStartsOn > 6) {
		throw invalidArgument("weekStartsOn", weekStartsOn, "an integer from 0 (Sunday) to 6 (Saturday)");
	}
	if (
		appUrl !== undefined &&
		(typeof appUrl !== "string" || !/^[a-z][a-z0-9+.-]*:\/\/[^\s#]*[^\s#/]\/*$/i.test(appUrl))
	) {
		throw invalidArgument("appUrl", appUrl, 'an absolute URL without a fragment, such as "https://example.org"');
	}
	if (typeof now !== "function") throw invalidArgument("now", now, "a function that returns milliseconds");
	if (typeof generateId !== "function")
		throw invalidArgument("generateId", generateId, "a function that returns an id");
	for (const [name, given] of Object.entries({ validate, onWrite })) {
		if (given !== undefined && typeof given !== "function") throw invalidArgument(name, given, "a function");
	}
	const { timeZone } = options;
	if (timeZone !== undefined) timeZoneArgument(timeZone);
	const longest = limit("limits.name", limits.name, usualLimits.name);
	return {
		validate,
		onWrite,
		// To ask for the system's takes a new process longer than all the rest, and most calls don't need it.
		get timeZone() {
			return timeZoneArgument(timeZone);
		},
		longest,
		weekStartsOn,
		appUrl: appUrl?.replace(/\/+$/, ""),
		now,
		generateId,
		linkSchemes: allowedSchemes(linkSchemes),
		history: historySettings(options.history),
		limits: {
			name: longest,
			note: limit("limits.note", limits.note, usualLimits.note),
			properties: limit("limits.properties", limits.properties, usualLimits.properties),
			commit: limit("limits.commit", limits.commit, usualLimits.commit),
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
	const { steps = 100, groupWithin = 0, groupLength = Number.POSITIVE_INFINITY, keep = false } = options;
	assertBoolean("history.keep", keep);
	const { bytes = keep ? 2 ** 22 : 2 ** 26 } = options;
	if (!Number.isInteger(steps) || steps < 0 || steps > 10_000) {
		throw invalidArgument("history.steps", steps, "an integer from 0 to 10,000");
	}
	if (!Number.isSafeInteger(bytes) || bytes < 1) throw invalidArgument("history.bytes", bytes, "a positive integer");
	if (typeof groupWithin !== "number" || !(groupWithin >= 0)) {
		throw invalidArgument("history.groupWithin", groupWithin, "a number of milliseconds, or 0");
	}
	if (typeof groupLength !== "number" || !(groupLength >= 1)) {
		throw invalidArgument("history.groupLength", groupLength, "a number of characters from 1");
	}
	return { steps, bytes, groupWithin, groupLength, keep: keep && steps > 0 };
}

function limit(option: string, given: unknown, usual: number): number {
	if (given === undefined) return usual;
	if (!Number.isSafeInteger(given) || (given as number) < 1) throw invalidArgument(option, given, "a positive integer");
	return given as number;
}

/** Returns a name option as a canonical fragment. */
function nameOption(option: string, given: unknown, usual: string): string {
	const name = given === undefined ? usual : given;
	if (typeof name !== "string" || name.trim() === "" || name.length > longestName) {
		throw invalidArgument(option, given, `a text of 1 to ${longestName} characters`);
	}
	return escapeText(normalizeText(name));
}

/** Returns the fields of an option that is an object. @throws `invalid_argument` for an unknown field */
function part(option: string, given: unknown, known: readonly string[]): Fields {
	return given === undefined ? {} : fieldsOf(option, given, known);
}
