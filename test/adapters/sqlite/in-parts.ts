import type { AtOnce } from "../../../adapters/sqlite/at-once.js";
import type { SqliteDatabase } from "../../../adapters/sqlite/client.js";
import { SqliteStorage } from "../../../adapters/sqlite/storage.js";
import type { StorageAdapter } from "../../../src/storage.js";

/** So small that most commits are written in several parts, and several transactions. */
const little: AtOnce = { rows: 2, characters: 40 };

/** Options that differ from the usual ones. */
export interface InPartsOptions {
	readonly outline?: string;
	readonly atOnce?: AtOnce;
}

/** A storage that treats almost every commit as a large one. */
export function storageInParts(
	database: SqliteDatabase,
	{ outline = "outline", atOnce = little }: InPartsOptions = {},
): StorageAdapter {
	const usual = { synchronous: "normal", busyTimeout: 20_000, pollInterval: 20 } as const;
	return new SqliteStorage(database, { ...usual, outline, atOnce });
}
