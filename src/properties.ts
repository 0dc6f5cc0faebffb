import { invalidArgument, OutlineError, quoted } from "./errors.js";
import { unfit } from "./fields.js";

/** A value that JSON can hold. */
export type JsonValue =
	| string
	| number
	| boolean
	| null
	| readonly JsonValue[]
	| {
			/** The values of an object by their names. */
			readonly [name: string]: JsonValue;
	  };

/** The properties of a node: JSON values under keys of 1 to 64 characters. `null` is no value of a property. */
export interface Properties {
	/** The value of the property with a key. */
	[key: string]: Exclude<JsonValue, null>;
}

/** Changes of properties by key: a value replaces the property, `null` drops it. */
export interface PropertyChanges {
	/** The new value of the property with a key. */
	readonly [key: string]: JsonValue | undefined;
}

/** The changes of properties, checked: the JSON text of each value, or `null`. */
export type CheckedProperties = ReadonlyMap<string, string | null>;

/** The most characters of a key. */
const longestKey = 64;

/** The most levels of arrays and objects in a value, so that every engine can read it. */
const deepest = 32;

/**
 * Checks the properties of an input. They are copied, so the caller may change them afterwards.
 *
 * @param limit - the most characters of JSON. A request may have far more, which this doesn't read to the end
 * @throws `invalid_argument`
 */
export function propertiesArgument(
	properties: unknown,
	limit = Number.POSITIVE_INFINITY,
): CheckedProperties | undefined {
	if (properties === undefined) return undefined;
	if (!isPlainObject(properties))
		throw invalidArgument("properties", properties, "an object of JSON values by their keys");
	const checked = new Map<string, string | null>();
	let length = 0;
	for (const key of Object.keys(properties)) {
		const value = properties[key];
		if (value === undefined) continue;
		if (key === "" || key.length > longestKey || unfit.test(key)) {
			throw invalidArgument("A key of properties", key, `a text of 1 to ${longestKey} characters`);
		}
		const text = value === null ? null : textOf(value, key, deepest, limit);
		checked.set(key, text);
		if (text !== null) length += key.length + text.length;
		assertPropertiesFit(length, limit);
	}
	return checked;
}

/** Copies a value given for properties, valid or not, because the caller may change it before it is read. */
export function copyOfProperties(value: unknown, levels = deepest + 1): unknown {
	if (levels === 0) return value;
	if (Array.isArray(value)) return value.map((each) => copyOfProperties(each, levels - 1));
	if (!isPlainObject(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, copyOfProperties(each, levels - 1)]));
}

/**
 * Returns the text of properties for a record, after changes: a JSON object with its keys in order; `null` for
 * none.
 *
 * @throws `invalid_argument` if it is longer than `limit` characters; `storage_corrupt` if the text before can't
 * be read
 */
export function changedProperties(before: string | null, changes: CheckedProperties, limit: number): string | null {
	if (changes.size === 0) return before;
	const known = before === null ? {} : parsed(before);
	if (known === undefined) {
		throw new OutlineError("storage_corrupt", `The stored properties are ${quoted(before)}. Run repair().`);
	}
	const values = new Map(Object.entries(known).map(([key, value]) => [key, JSON.stringify(value)]));
	for (const [key, value] of changes) {
		if (value === null) values.delete(key);
		else values.set(key, value);
	}
	if (values.size === 0) return null;
	const keys = [...values.keys()].sort();
	const text = `{${keys.map((key) => `${JSON.stringify(key)}:${values.get(key)}`).join(",")}}`;
	assertPropertiesFit(text.length, limit);
	return text;
}

/** Checks the length of the JSON of properties, or of a part of it. @throws `invalid_argument` beyond the limit */
export function assertPropertiesFit(length: number, limit: number): void {
	if (length <= limit) return;
	throw new OutlineError(
		"invalid_argument",
		`The properties have more than ${limit} characters of JSON. Drop some, or put long texts into notes.`,
	);
}

/** One object for all nodes without properties. */
const noProperties: Readonly<Properties> = Object.freeze({});

/** Returns the properties that a record has, as new objects; none if their text is damaged. */
export function propertiesIn(text: string | null): Readonly<Properties> {
	return (text === null ? undefined : parsed(text)) ?? noProperties;
}

function parsed(text: string): Properties | undefined {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Returns the JSON text of a value. Objects have their keys in order, so that equal values have equal texts. */
function textOf(value: unknown, key: string, levels: number, limit: number): string {
	if (typeof value === "string") {
		if (!unfit.test(value)) return JSON.stringify(value);
	} else if (typeof value === "number") {
		if (Number.isFinite(value)) return JSON.stringify(value);
	} else if (typeof value === "boolean" || value === null) return String(value);
	else if (levels > 0 && Array.isArray(value)) {
		return `[${joined(value, (each) => textOf(each, key, levels - 1, limit), limit)}]`;
	} else if (levels > 0 && isPlainObject(value)) {
		const names = Object.keys(value).filter((name) => value[name] !== undefined);
		if (!names.some((name) => unfit.test(name))) {
			const member = (name: string) => `${JSON.stringify(name)}:${textOf(value[name], key, levels - 1, limit)}`;
			return `{${joined(names.sort(), member, limit)}}`;
		}
	}
	throw invalidArgument(
		`The property ${quoted(key)}`,
		value,
		`a JSON value: a text, a finite number, true or false, or an array or object of such values, at most ${deepest} levels deep`,
	);
}

/** Returns the texts of some values with commas between them. @throws `invalid_argument` beyond the limit */
function joined<T>(values: Iterable<T>, textOfValue: (value: T) => string, limit: number): string {
	let text = "";
	for (const value of values) {
		text += (text === "" ? "" : ",") + textOfValue(value);
		assertPropertiesFit(text.length, limit);
	}
	return text;
}

function isPlainObject(value: unknown): value is { readonly [key: string]: unknown } {
	if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
	const prototype = Object.getPrototypeOf(value);
	return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}
