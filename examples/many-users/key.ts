import { createHash, randomBytes } from "node:crypto";

/** A new API key: 256 random bits, as text that a header can carry. */
export function drawKey(): string {
	return randomBytes(32).toString("base64url");
}

/**
 * The SHA-256 of a key. The database stores and looks up this instead of the key.
 *
 * A slow hash, as for passwords, would protect nothing: it makes guesses expensive, and 256 random bits can't
 * be guessed. It would be paid with each request instead, and its salt would keep an index from finding
 * anything.
 *
 * The time of the look-up doesn't help an attacker either. It may show how far the digest of a key agrees
 * with a stored one; but an attacker can't choose the digests of keys, and a digest, even a whole one,
 * doesn't lead back to the key.
 */
export function digestOf(key: string): Buffer {
	return createHash("sha256").update(key).digest();
}
