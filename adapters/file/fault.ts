import { OutlineError } from "../../src/errors.js";
import { codeOf, nameLimit } from "./path.js";

const noRoom = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

const advice: Readonly<Record<string, string>> = {
	EISDIR: "It is a directory: give the path of a file.",
	ENOENT: "Its directory doesn't exist: create it first.",
	ENOTDIR: "A part of the path is a file, not a directory: choose another path.",
	EACCES: "The process has no permission to read and write there: change the permissions, or choose another path.",
	EPERM: "The process has no permission to read and write there: change the permissions, or choose another path.",
	EROFS: "The file system is read-only: mount it for writing, or choose another path.",
	EMFILE: "The process has too many open files: close some, or raise its limit.",
	ENAMETOOLONG: `The path is too long: a name may have ${nameLimit} bytes on most file systems. Choose a shorter one.`,
};

/**
 * Converts a failure of the file system to an `OutlineError` that says what to do, with the failure as its
 * cause.
 */
export function fault(doing: string, path: string, cause: unknown): OutlineError {
	if (cause instanceof OutlineError) return cause;
	const code = codeOf(cause);
	const reason = typeof code === "string" ? code : String(cause);
	if (noRoom.has(reason)) {
		return new OutlineError(
			"quota_exceeded",
			`There is no room for ${doing} ${path} (${reason}). Nothing was written; free some space and try again.`,
			{ cause },
		);
	}
	return new OutlineError(
		"storage_unavailable",
		`${doing[0]!.toUpperCase()}${doing.slice(1)} ${path} failed (${reason}). ${advice[reason] ?? "Check the disk, then try again."}`,
		{ cause },
	);
}
