import { descriptionOf, type OperationName } from "../../../src/operations/description.js";
import type { JsonObject } from "../server/json-body.js";

/** The fields of an argument of the outline, unchecked. */
export type OutlineFields = { [field: string]: unknown };

/** The fields with a different name in bodies. */
const wireNames: { readonly [field: string]: string } = { parent: "parent_id", ref: "id" };

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
 * except in the fields of `nullable`. The layout mode may also be in `data.layoutMode`, as in answers. The
 * outline checks the types.
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
	if (taken.includes("layoutMode") && fields.layoutMode === undefined) {
		const layoutMode = layoutModeIn(body.data);
		if (layoutMode !== undefined) fields.layoutMode = layoutMode;
	}
	return fields;
}

/** The layout mode in the `data` of a node; undefined if it is absent or null. */
function layoutModeIn(data: unknown): unknown {
	if (!isObject(data) || !Object.hasOwn(data, "layoutMode")) return undefined;
	return data.layoutMode ?? undefined;
}

/** Whether a JSON value is an object. */
export function isObject(value: unknown): value is JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
