import { join } from "node:path";
import Libsql from "libsql";
import { createSqliteStorage } from "outlinekit/sqlite";
import type { Contender } from "../contender.ts";
import { OutlineContender } from "./outline.ts";

class SqliteContender extends OutlineContender {
	readonly #database: InstanceType<typeof Libsql>;

	constructor(database: InstanceType<typeof Libsql>, synchronous: "full" | "normal") {
		super(createSqliteStorage(database, { synchronous }));
		this.#database = database;
	}

	/** Brings everything from the log into the database's file. */
	save(): void {
		this.#database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
	}
}

/** The variants are `full` and `normal`: how far a commit is synced. */
export function open(directory: string, variant: string): Contender {
	return new SqliteContender(new Libsql(join(directory, "outline.db")), variant === "normal" ? variant : "full");
}
