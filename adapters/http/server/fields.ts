import { descriptionOf, type OperationName } from "../../../src/operations/description.js";
import type { JsonObject } from "./json-body.js";

/** The fields of an argument of the outline, unchecked. */
export type OutlineFields = { [field: string]: unknown };

/** The fields with a different name in bodies. */
const wireNames: { readonly [field: string]: string } = { parent: "parent_id", ref: "id" };

/** The fields that are in the `data` of a node in answers. */
export const dataFields: readonly string[] = ["layoutMode", "properties"];

/** The name of a field in a body. */
export function wireName(field: string): string {
	return wireNames[field] ?? field;
}

/** The fields of an operation's input. */
export function inputFields(type: OperationName): readonly string[] {
	return descriptionOf(type)!.fields;
}

/** The fields of a node below the root of a new tree: all of `createTree` but `parent` and `position`. */
export const subtreeFields = inputFields("createTree").filter((field) => field !== "parent" && field !== "position");

/**
 * Returns the fields of a body under the outline's names. Ignores unknown fields. A `null` means "absent",
 * except in the fields of `nullable`. The layout mode and the properties may also be in `data`, as in answers.
 * The outline checks the types.
 *
 * @param taken - the outline's names of the fields to read
 */
export function fieldsIn(body: JsonObject, taken: readonly string[], nullable: readonly string[]): OutlineFields {
	const fields: OutlineFields = {};
	for (const name of taken) {
		const known = wireName(name);
		if (!Object.hasOwn(body, known)) continue;
		const value = body[known];
		if (value !== null || nullable.includes(name)) fields[name] = value;
	}
	for (const name of dataFields) {
		if (!taken.includes(name) || fields[name] !== undefined) continue;
		const value = isObject(body.data) && Object.hasOwn(body.data, name) ? (body.data[name] ?? undefined) : undefined;
		if (value !== undefined) fields[name] = value;
	}
	return fields;
}

/** Whether a JSON value is an object. */
export function isObject(value: unknown): value is JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
