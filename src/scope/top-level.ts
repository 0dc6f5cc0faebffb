import type { Fields } from "../fields.js";
import { descriptionOf } from "../operations/description.js";

/**
 * Copies the arguments of an operation, with the top of a scope in place of the top level: if the parent is `None` or `null`, and,
 * for an operation that creates at the top level by default, if neither a parent nor a sibling is given.
 *
 * @param top - a reference to the top of the scope
 */
export function withTop(type: string, input: unknown, top: string): unknown {
	if (typeof input !== "object" || input === null) return input;
	const { parent, position } = input as Fields;
	const topLevel = descriptionOf(type)?.topLevel;
	const isDefault =
		parent === undefined && topLevel === "default" && (typeof position !== "object" || position === null);
	const isGiven = topLevel !== undefined && (parent === null || parent === "None");
	return isDefault || isGiven ? { ...input, parent: top } : { ...input };
}
