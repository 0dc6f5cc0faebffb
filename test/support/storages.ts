import { onTestFinished } from "vitest";
import { createMemoryStorage } from "../../adapters/memory.js";
import { createSqliteStorage } from "../../adapters/sqlite.js";
import type { StorageAdapter } from "../../src/storage.js";
import { openDatabase } from "../adapters/sqlite/open-database.js";
import { paged } from "../conformance/wrapped.js";

type Named = readonly [name: string, create: () => StorageAdapter];

/** Storages in memory by name: one that answers at once, and one whose answers come later. */
export const memoryStorages: readonly Named[] = [
	["in memory", createMemoryStorage],
	["without peek", () => paged(createMemoryStorage())],
];

/** Storages by name: those in memory, and one in a database. */
export const storages: readonly Named[] = [...memoryStorages, ["in SQLite", createTestDatabase]];

function createTestDatabase(): StorageAdapter {
	const database = openDatabase("libsql", ":memory:");
	onTestFinished(() => void database.close());
	return createSqliteStorage(database);
}
