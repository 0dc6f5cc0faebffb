import type Libsql from "libsql";
import { expectTypeOf, it } from "vitest";
import type { SqliteDatabase } from "../../adapters/sqlite.js";

/** What `@types/better-sqlite3` declares, as far as it matters. */
interface BetterSqlite3Database {
	prepare<Parameters extends unknown[] | object = unknown[], Row = unknown>(
		source: string,
	): Parameters extends unknown[] ? BetterSqlite3Statement<Parameters, Row> : BetterSqlite3Statement<[Parameters], Row>;
	exec(source: string): this;
}

interface BetterSqlite3Statement<Parameters extends unknown[], Row> {
	run(...parameters: Parameters): { changes: number; lastInsertRowid: number | bigint };
	all(...parameters: Parameters): Row[];
	get(...parameters: Parameters): Row | undefined;
	raw(toggleState?: boolean): this;
}

/** What `@types/node` declares of `node:sqlite` from version 22 on, as far as it matters. */
interface NodeDatabase {
	prepare(sql: string): NodeStatement;
	exec(sql: string): void;
}

type NodeValue = null | number | bigint | string | NodeJS.ArrayBufferView;

interface NodeStatement {
	run(...parameters: NodeValue[]): { changes: number | bigint; lastInsertRowid: number | bigint };
	run(named: Record<string, NodeValue>, ...parameters: NodeValue[]): { changes: number | bigint };
	all(...parameters: NodeValue[]): Record<string, NodeValue>[];
	all(named: Record<string, NodeValue>, ...parameters: NodeValue[]): Record<string, NodeValue>[];
	get(...parameters: NodeValue[]): Record<string, NodeValue> | undefined;
	get(named: Record<string, NodeValue>, ...parameters: NodeValue[]): Record<string, NodeValue> | undefined;
	setReturnArrays(enabled: boolean): void;
}

it("the databases of all clients fit without a cast", () => {
	expectTypeOf<BetterSqlite3Database>().toExtend<SqliteDatabase>();
	expectTypeOf<Libsql.Database>().toExtend<SqliteDatabase>();
	expectTypeOf<NodeDatabase>().toExtend<SqliteDatabase>();
	expectTypeOf<{ prepare(sql: string): { run(): void } }>().not.toExtend<SqliteDatabase>();
});
