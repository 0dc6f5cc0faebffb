import { OutlineError, quoted } from "../../errors.js";
import { isId, isShortId, shortIdOf } from "../../id.js";
import { normalizeText } from "../../markup/text.js";
import type { NodeRecord } from "../../storage.js";
import { fold } from "./fold.js";
import { type Moments, moments } from "./moments.js";
import { type PropertyQuery, propertyQuery } from "./property-query.js";
import { type QueryTerm, queryTerms } from "./query-term.js";
import type { ListedState } from "./search-graph.js";
import type { WordSequence } from "./sequence-search.js";
import { isTag, words } from "./tokens.js";

/** A parsed query. */
export interface Query {
	/** In each group, at least one condition must hold. */
	readonly groups: readonly (readonly Condition[])[];
	/** The texts that must contain the words, phrases and tags: the name or note, or only the note. */
	readonly scope: "text" | "note";
}

/** A condition on a node. If it is `negated`, the node must not meet it. */
export type Condition = { readonly negated: boolean } & (
	| ({ readonly type: "words" } & WordSequence)
	/** The node has a tag, or one below it. `tag` is its folded form. If `isPrefix`, the tag may go on. */
	| { readonly type: "tag"; readonly tag: string; readonly isPrefix: boolean }
	| { readonly type: "state"; readonly state: State }
	/** The node links to the node with a short id, which is in lower case. */
	| { readonly type: "link"; readonly shortId: string }
	| ({ readonly type: "date"; readonly field: DateField } & Moments)
	/** The node has a date of this time in its text. */
	| ({ readonly type: "dated" } & Moments)
	/** The node has a property. `key` is folded; `value` is absent if any value will do. */
	| { readonly type: "property"; readonly key: string; readonly value?: PropertyQuery }
);

/** Something that a node is or has. `mirrored`: it has mirrors. */
export type State = ListedState | "mirror" | "mirrored";

type DateField = keyof Pick<NodeRecord, "createdAt" | "modifiedAt" | "completedAt">;

/** The options for parsing a query. */
export interface QueryOptions {
	/** The IANA time zone of the outline, in which days begin and end. */
	readonly timeZone: string;
	/** Milliseconds since 1970, for spans such as `7d`. */
	readonly now: number;
}

/** The maximum length of a query in UTF-16 code units, and its maximum number of terms. */
const limits = { length: 1000, terms: 100 };

const operator = /^(is|in|has|links|date|created|modified|completed):(.*)$/is;
/** Matches the key and the value of a property, but not `https://…`, `10:30` or `note:`. */
const property = /^([\p{L}_][\p{L}\p{M}\p{N}_-]*):([^/].*)$/su;
const states: ReadonlyMap<string, State> = new Map([
	["todo", "todo"],
	["completed", "completed"],
	["mirror", "mirror"],
]);
const parts: ReadonlyMap<string, State> = new Map([
	["note", "note"],
	["link", "link"],
	["date", "date"],
	["mirror", "mirrored"],
]);
const dateFields: ReadonlyMap<string, DateField> = new Map([
	["created", "createdAt"],
	["modified", "modifiedAt"],
	["completed", "completedAt"],
]);
const dateForms =
	"2026-11-21, 2026-11, 2026, today, tomorrow or yesterday, after >, >=, < or <= if need be; two of them, the earlier " +
	"first, joined by ..; or a span: 24h, 7d, 2w, 6m, 1y for the past, +7d, +2w, +6m, +1y for today and later";

