import "../adapters/indexeddb/globals.js";
import { join } from "node:path";
import { createIndexedDbStorage } from "../../adapters/indexeddb.js";
import { createMemoryStorage } from "../../adapters/memory.js";
import { createSqliteStorage } from "../../adapters/sqlite.js";
import { randomId } from "../../src/id.js";
import type { StorageAdapter } from "../../src/storage.js";
import { openTrialStorage } from "../adapters/file/trial.js";
import { openDatabase } from "../adapters/sqlite/open-database.js";
import { paged } from "../conformance/wrapped.js";
import { CrashFileSystem } from "../faults/crash-file-system.js";
import { temporaryFolder } from "../support/temporary.js";

/** A place for one outline. It outlives the programs, and each of them opens a storage on it. */
export interface StoragePlace {
	open(): StorageAdapter;
}

/** A kind of storage. Returns a new and empty place. */
export type Kind = () => StoragePlace;

/** The kinds of storage of devices. All but IndexedDB are also kinds of servers. */
export const kinds = {
	memory: () => inMemory(createMemoryStorage()),
	/** Its answers always take a turn, like the answers of a database. */
	paged: () => inMemory(paged(createMemoryStorage())),
	file: inFile,
	sqlite: () => {
		const path = join(temporaryFolder(), "outline.db");
		return { open: () => inDatabase(path) };
	},
	indexeddb: () => {
		const indexedDB = new IDBFactory();
		// A notice must not reach the tabs of another disk.
		const name = randomId();
		return { open: () => createIndexedDbStorage(name, { indexedDB, compactAfter: 20 }) };
	},
} satisfies Record<string, Kind>;

/** The name of a kind. */
export type KindName = keyof typeof kinds;

/** The kinds of storage of a simulation. */
export interface Kinds {
	readonly server: Kind;
	/** Returns the kind of a device. */
	readonly device: (number: number) => Kind;
}

/** Returns the quickest kinds, which differ by the seed and the device. */
export function quickKinds(seed: number): Kinds {
	const kind = (isPaged: boolean) => (isPaged ? kinds.paged : kinds.memory);
	return { server: kind(seed % 2 === 0), device: (number) => kind(number % 2 === 1) };
}

/** Returns a place whose storage stays open, because the memory of a closed one is gone. */
function inMemory(storage: StorageAdapter): StoragePlace {
	const open = { ...forwarded(storage), close: async () => {} };
	return { open: () => open };
}

/**
 * Returns a place on a file system in memory. The storages of one program, such as tabs, share the open file.
 * Closing the last of them kills the program, because a file storage that closes in order writes a snapshot.
 */
function inFile(): StoragePlace {
	let fileSystem = new CrashFileSystem();
	let program: { readonly storage: StorageAdapter; tabs: number } | null = null;
	return {
		open() {
			// It writes a snapshot after some 30 commits.
			program ??= { storage: openTrialStorage(fileSystem, { compactAfter: 16_384 }), tabs: 0 };
			const own = program;
			own.tabs += 1;
			const close = async () => {
				own.tabs -= 1;
				if (own.tabs > 0) return;
				fileSystem = fileSystem.afterKill();
				program = null;
			};
			return { ...forwarded(own.storage), close };
		},
	};
}

/** Opens a connection of its own for a storage. */
function inDatabase(path: string): StorageAdapter {
	const database = openDatabase(process.env.OUTLINE_SQLITE_CLIENT ?? "libsql", path);
	// The tests cut no power.
	const storage = createSqliteStorage(database, { synchronous: "normal" });
	const close = async () => {
		await storage.close();
		database.close();
	};
	return { ...forwarded(storage), close };
}

/** Returns all methods of a storage, bound to it. */
export function forwarded(storage: StorageAdapter): StorageAdapter {
	return {
		read: (queries) => storage.read(queries),
		...(storage.peek !== undefined && { peek: (queries) => storage.peek!(queries) }),
		commit: (batch) => storage.commit(batch),
		scan: () => storage.scan(),
		...(storage.watch !== undefined && { watch: (listener) => storage.watch!(listener) }),
		...(storage.attached !== undefined && { attached: (outline) => storage.attached!(outline) }),
		close: () => storage.close(),
	};
}
