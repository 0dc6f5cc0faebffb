import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * The API key: the given one, or the one in the data directory, or a new one, which is stored there.
 * Throws if the given key can't be in an Authorization header.
 */
export async function apiKeyFrom(given: string | undefined, directory: string): Promise<string> {
	if (given !== undefined && given !== "") {
		if (/^[\x21-\x7e]+$/.test(given)) return given;
		throw new Error("OUTLINE_API_KEY has a blank or a character beyond ASCII in it. Choose a key without.");
	}
	const path = join(directory, "api-key");
	const kept = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
		if (error.code === "ENOENT") return "";
		throw error;
	});
	if (kept.trim() !== "") return kept.trim();
	const drawn = randomBytes(24).toString("base64url");
	// Renamed only when it is complete: stopping the server in between must not leave half a key.
	await writeFile(`${path}.new`, `${drawn}\n`, { mode: 0o600 });
	await rename(`${path}.new`, path);
	return drawn;
}

/** Tells whether a key is the right one, in a time that says nothing about where they differ. */
export function keyChecker(key: string): (offered: string) => boolean {
	const digest = (text: string) => hash("sha256", text, "buffer");
	const expected = digest(key);
	return (offered) => timingSafeEqual(digest(offered), expected);
}
