import { OutlineError, quoted } from "./errors.js";

/** The fields of an argument object, unchecked. */
export type Fields = { readonly [field: string]: unknown };

/** The fields of an object that a function was given. @throws `invalid_argument` */
export function fieldsOf(name: string, value: unknown): Fields {
	if (typeof value === "object" && value !== null) return value as Fields;
	throw new OutlineError("invalid_argument", `${name} was given ${quoted(value)}. It takes an object of fields.`);
}

/** Requires a function. @throws `invalid_argument` */
export function assertFunction(name: string, value: unknown): void {
	if (typeof value === "function") return;
	throw new OutlineError("invalid_argument", `${name} is ${quoted(value)}. It must be a function.`);
}

/** The type of an operation of a batch, unchecked; empty where it has none. */
export function typeOf(operation: unknown): string {
	const { type } = (operation ?? {}) as Fields;
	return typeof type === "string" ? type : "";
}
