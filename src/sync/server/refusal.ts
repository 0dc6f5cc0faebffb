import { OutlineError } from "../../errors.js";
import type { EntryDigest } from "./documents.js";

/** The device belongs to another outline. */
export function wrongOutline(): OutlineError {
	return new OutlineError(
		"wrong_outline",
		"The push is for another outline than the one at this address. Nothing was changed. Check the address and the API key. If the server was restored from an export, let the replica `leave`, and create it again.",
	);
}

/** The server is behind the device, or has another history. */
export function reset(): OutlineError {
	return new OutlineError(
		"sync_reset",
		"The server is behind the device: it was restored from a copy. Nothing was changed. Load the image, and join again.",
	);
}

/** Two devices use one id. @param digests - the last entries that the server has */
export function forked(last: number, digests: readonly EntryDigest[]): OutlineError {
	return new OutlineError(
		"sync_forked",
		"Two devices use one id, because one was copied. Nothing was changed. Draw a new id, and send all entries after the last common one.",
		{ journal: { last, digests } },
	);
}

/** Deletions since a revision are gone. */
export function expired(since: number, horizon: number): OutlineError {
	return new OutlineError(
		"changes_expired",
		`since is ${since}, and the outline has pruned the deletions up to revision ${horizon}. Nothing was changed. Load the image.`,
	);
}

/** The conflicts of some entries don't fit into one commit. @param limit - the most characters of a commit */
export function tooLarge(limit: number): OutlineError {
	const message = `The texts that give way would take more than the ${limit} characters of one commit. Make the changes in several commits.`;
	return new OutlineError("too_large", message);
}
