import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";

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
