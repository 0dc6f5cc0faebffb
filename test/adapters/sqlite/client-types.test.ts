import type Libsql from "libsql";
import { expectTypeOf, it } from "vitest";
import type { SqliteDatabase } from "../../../adapters/sqlite.js";

/** The relevant part of `@types/better-sqlite3`. */
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

/** The relevant part of `@types/node` for `node:sqlite`, from version 22 on. */
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

/** The relevant part of `bun-types` for `bun:sqlite`. */
interface BunDatabase {
	prepare<Row, Parameters extends BunBinding | BunBinding[]>(
		sql: string,
		parameters?: Parameters,
	): BunStatement<Row, Parameters extends BunBinding[] ? Parameters : [Parameters]>;
	exec<Bindings extends BunBinding[]>(sql: string, ...bindings: Bindings[]): { changes: number };
}

type BunBinding =
	| string
	| bigint
	| NodeJS.TypedArray
	| number
	| boolean
	| null
	| Record<string, string | number | null>;

interface BunStatement<Row, Parameters extends BunBinding[]> {
	run(...parameters: Parameters): { lastInsertRowid: number | bigint; changes: number };
	all(...parameters: Parameters): Row[];
	get(...parameters: Parameters): Row | null;
	values(...parameters: Parameters): Array<Array<string | bigint | number | boolean | Uint8Array>>;
	raw(...parameters: Parameters): Array<Array<Uint8Array | null>>;
}

it("the databases of all clients have the required type without a cast", () => {
	expectTypeOf<BetterSqlite3Database>().toExtend<SqliteDatabase>();
	expectTypeOf<Libsql.Database>().toExtend<SqliteDatabase>();
	expectTypeOf<NodeDatabase>().toExtend<SqliteDatabase>();
	expectTypeOf<BunDatabase>().toExtend<SqliteDatabase>();
	expectTypeOf<{ prepare(sql: string): { run(): void } }>().not.toExtend<SqliteDatabase>();
});
