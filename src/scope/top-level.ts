import type { Fields } from "../fields.js";

/** The operations that make a node, and the one that moves it: they may say that it goes to the top level. */
const creating: ReadonlySet<string> = new Set(["create", "createTree"]);
const placing: ReadonlySet<string> = new Set([...creating, "move"]);

/**
 * The arguments of an operation, copied, with the node of a scope for the top level: where the parent is `None` or `null`, and
 * where a node is made and nothing is said, neither of its parent nor of a sibling.
 *
 * @param top - the reference of the node
 */
export function withTop(type: string, input: unknown, top: string): unknown {
	if (typeof input !== "object" || input === null) return input;
	const { parent, position } = input as Fields;
	const isLeftOut = parent === undefined && creating.has(type) && (typeof position !== "object" || position === null);
	const isTop = placing.has(type) && (parent === null || parent === "None");
	return isLeftOut || isTop ? { ...input, parent: top } : { ...input };
}
