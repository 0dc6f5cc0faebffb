import { isTime } from "../engine/unix-time.js";
import { OutlineError, quoted } from "../errors.js";
import { isLayoutMode } from "../layout-mode.js";
import { optionsOfAnyHost } from "../markup/html/fragment.js";
import { parseHtml } from "../markup/html/html.js";
import { escapeText, normalizeText } from "../markup/text.js";
import { farthestSound } from "../place/priority.js";
import { changedProperties, propertiesArgument } from "../properties.js";
import type { NodeRecord } from "../storage.js";
import { nodeProblem, type Problem, type ProblemKind } from "./problem.js";

/** A rule of one field of a record, and the way to mend the field. */
interface Rule {
	readonly kind: ProblemKind;
	/** The way in which the record breaks the rule; null if it doesn't. */
	flaw(record: NodeRecord): string | null;
	/** The record with a valid field. `seconds` is the time of the repair. */
	mend(record: NodeRecord, seconds: number): NodeRecord;
}

/** The key for stored properties that are no JSON object. */
const unreadable = "unreadable";

/** The most characters of a key that has room for a number. A longer one that must change becomes a part of its value. */
const longestBase = 48;

/**
 * Each host sets the schemes of links, and another host with more schemes may have written a name. So a name
 * is canonical if it is canonical for a host that allows all schemes. The dates in a canonical name don't
 * depend on a time zone.
 */
const markup = optionsOfAnyHost("UTC");

const rules: readonly Rule[] = [
	{
		kind: "invalid_name",
		flaw: ({ name }) =>
			name === canonical(name) ? null : `The name is ${quoted(name)}, which is no canonical fragment.`,
		mend: (record) => ({ ...record, name: canonical(record.name) }),
	},
	{
		kind: "invalid_note",
		flaw: ({ note }) =>
			note === null || note === plain(note) ? null : `The note is ${quoted(note)}, which is no text as it is stored.`,
		mend: (record) => ({ ...record, note: record.note === null ? null : plain(record.note) }),
	},
	{
		kind: "invalid_layout_mode",
		flaw: ({ layoutMode }) => (isLayoutMode(layoutMode) ? null : `The layout mode is ${quoted(layoutMode)}.`),
		mend: (record) => ({ ...record, layoutMode: isLayoutMode(record.layoutMode) ? record.layoutMode : "bullets" }),
	},
	{
		kind: "invalid_properties",
		flaw: ({ properties }) =>
			properties === null || properties === readableProperties(properties)
				? null
				: `The properties are ${quoted(properties)}, which is no JSON object as it is stored.`,
		mend: (record) => ({ ...record, properties: readableProperties(record.properties) }),
	},
	{
		kind: "invalid_time",
		flaw: (record) => {
			const wrong = timesOf(record).find(([, time]) => !isTime(time));
			return wrong === undefined ? null : `${wrong[0]} is ${quoted(wrong[1])}, which is no time in whole Unix seconds.`;
		},
		mend: (record, seconds) => {
			const known = timesOf(record).find(([, time]) => isTime(time))?.[1] ?? seconds;
			const right = (time: number) => (isTime(Math.floor(time)) ? Math.floor(time) : known);
			const { createdAt, modifiedAt, completedAt } = record;
			return {
				...record,
				createdAt: right(createdAt),
				modifiedAt: right(modifiedAt),
				completedAt: completedAt === null ? null : right(completedAt),
			};
		},
	},
	{
		kind: "invalid_revision",
		flaw: ({ revision }) =>
			Number.isSafeInteger(revision) && revision >= 1
				? null
				: `The revision is ${quoted(revision)}, which is no integer from 1.`,
		// A written record takes the revision of its commit.
		mend: (record) => record,
	},
];

/** The problems of the single fields of a record, except for its id and its place. */
export function* recordProblems(record: NodeRecord): Generator<Problem> {
	for (const rule of rules) {
		const flaw = rule.flaw(record);
		if (flaw !== null) yield nodeProblem(rule.kind, record.id, flaw);
	}
}

/** A new record with valid fields. Keeps fields that are valid already exactly. */
export function mended(record: NodeRecord, seconds: number): NodeRecord {
	return rules.reduce((right, rule) => rule.mend(right, seconds), { ...record });
}

function canonical(name: unknown): string {
	return typeof name === "string" ? parseHtml(normalizeText(name), markup) : escapeText(plain(name));
}

/** The properties that a text holds, as a record keeps them. Values that can't be one are kept as texts. */
function readableProperties(text: string | null): string | null {
	let given: unknown;
	try {
		given = JSON.parse(text || "null");
		// JSON that is nested too deep can be read but not written.
		JSON.stringify(given);
	} catch {
		given = text;
	}
	const isObject = typeof given === "object" && given !== null && !Array.isArray(given);
	const values = Object.entries(isObject ? (given as object) : { [unreadable]: given });
	const taken = new Set(values.map(([key]) => key));
	let number = 1;
	let readable: string | null = null;
	for (const [key, value] of values) {
		const right = plain(key);
		const isLong = right.length > longestBase;
		const base = isLong || right === "" ? unreadable : right;
		let other = base;
		while (taken.has(other)) other = `${base} ${++number}`;
		const moved = isLong ? `${right}: ${plain(value)}` : value;
		const attempts: [string, unknown][] = [
			[key, value],
			[key, plain(value)],
			[other, moved],
			[other, plain(moved)],
		];
		for (const [name, kept] of attempts) {
			try {
				readable = changedProperties(readable, propertiesArgument({ [name]: kept })!, Infinity);
				taken.add(name);
				break;
			} catch (error) {
				if (!(error instanceof OutlineError)) throw error;
			}
		}
	}
	return readable;
}

/** A value as a normalized text. An object becomes JSON. */
function plain(value: unknown): string {
	return normalizeText(typeof value === "object" ? (JSON.stringify(value) ?? "") : String(value));
}

function timesOf({ createdAt, modifiedAt, completedAt }: NodeRecord): readonly (readonly [string, number])[] {
	const times = [
		["createdAt", createdAt],
		["modifiedAt", modifiedAt],
	] as const;
	return completedAt === null ? times : [...times, ["completedAt", completedAt]];
}

/** Whether a value can be a priority. */
export function isPriority(value: unknown): value is number {
	return Number.isSafeInteger(value) && Math.abs(value as number) <= farthestSound;
}
