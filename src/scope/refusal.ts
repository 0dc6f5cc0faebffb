import { OutlineError } from "../errors.js";

/** Why something outside isn't written. */
export const outside =
	"This would write outside of the scope. Through a scope, only what stands below its node can be changed, and a mirror's content only if its origin stands there too.";

/** Why the scope's own node keeps its place. */
export const topStays =
	"The node that the scope is limited to can't be moved or deleted through it. Take a node below it.";

/** Why a shortcut isn't set. */
export const onlyKnownShortcuts =
	"Through a scope, a shortcut can only be changed that points at a node of the scope already, and that the scope isn't named by.";

/** Why a scope writes nothing at all. */
export const readOnly = "This scope is for reading only. To write, make it with { write: true }.";

/** The error for what a scope doesn't allow. */
export function forbidden(message: string): OutlineError {
	return new OutlineError("forbidden", message);
}

/** The error for an inbox or calendar node that would be made outside. */
export function noSuchPlace(): OutlineError {
	return new OutlineError(
		"not_found",
		"The inbox or calendar entry has no node in this scope, and none can be made here on demand. Name a node of the scope.",
	);
}
