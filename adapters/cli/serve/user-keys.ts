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
	/** The name of the user, and of the outline. */
	readonly user: string;
	/** Null for the whole outline. */
	readonly part: Part | null;
}

/** A stored key, which shows all but the key itself. */
export interface ListedKey extends Holder {
	readonly id: string;
	/** The purpose of the key, such as the name of a device; null for none. */
	readonly label: string | null;
	readonly createdAt: Date;
}

/** The table. The lock is for processes that start at once, of which only one may create it. */
const schema = `
	SELECT pg_advisory_xact_lock(hashtext('outlinekit_user_key'));
	CREATE TABLE IF NOT EXISTS outlinekit_user_key (
		id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
		digest bytea NOT NULL UNIQUE,
		user_name text NOT NULL,
		node text,
		write boolean NOT NULL,
		created_at timestamptz NOT NULL DEFAULT now()
	);
	ALTER TABLE outlinekit_user_key ADD COLUMN IF NOT EXISTS label text;
	CREATE INDEX IF NOT EXISTS outlinekit_user_key_of_user ON outlinekit_user_key (user_name);`;

/** A row of the table. */
interface Row {
	readonly id: string;
	readonly user_name: string;
	readonly node: string | null;
	readonly write: boolean;
	readonly label: string | null;
	readonly created_at: Date;
}

/** The API keys of a database. A user is a name, and has an outline with the first node. */
export class UserKeys {
	readonly #pool: Pick<Pool, "query">;

	constructor(pool: Pick<Pool, "query">) {
		this.#pool = pool;
	}

	/** Creates the table, unless it is there. */
	async createTable(): Promise<void> {
		await this.#pool.query(schema);
	}

	/** Makes a key for a user's outline, or a part of it. Only the caller has it: the database has a hash. */
	async add(
		user: string,
		part: Part | null = null,
		label: string | null = null,
	): Promise<{ readonly id: string; readonly key: string }> {
		const key = drawKey();
		const { rows } = await this.#pool.query<Row>(
			"INSERT INTO outlinekit_user_key (digest, user_name, node, write, label) VALUES ($1, $2, $3, $4, $5) RETURNING id",
			[digestOf(key), user, part?.node ?? null, part?.write ?? true, label],
		);
		return { id: rows[0]!.id, key };
	}

	/** Lists the keys of a user or of all users. */
	async list(user?: string): Promise<ListedKey[]> {
		const { rows } = await this.#pool.query<Row>(
			`SELECT id, user_name, node, write, label, created_at FROM outlinekit_user_key
			WHERE $1::text IS NULL OR user_name = $1 ORDER BY user_name, created_at, id`,
			[user ?? null],
		);
		return rows.map((row) => ({ id: row.id, label: row.label, createdAt: row.created_at, ...holderIn(row) }));
	}

	/** Deletes a key. Returns whether there was one. */
	async revoke(id: string): Promise<boolean> {
		const { rowCount } = await this.#pool.query("DELETE FROM outlinekit_user_key WHERE id::text = $1", [id]);
		return rowCount === 1;
	}

	/** Returns the user of a key, by one look-up in the index of digests; undefined for an unknown key. */
	async holderOf(key: string): Promise<Holder | undefined> {
		const { rows } = await this.#pool.query<Row>(
			"SELECT user_name, node, write FROM outlinekit_user_key WHERE digest = $1",
			[digestOf(key)],
		);
		return rows[0] && holderIn(rows[0]);
	}
}

function holderIn({ user_name: user, node, write }: Pick<Row, "user_name" | "node" | "write">): Holder {
	return { user, part: node === null ? null : { node, write } };
}
