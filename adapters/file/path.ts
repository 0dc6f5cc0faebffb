import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { readlink, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, sep } from "node:path";

/** The most bytes of a file's name on most file systems. */
export const nameLimit = 255;

/**
 * Returns the path of a file beside another one: its name with a suffix, or a digest of the name if that is
 * too long.
 */
export function neighbour(path: string, suffix: string): string {
	if (Buffer.byteLength(basename(path) + suffix) <= nameLimit) return path + suffix;
	return join(dirname(path), digestOf(basename(path)) + suffix);
}

/** Returns a short digest of a name, of hexadecimal digits. */
export function digestOf(name: string): string {
	return createHash("sha256").update(name).digest("hex").slice(0, 32);
}

/**
 * Returns the path with symbolic links resolved, even if the last link leads to a file that doesn't exist
 * yet.
 *
 * @throws the system's error
 */
export async function canonicalPath(path: string): Promise<string> {
	try {
		return await realpath(path);
	} catch (error) {
		if (codeOf(error) !== "ENOENT") throw error;
	}
	const directory = await realpath(dirname(path));
	const location = `${directory === sep ? "" : directory}${sep}${basename(path)}`;
	const link = await readlink(location).catch(() => undefined);
	if (link === undefined) return location;
	// Joined as text, because `..` after a link means the parent of the link's target. Only the system can
	// resolve that.
	return canonicalPath(isAbsolute(link) ? link : `${directory}${sep}${link}`);
}

/** Returns the code of a system error. In Jest, such an error is no instance of the `Error` of the package. */
export function codeOf(error: unknown): unknown {
	return (error as { code?: unknown } | null | undefined)?.code;
}
