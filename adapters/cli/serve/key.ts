import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { Failure } from "../failure.ts";
import { assertKey, isKey } from "../place/place.ts";

/** Returns a new API key: 256 random bits, as text for a header and for the value of an option. */
export function drawKey(): string {
	const key = randomBytes(32).toString("base64url");
	return key.startsWith("-") ? drawKey() : key;
}

/**
 * Returns the SHA-256 of a key. The database stores and looks up this instead of the key.
 *
 * A slow hash, as for passwords, would protect nothing: it makes guesses expensive, and 256 random bits can't
 * be guessed. Each request would pay for it instead, and its salt would keep an index from finding anything.
 *
 * The time of the look-up doesn't help an attacker either. It may show how far the digest of a key agrees
 * with a stored one. But an attacker can't choose the digests of keys, and no digest leads back to its key.
 */
export function digestOf(key: string): Buffer {
	return createHash("sha256").update(key).digest();
}

/** Returns a function that checks a key, in a time that doesn't show where it differs. It may show the length. */
export function keyChecker(key: string): (offered: string) => boolean {
	const expected = Buffer.from(key);
	return (offered) => {
		const given = Buffer.from(offered);
		return given.length === expected.length && timingSafeEqual(given, expected);
	};
}

/**
 * Returns the key of a server with one outline: the given one, or the one in a file. If there is none, draws
 * one and stores it in the file.
 *
 * @throws usage if no header can carry the given key; Failure if none can carry that of the file
 */
export async function keyFrom(given: string | undefined, path: string): Promise<string> {
	if (given !== undefined) {
		assertKey(given);
		return given;
	}
	const kept = await readFile(path, "utf8").then(
		(text) => text.trim(),
		(error: NodeJS.ErrnoException) => {
			if (error.code === "ENOENT") return "";
			throw new Failure(error.code ?? "key_file", `The API key can't be read from ${path}: ${error.message}`);
		},
	);
	if (kept !== "") {
		if (isKey(kept)) return kept;
		throw new Failure(
			"key_file",
			`${path} must have one API key, without blanks and characters beyond ASCII. Delete the file to get a new key.`,
		);
	}
	const drawn = drawKey();
	// Renamed only when it is complete: stopping the server in between must not leave half a key.
	await writeFile(`${path}.new`, `${drawn}\n`, { mode: 0o600 });
	await rename(`${path}.new`, path);
	return drawn;
}
