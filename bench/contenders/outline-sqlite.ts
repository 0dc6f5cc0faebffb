import { join } from "node:path";
import Libsql from "libsql";
import { createSqliteStorage } from "outlinekit/sqlite";
import type { Contender } from "../contender.ts";
import { OutlineContender } from "./outline.ts";

/** The variants are `full` and `normal`: how far a commit is synced. */
export function open(directory: string, variant: string): Contender {
	const synchronous = variant === "normal" ? variant : "full";
	return new OutlineContender(createSqliteStorage(new Libsql(join(directory, "outline.db")), { synchronous }));
}
