import { OutlineError, quoted } from "./errors.js";

const none: readonly string[] = [];

/** The fields of an argument object, unchecked. */
export type Fields = { readonly [field: string]: unknown };

/** The names of all fields of an input. The compiler refuses a list with one missing. */
export function fieldNames<T>(names: { readonly [F in keyof Required<T>]: true }): readonly string[] {
	return Object.keys(names);
}

/** The fields of an object that a function was given, whatever they are. @throws `invalid_argument` */
export function objectOf(name: string, value: unknown): Fields {
	if (typeof value === "object" && value !== null) return value as Fields;
	throw new OutlineError("invalid_argument", `${name} was given ${quoted(value)}. It takes an object of fields.`);
}

/**
 * The fields of an object that a function or an option was given. An unknown field is refused: ignored, it would look like a
 * field that was honoured, and mostly it is a known field misspelt.
 *
 * @param known - the names of the fields that it takes
 * @param also - the names of further ones
 * @throws `invalid_argument` naming the field and the allowed values
 */
export function fieldsOf(
	name: string,
	value: unknown,
	known: readonly string[],
	also: readonly string[] = none,
): Fields {
	const fields = objectOf(name, value);
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

/** Requires a function. @throws `invalid_argument` */
export function assertFunction(name: string, value: unknown): void {
	if (typeof value === "function") return;
	throw new OutlineError("invalid_argument", `${name} is ${quoted(value)}. It must be a function.`);
}

/** A number of things from `least` on, or Infinity; `usual` if it was left out. @throws `invalid_argument` */
export function countArgument(name: string, value: unknown, usual: number, things: string, least: number): number {
	const count = value === undefined ? usual : value;
	if (count === Number.POSITIVE_INFINITY) return count;
	if (typeof count === "number" && Number.isSafeInteger(count) && count >= least) return count;
	throw new OutlineError(
		"invalid_argument",
		`${name} is ${quoted(count)}. It must be a number of ${things} from ${least}, or Infinity.`,
	);
}

/** The type of an operation of a batch, unchecked; empty where it has none. */
export function typeOf(operation: unknown): string {
	const { type } = (operation ?? {}) as Fields;
	return typeof type === "string" ? type : "";
}
