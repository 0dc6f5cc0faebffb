import type { Fields } from "../fields.js";
import { descriptionOf } from "../operations/description.js";

/**
 * Copies the arguments of an operation, and replaces the top level by the top of a scope. It does so if the
 * parent is `None` or `null`. If the operation creates at the top level by default, it also does so if the
 * arguments name neither a parent nor a sibling.
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