/**
 * Parses a query. Terms are separated by white space, and all of them must hold.
 *
 * | term | finds nodes |
 * |---|---|
 * | `meet` | with a word that is `meet` or begins with it |
 * | `e-mail`, `http://x`, `10:30`, `note:`, `京都` | with these words in order; the last may be cut short |
 * | `"project plan"` | with exactly these words in this order; the quotation marks may be any of `" “ ” „` |
 * | `#tag`, `@tag` | with this tag, or one below it, such as `#tag/sub` |
 * | `#ta*`, `@ta*` | with a tag that begins so |
 * | `is:todo` | that are todos, completed or not |
 * | `is:completed`, `is:mirror` | that are completed; that are mirrors |
 * | `created:…`, `modified:…`, `completed:…` | of this time, see {@link moments} |
 * | `date:2026-12`, `date:<today` | with a date of this time in the name or the note, but no calendar entries |
 * | `has:note`, `has:mirror` | that have a note; that have mirrors |
 * | `has:link`, `has:date` | with a link in the name or a web address in the note; with a date |
 * | `has:due`, `has:"note"` | that have a property `due`; a property `note` |
 * | `links:2f6a3b8c9d10` | whose name or note links to the node with this id or short id |
 * | `due:2026-12`, `count:>5`, `status:"in progress"` | whose property has this value, see {@link propertyQuery} |
 * | `in:note` | whose note contains the words, phrases and tags of the whole query |
 * | `-term` | that the term doesn't find |
 * | `term OR term` | that at least one of the terms finds |
 *
 * `OR` binds closer than white space: `plan berlin OR hamburg` finds plans of both cities. Letter case and
 * diacritics don't matter, except in `OR`. There are no parentheses.
 *
 * The parser refuses every operator of other search engines that isn't listed here, and every term that
 * can't find a node. A term that begins with a letter and has text on both sides of a colon, such as `due:today`,
 * is about a property, unless a slash follows the colon. In quotation marks, everything is text: `"OR"`,
 * `"due:today"`. So `has:"note"` and `date:"2026"` are about properties with these keys.
 *
 * @throws `invalid_argument` with the term and the allowed values
 */
export function parseQuery(text: string, options: QueryOptions): Query {
	if (typeof text !== "string" || text.length > limits.length) {
		const given = typeof text === "string" ? `has ${text.length} characters` : `is ${quoted(text)}`;
		throw new OutlineError(
			"invalid_argument",
			`The query ${given}. It must be a text of at most ${limits.length} characters.`,
		);
	}
	const terms = queryTerms(normalizeText(text));
	const groups: Condition[][] = [];
	let scope: Query["scope"] = "text";
	let count = 0;
	let joins = false;
	for (const [index, term] of terms.entries()) {
		if (isOr(term)) {
			if (joins || index === 0 || index === terms.length - 1) {
				throw refusal(term, 'OR stands between two terms. To find the word, quote it: "OR"');
			}
			joins = true;
			continue;
		}
		count += 1;
		if (isInNote(term)) {
			const next = terms[index + 1];
			if (term.negated || joins || (next !== undefined && isOr(next))) {
				throw refusal(term, "in:note is about the whole query: it takes neither - nor OR");
			}
			scope = "note";
			continue;
		}
		const condition = conditionOf(term, options);
		if (joins) groups.at(-1)?.push(condition);
		else groups.push([condition]);
		joins = false;
	}
	if (count > limits.terms) {
		throw new OutlineError("invalid_argument", `The query has ${count} terms, and ${limits.terms} are allowed.`);
	}
	if (!groups.flat().some(({ type }) => scope === "text" || type === "words" || type === "tag")) {
		throw new OutlineError(
			"invalid_argument",
			scope === "note"
				? "The query asks for notes with in:note, but not for what is in them. Add a word, a phrase or a tag."
				: "The query is empty. Give a word or another term.",
		);
	}
	return { groups, scope };
}

function isOr(term: QueryTerm): boolean {
	return term.source === "OR";
}

function isInNote({ quoted, text }: QueryTerm): boolean {
	return !quoted && text.toLowerCase() === "in:note";
}

