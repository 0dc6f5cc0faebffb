import { createHash, randomBytes } from "node:crypto";

/** A new API key: 256 random bits, as text that a header can carry. */
export function drawKey(): string {
	return randomBytes(32).toString("base64url");
}

/**
 * What is stored in place of a key, and what keys are found by: its SHA-256.
 *
 * A slow hash, as passwords need it, would protect nothing: it makes guesses dear, and 256 random bits can't be guessed. It
 * would be paid with each request instead, and its salt would keep an index from finding anything.
 *
 * Nor does the time of the look-up help anybody. It may tell how far the digest of an offered key agrees with a stored one; but
 * who offers keys can't choose their digests, and from a digest, even a whole one, there is no way to the key.
 */
export function digestOf(key: string): Buffer {
	return createHash("sha256").update(key).digest();
}
