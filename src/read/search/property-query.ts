import { addTo } from "../../engine/lists.js";
import { type JsonValue, propertiesIn } from "../../properties.js";
import { fold } from "./fold.js";
import { type Moments, momentOf, moments } from "./moments.js";
import { words } from "./tokens.js";

/** The values of a property that a query finds. Each kind of value is compared in its own way. */
export interface PropertyQuery {
	/** The folded text that a text or a boolean must equal. */
	readonly text: string;
	/** The words that must follow one another in a text; none if the query has no word. */
	readonly words: readonly string[];
	/** The range for numbers; absent if the query is no number. */
	readonly numbers?: Numbers;
	/** The range for texts that are dates; absent if the query is no date. */
	readonly dates?: Moments & { readonly timeZone: string };
}

/** A range of numbers. */
interface Numbers {
	readonly least: number;
	readonly most: number;
	/** The end of the range that isn't part of it, if any. */
	readonly without?: number;
}

const bound = /^(>=|<=|>|<)?(-?\d+(?:\.\d+)?)$/;
const range = /^(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?)$/;

/**
 * Parses the value in a term `key:value`. Texts must contain its words one after the other, numbers must be in
 * its range (`5`, `>5`, `<=5`, `1..5`), and texts that are dates in the time that {@link moments} describes.
 * Returns undefined for a comparison with a value that is neither a number nor a date.
 */
export function propertyQuery(value: string, timeZone: string, now: number): PropertyQuery | undefined {
	const numbers = numbersIn(value);
	const time = moments(value, timeZone, now);
	if (/^[<>]/.test(value) && numbers === undefined && time === undefined) return undefined;
	return {
		text: fold(value),
		words: words(value),
		...(numbers !== undefined && { numbers }),
		...(time !== undefined && { dates: { ...time, timeZone } }),
	};
}

/** Whether a query finds a value. It finds an array by any of its elements, and an object never. */
export function findsValue(query: PropertyQuery, value: JsonValue): boolean {
	if (Array.isArray(value)) return value.some((each) => !Array.isArray(each) && findsValue(query, each));
	if (typeof value === "number") {
		const { least, most, without } = query.numbers ?? { least: 1, most: 0 };
		return value >= least && value <= most && value !== without;
	}
	if (typeof value === "boolean") return query.text === String(value);
	if (typeof value !== "string") return false;
	if (query.dates !== undefined) {
		const moment = momentOf(value, query.dates.timeZone);
		if (moment !== undefined) return moment >= query.dates.from && moment < query.dates.before;
	}
	if (fold(value) === query.text) return true;
	if (query.words.length === 0) return false;
	const found = words(value);
	return found.some((_, start) => query.words.every((word, index) => found[start + index] === word));
}

/** The properties of a node by their folded keys. Keys that differ only in case or accents share an entry. */
export function foldedProperties(properties: string | null): ReadonlyMap<string, JsonValue[]> {
	const folded = new Map<string, JsonValue[]>();
	if (properties === null) return folded;
	for (const [key, value] of Object.entries(propertiesIn(properties))) {
		addTo(folded, fold(key), value);
	}
	return folded;
}

function numbersIn(text: string): Numbers | undefined {
	const [, relation, digits] = bound.exec(text) ?? [];
	if (digits !== undefined) {
		const number = Number(digits);
		const least = relation?.startsWith("<") ? Number.NEGATIVE_INFINITY : number;
		const most = relation?.startsWith(">") ? Number.POSITIVE_INFINITY : number;
		return relation === ">" || relation === "<" ? { least, most, without: number } : { least, most };
	}
	const [, first, last] = range.exec(text) ?? [];
	return first === undefined || last === undefined ? undefined : { least: Number(first), most: Number(last) };
}