function conditionOf(term: QueryTerm, options: QueryOptions): Condition {
	const { negated, text } = term;
	if (term.quoted) return { negated, type: "words", words: searchedWords(term), lastIsPrefix: false };
	if (/^[#@＃＠]/.test(text)) {
		const isPrefix = text.endsWith("*");
		const beginning = isPrefix ? text.slice(0, -1) : text;
		// What joins the letters of a tag may be the last character of a beginning.
		if (isTag(isPrefix ? beginning.replace(/[_/-]+$/, "") : text)) {
			return { negated, type: "tag", tag: fold(beginning), isPrefix };
		}
		throw refusal(term, "A tag is # or @ with letters and digits, joined by _, - or /, such as #work or #wor*");
	}
	const [, name, value] = operator.exec(text) ?? [];
	if (name !== undefined && value !== undefined && !(term.valueIsQuoted && name.toLowerCase() === "date")) {
		return { negated, ...filterOf(term, name.toLowerCase(), value, options) };
	}
	const [, key, wanted] = property.exec(text) ?? [];
	if (key !== undefined && wanted !== undefined) {
		const found = propertyQuery(wanted, options.timeZone, options.now);
		if (found !== undefined) return { negated, type: "property", key: fold(key), value: found };
		throw refusal(term, `After ${key}: and a comparison, a number or a date that exists is allowed: ${dateForms}`);
	}
	assertPlainWord(term);
	return { negated, type: "words", words: searchedWords(term), lastIsPrefix: true };
}

function filterOf(term: QueryTerm, name: string, value: string, { timeZone, now }: QueryOptions) {
	if (name === "in") throw refusal(term, "After in: only note is allowed");
	if (name === "has") {
		const state = term.valueIsQuoted ? undefined : parts.get(value.toLowerCase());
		if (state !== undefined) return { type: "state", state } as const;
		if (value !== "") return { type: "property", key: fold(value) } as const;
		const allowed = [...parts.keys()].join(", ");
		throw refusal(term, `After has: one of ${allowed} is allowed, or the key of a property, such as has:due`);
	}
	if (name === "links") {
		if (isId(value) || isShortId(value)) return { type: "link", shortId: shortIdOf(value).toLowerCase() } as const;
		throw refusal(term, "After links: the id or the short id of a node is allowed, such as links:2f6a3b8c9d10");
	}
	if (name === "is") {
		const state = states.get(value.toLowerCase());
		if (state === undefined) {
			throw refusal(
				term,
				`After is: one of ${[...states.keys()].join(", ")} is allowed; -is:completed finds open nodes`,
			);
		}
		return { type: "state", state } as const;
	}
	const range = moments(value, timeZone, now);
	if (range === undefined) throw refusal(term, `After ${name}: a date that exists is allowed: ${dateForms}`);
	const field = dateFields.get(name);
	return field === undefined ? ({ type: "dated", ...range } as const) : ({ type: "date", field, ...range } as const);
}

/** Refuses words that have another meaning in other search engines. */
function assertPlainWord(term: QueryTerm): void {
	const { text } = term;
	if (text === "AND") throw refusal(term, "All terms must hold anyway: leave AND out. To find the word, quote it");
	if (text === "NOT" || text === "OR")
		throw refusal(term, "To leave out what a term finds, write -term. To find the word, quote it");
	if (text.startsWith("-"))
		throw refusal(term, "One - leaves out what a term finds. To find a word with dashes, quote it");
	const parentheses = text.split("(").length - text.split(")").length;
	if ((text.startsWith("(") || text.endsWith(")")) && parentheses !== 0) {
		throw refusal(
			term,
			"There are no parentheses: OR binds closer than terms side by side. To find them, quote the term",
		);
	}
}

function searchedWords(term: QueryTerm): readonly string[] {
	const searched = words(term.text);
	if (searched.length === 0)
		throw refusal(term, "A term needs a letter, a digit or an emoji to be found by. Leave it out");
	return searched;
}

function refusal(term: QueryTerm, allowed: string): OutlineError {
	return new OutlineError("invalid_argument", `The query has the term ${quoted(term.source)}. ${allowed}.`);
}
