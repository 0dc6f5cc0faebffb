import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";

/** The most bytes of a name that file systems take. */
export const nameLimit = 255;

/** The path of a file beside another one: its name with a suffix, or a digest of the name where that would be too long. */
export function neighbour(path: string, suffix: string): string {
	if (Buffer.byteLength(basename(path) + suffix) <= nameLimit) return path + suffix;
	return join(dirname(path), digestOf(basename(path)) + suffix);
}

/** A short text that stands for a name, of digits and letters. */
export function digestOf(name: string): string {
	return createHash("sha256").update(name).digest("hex").slice(0, 32);
}
