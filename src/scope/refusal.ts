import { OutlineError } from "../errors.js";

/** The reason why an operation can't write outside of the scope. */
export const outside =
	"This would write outside of the scope. Through a scope, only nodes below its node can be changed, and a mirror's content only if its origin is there too.";

/** The reason why the scope's own node keeps its place. */
export const topStays =
	"The node that the scope is limited to can't be moved or deleted through it. Take a node below it.";

/** The reason why a shortcut can't be set. */
export const onlyKnownShortcuts =
	"Through a scope, a shortcut can only be changed that points at a node of the scope already, and that the scope isn't named by.";

/** The reason why a scope writes nothing at all. */
export const readOnly = "This scope is for reading only. To write, make it with { write: true }.";

/** The error of an operation that a scope doesn't allow. */
export function forbidden(message: string): OutlineError {
	return new OutlineError("forbidden", message);
}

/** The error if an inbox or calendar node would be created outside. */
export function noSuchPlace(): OutlineError {
	return new OutlineError(
		"not_found",
		"The inbox or calendar entry has no node in this scope, and none can be made here on demand. Name a node of the scope.",
	);
}
