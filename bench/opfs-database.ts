import type { SqliteDatabase } from "outlinekit/sqlite";

type Value = string | number | null;

/** A statement of `@sqlite.org/sqlite-wasm`, as far as this needs it. */
interface WasmStatement {
	readonly parameterCount: number;
	bind(values: readonly Value[]): unknown;
	step(): boolean;
	get(row: Value[]): Value[];
	get(row: object): Record<string, Value>;
	reset(): unknown;
}

/** A database of `@sqlite.org/sqlite-wasm`, as far as this needs it. */
export interface WasmDatabase {
	prepare(sql: string): WasmStatement;
	exec(sql: string): unknown;
	changes(): number;
	close(): unknown;
}

/** Returns the database as the SQLite storage takes it. */
export function asDatabase(database: WasmDatabase): SqliteDatabase {
	return {
		exec: (sql) => database.exec(sql),
		prepare(sql) {
			const statement = database.prepare(sql);
			let raw = false;
			const rows = (values: readonly Value[], most: number) => {
				try {
					if (values.length > 0) statement.bind(values);
					const found: unknown[] = [];
					while (found.length < most && statement.step()) found.push(raw ? statement.get([]) : statement.get({}));
					return found;
				} finally {
					statement.reset();
				}
			};
			return {
				run(...values: Value[]) {
					rows(values, Number.POSITIVE_INFINITY);
					return { changes: database.changes() };
				},
				all: (...values: Value[]) => rows(values, Number.POSITIVE_INFINITY),
				get: (...values: Value[]) => rows(values, 1)[0],
				raw(enabled: boolean) {
					raw = enabled;
				},
			};
		},
	};
}
