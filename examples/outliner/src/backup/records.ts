import type { DBSchema } from "idb";
import { OwnDatabase } from "../workspace/own-database.js";
import type { Folder } from "./folder.js";

/** A moment in the life of the outline. */
export interface Moment {
	/** The date, such as `2026-11-24`. */
	readonly day: string;
	/** The revision of the outline. */
	readonly revision: number;
}

/** The last backup. */
export interface LastBackup extends Moment {
	/** In milliseconds. */
	readonly at: number;
	readonly fileName: string;
	/** The name of the folder; null for a download. */
	readonly folder: string | null;
	readonly bytes: number;
	readonly nodes: number;
}

/** All that this device remembers about its backups. */
export interface BackupRecords {
	/** The outline when it first opened here. */
	readonly first?: Moment;
	readonly last?: LastBackup;
	/** The folder that the person has chosen. */
	readonly folder?: Folder;
	/** The names of the files that this browser has written there, and not removed. */
	readonly written?: readonly string[];
	/** The reason why the last attempt failed, in words. */
	readonly problem?: string;
	/** The day of the last notice. */
	readonly noticed?: string;
}

const store = "records";

interface RecordSchema extends DBSchema {
	[store]: { key: string; value: unknown };
}

/** Keeps the records in a database that all tabs share. Only a database can hold a folder. */
export class RecordStore {
	readonly #database = new OwnDatabase<RecordSchema>("outliner-backup", (database) => {
		database.createObjectStore(store);
	});

	async read(): Promise<BackupRecords> {
		const transaction = (await this.#database.open()).transaction(store);
		const [keys, values] = await Promise.all([transaction.store.getAllKeys(), transaction.store.getAll()]);
		return Object.fromEntries(keys.map((key, index) => [key, values[index]]));
	}

	/** Replaces some records. Undefined removes one. */
	async write(records: { readonly [K in keyof BackupRecords]: BackupRecords[K] | undefined }): Promise<void> {
		const transaction = (await this.#database.open()).transaction(store, "readwrite");
		for (const [key, value] of Object.entries(records)) {
			if (value === undefined) void transaction.store.delete(key);
			else void transaction.store.put(value, key);
		}
		await transaction.done;
	}
}
