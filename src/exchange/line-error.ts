import { OutlineError } from "../errors.js";
import type { Steps } from "../pace.js";

/** The error for a file that isn't what it should be, with the line (from 1) where that shows. */
export function malformed(line: number, what: string, cause?: unknown): OutlineError {
	return new OutlineError("invalid_argument", `Line ${line}: ${what} Nothing was imported.`, { cause });
}

/** Adds the line to what a check throws. */
export function atLine<T>(line: number, check: () => T): T {
	try {
		return check();
	} catch (error) {
		throw withLine(line, error);
	}
}

/** Adds the line to what a reading throws. */
export function* inLine<T>(line: number, reading: Steps<T>): Steps<T> {
	try {
		return yield* reading;
	} catch (error) {
		throw withLine(line, error);
	}
}

function withLine(line: number, error: unknown): unknown {
	if (!(error instanceof OutlineError)) return error;
	return new OutlineError(error.code, `Line ${line}: ${error.message} Nothing was imported.`, { cause: error });
}
