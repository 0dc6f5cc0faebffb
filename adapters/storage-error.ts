import { OutlineError } from "../src/errors.js";

/** Returns the error of a call on a closed storage. */
export function closed(): OutlineError {
	return new OutlineError(
		"closed",
		"The storage has been closed. An outline that closes also closes its storage. Create another one.",
	);
}

/** Returns the error of a commit on a revision that isn't current. */
export function conflict(message: string): OutlineError {
	return new OutlineError("conflict", message);
}
