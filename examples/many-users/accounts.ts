import type { Pool } from "pg";
import { digestOf, drawKey } from "./key.ts";

/** The part of an outline that a key opens: a node and all below it. */
export interface Part {
	/** Any reference to the node, best its full id. */
	readonly node: string;
	/** Whether the key is for writing too. */
	readonly write: boolean;
}

/** The user of a key, and the scope of the key. */
export interface Holder {
	readonly user: string;
	/** Null for the whole outline. */
	readonly part: Part | null;
}

/**
 * A key with the id for rotation and revocation. The key itself is visible only this once, because it isn't
 * stored.
 */
export interface IssuedKey {
	readonly id: string;
	readonly key: string;
}

/** The tables. The lock is for processes that start at once, of which only one may create them. */
const schema = `
	SELECT pg_advisory_xact_lock(hashtext('users'));
	CREATE TABLE IF NOT EXISTS users (
		id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
		name text NOT NULL
	);
	CREATE TABLE IF NOT EXISTS api_keys (
		id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
		digest bytea NOT NULL UNIQUE,
		user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
		node text,
		write boolean NOT NULL
	);
	CREATE INDEX IF NOT EXISTS api_keys_of_user ON api_keys (user_id);`;

/** The users of a service, and their API keys. */
export class Accounts {
	readonly #pool: Pick<Pool, "query">;

	constructor(pool: Pick<Pool, "query">) {
		this.#pool = pool;
	}

	/** Creates the tables that aren't there. */
	async createTables(): Promise<void> {
		await this.#pool.query(schema);
	}

	/** Adds a user, and resolves with the id. The outline needs nothing: it is there with its first node. */
	async createUser(name: string): Promise<string> {
		const { rows } = await this.#pool.query("INSERT INTO users (name) VALUES ($1) RETURNING id", [name]);
		return rows[0].id;
	}

	/** Makes a key for a user's outline, or a part of it. */
	async createKey(user: string, part: Part | null = null): Promise<IssuedKey> {
		const key = drawKey();
		const { rows } = await this.#pool.query(
			"INSERT INTO api_keys (digest, user_id, node, write) VALUES ($1, $2, $3, $4) RETURNING id",
			[digestOf(key), user, part?.node ?? null, part?.write ?? true],
		);
		return { id: rows[0].id, key };
	}

	/**
	 * Replaces a key of a user by a new one with the same scope. The old key stops working at once. To have
	 * both for a while, create another key, and revoke the old one later. Resolves with undefined if there is
	 * no such key.
	 */
	async rotateKey(user: string, id: string): Promise<string | undefined> {
		const key = drawKey();
		const { rowCount } = await this.#pool.query("UPDATE api_keys SET digest = $3 WHERE id = $2 AND user_id = $1", [
			user,
			id,
			digestOf(key),
		]);
		return rowCount === 1 ? key : undefined;
	}

	/** Makes a key of a user worth nothing. Resolves with whether there was one. */
	async revokeKey(user: string, id: string): Promise<boolean> {
		const { rowCount } = await this.#pool.query("DELETE FROM api_keys WHERE id = $2 AND user_id = $1", [user, id]);
		return rowCount === 1;
	}

	/** The user of a key, by one look-up in the unique index of digests. Undefined for an unknown key. */
	async holderOf(key: string): Promise<Holder | undefined> {
		const { rows } = await this.#pool.query("SELECT user_id, node, write FROM api_keys WHERE digest = $1", [
			digestOf(key),
		]);
		const [row] = rows;
		return row && { user: row.user_id, part: row.node === null ? null : { node: row.node, write: row.write } };
	}
}
