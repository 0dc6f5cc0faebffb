import { onTestFinished } from "vitest";
import { createMemoryStorage } from "../../adapters/memory.js";
import { createSqliteStorage } from "../../adapters/sqlite.js";
import type { StorageAdapter } from "../../src/storage.js";
import { openDatabase } from "../adapters/sqlite/open-database.js";
import { paged } from "../conformance/wrapped.js";

/** Storages by name: one in memory, the same with answers that come later, and one in a database. */
export const storages: readonly (readonly [name: string, create: () => StorageAdapter])[] = [
	["in memory", createMemoryStorage],
	["without peek", () => paged(createMemoryStorage())],
	["in SQLite", createTestDatabase],
];

function createTestDatabase(): StorageAdapter {
	const database = openDatabase("libsql", ":memory:");
	onTestFinished(() => void database.close());
	return createSqliteStorage(database);
}
