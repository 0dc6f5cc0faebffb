import type { JsonObject } from "../server/json-body.js";

/** The fields of an argument of the outline's, unchecked. */
export type OutlineFields = { [field: string]: unknown };

/** What the outline calls fields that have another name in a body. */
const outlineNames: { readonly [field: string]: string } = { parent_id: "parent", id: "ref" };

/**
 * The fields of a body that an operation takes, as the outline's argument; others are ignored. Absent ones stay absent. A `null`
 * says "not given", unless it is of a field in `nullable`. How a node is displayed may also be said as answers say it, in
 * `data.layoutMode`. Types are the outline's to check.
 */
export function fieldsIn(body: JsonObject, taken: readonly string[], nullable: readonly string[]): OutlineFields {
	const fields: OutlineFields = {};
	for (const name of taken) {
		if (!Object.hasOwn(body, name)) continue;
		const value = body[name];
		if (value !== null || nullable.includes(name)) fields[outlineNames[name] ?? name] = value;
	}
	if (taken.includes("layoutMode") && fields.layoutMode === undefined) {
		const layoutMode = layoutModeIn(body.data);
		if (layoutMode !== undefined) fields.layoutMode = layoutMode;
	}
	return fields;
}

/** What `data` of a node says about its display; undefined for nothing. */
function layoutModeIn(data: unknown): unknown {
	if (!isObject(data) || !Object.hasOwn(data, "layoutMode")) return undefined;
	return data.layoutMode ?? undefined;
}

/** Whether a value of JSON is an object. */
export function isObject(value: unknown): value is JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
