import { OutlineError } from "../errors.js";

/** The reason why an operation can't write outside of the scope. */
export const outside =
	"This would write outside of the scope. A scope can change only the nodes below its node, and the content of a mirror only if its origin is among them.";

/** The reason why the scope's own node keeps its place. */
export const topStays = "A scope can't move or delete its own node. Name a node below it.";

/** The reason why a shortcut can't be set. */
export const onlyKnownShortcuts =
	"A scope can change a shortcut only if it already points at a node of the scope, and isn't the reference of the scope itself.";

/** The reason why a scope writes nothing at all. */
export const readOnly =
	"This scope or API key is for reading only. To write, ask for one that was created with { write: true }.";

/** The error of an operation that a scope doesn't allow. */
export function forbidden(message: string): OutlineError {
	return new OutlineError("forbidden", message);
}

/** The error if an inbox or calendar node would be created outside. */
export function noSuchPlace(): OutlineError {
	return new OutlineError(
		"not_found",
		"The inbox or calendar entry has no node in this scope, and the scope can't create it. Name a node of the scope.",
	);
}
