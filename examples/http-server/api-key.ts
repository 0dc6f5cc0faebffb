import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The API key: the one given, else the one kept in the data directory, else a new one that is kept there from now on. */
export async function apiKeyFrom(given: string | undefined, directory: string): Promise<string> {
	if (given !== undefined && given !== "") return given;
	const path = join(directory, "api-key");
	try {
		return (await readFile(path, "utf8")).trim();
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
	}
	const drawn = randomBytes(24).toString("base64url");
	await writeFile(path, `${drawn}\n`, { mode: 0o600, flag: "wx" });
	return drawn;
}

/** Tells whether a key is the right one, in a time that says nothing about where they differ. */
export function keyChecker(key: string): (offered: string) => boolean {
	const digest = (text: string) => createHash("sha256").update(text).digest();
	const expected = digest(key);
	return (offered) => timingSafeEqual(digest(offered), expected);
}
