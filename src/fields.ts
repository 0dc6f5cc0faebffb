import { invalidArgument, OutlineError, quoted } from "./errors.js";

const none: readonly string[] = [];

/** The fields of an argument object, unchecked. */
export type Fields = { readonly [field: string]: unknown };

/** Returns the names of all fields of an input. The compiler refuses a list that lacks one. */
export function fieldNames<T>(names: { readonly [F in keyof Required<T>]: true }): readonly string[] {
	return Object.keys(names);
}

/**
 * Returns an argument as an object of fields, unchecked.
 *
 * @param known - the names of the fields that it takes, for the message
 * @param also - the names of further fields that it takes
 * @throws `invalid_argument` if it is no object
 */
export function objectOf(
	name: string,
	value: unknown,
	known: readonly string[] = none,
	also: readonly string[] = none,
): Fields {
	if (typeof value === "object" && value !== null) return value as Fields;
	const allowed = known.length === 0 ? "" : `: ${[...also, ...known].join(", ")}`;
	throw new OutlineError(
		"invalid_argument",
		`${name} was given ${quoted(value)}. It takes an object of fields${allowed}.`,
	);
}

/**
 * Returns an argument or an option as an object of known fields. It throws for an unknown field, because most
 * unknown fields are misspelt, and the caller would not notice that they have no effect.
 *
 * @param known - the names of the fields that it takes
 * @param also - the names of further fields that it takes
 * @throws `invalid_argument` naming the field and the allowed fields
 */
export function fieldsOf(
	name: string,
	value: unknown,
	known: readonly string[],
	also: readonly string[] = none,
): Fields {
	const fields = objectOf(name, value, known, also);
	for (const field in fields) {
		if (known.includes(field) || also.includes(field) || fields[field] === undefined) continue;
		const allowed = [...also, ...known].join(", ");
		throw new OutlineError(
			"invalid_argument",
			`${name} was given the unknown field ${quoted(field)}. It takes ${allowed}.`,
		);
	}
	return fields;
}

/** Checks that a value is a function. @throws `invalid_argument` */
export function assertFunction(name: string, value: unknown): void {
	if (typeof value === "function") return;
	throw invalidArgument(name, value, "a function");
}

/** Checks that a value is true or false. @throws `invalid_argument` */
export function assertBoolean(name: string, value: unknown): asserts value is boolean {
	if (typeof value === "boolean") return;
	throw invalidArgument(name, value, "true or false");
}

/** Returns a number of things from `least`, or Infinity; `usual` for undefined. @throws `invalid_argument` */
export function countArgument(name: string, value: unknown, usual: number, things: string, least: number): number {
	const count = value === undefined ? usual : value;
	if (count === Number.POSITIVE_INFINITY) return count;
	if (typeof count === "number" && Number.isSafeInteger(count) && count >= least) return count;
	throw invalidArgument(name, count, `a number of ${things} from ${least}, or Infinity`);
}

/**
 * Checks the milliseconds of a timer.
 *
 * @throws `invalid_argument` unless they are an integer from `least` to 2 ** 31 - 1
 */
export function assertMilliseconds(name: string, value: unknown, least: number): void {
	const longest = 2 ** 31 - 1;
	if (Number.isInteger(value) && (value as number) >= least && (value as number) <= longest) return;
	throw invalidArgument(name, value, `a whole number of milliseconds from ${least} to ${longest}`);
}

/** The characters that no storage holds: NUL, and halves of surrogate pairs. */
export const unfit = /[\0\p{Surrogate}]/u;

/** Whether a value is a text of 1 to 255 characters that every storage holds. */
export function isShortText(value: unknown): value is string {
	return typeof value === "string" && value !== "" && value.length <= 255 && !unfit.test(value);
}

/** Returns a value that is one of some words. @throws `invalid_argument` for any other value */
export function wordArgument<Word extends string>(name: string, value: unknown, words: readonly Word[]): Word {
	if ((words as readonly unknown[]).includes(value)) return value as Word;
	throw invalidArgument(name, value, `one of ${words.join(", ")}`);
}

/** Returns the type of an operation of a batch, unchecked; an empty text if it has none. */
export function typeOf(operation: unknown): string {
	const { type } = (operation ?? {}) as Fields;
	return typeof type === "string" ? type : "";
}
