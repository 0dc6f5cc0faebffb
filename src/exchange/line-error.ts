import { OutlineError } from "../errors.js";

/** The error for a file that isn't what it should be, with the line (from 1) where that shows. */
export function malformed(line: number, what: string, cause?: unknown): OutlineError {
	return new OutlineError("invalid_argument", `Line ${line}: ${what} Nothing was imported.`, { cause });
}

/** Adds the line, which may be one that takes time to find, to what a check throws. */
export function atLine<T>(line: number | (() => number), check: () => T): T {
	try {
		return check();
	} catch (error) {
		if (!(error instanceof OutlineError)) throw error;
		throw new OutlineError(
			error.code,
			`Line ${typeof line === "number" ? line : line()}: ${error.message} Nothing was imported.`,
			{ cause: error },
		);
	}
}
