import { describe, expect, it } from "vitest";
import { createSqliteStorage, type SqliteDatabase } from "../../../adapters/sqlite.js";
import { expectDistinctOutlines, outlineNames, refusesOptions } from "../sql/outline-names.js";
import { describeClients } from "./clients.js";

describe("the options of an SQLite storage", () => {
	const database: SqliteDatabase = {
		prepare: () => {
			throw new Error("nothing happens before the first use");
		},
		exec: () => {
			throw new Error("nothing happens before the first use");
		},
	};

	it("are accepted as they are documented", () => {
		for (const outline of outlineNames) createSqliteStorage(database, { outline });
		createSqliteStorage(database, { synchronous: "normal", busyTimeout: 0, pollInterval: 1 });
	});

	refusesOptions(
		(options) => createSqliteStorage(database, options),
		[
			["synchronous", "off"],
			["synchronous", "FULL; DROP TABLE x"],
			["busyTimeout", -1],
			["busyTimeout", 1.5],
			["busyTimeout", Number.NaN],
			["busyTimeout", "5; DROP TABLE x"],
			["pollInterval", 0],
			["pollInterval", Number.POSITIVE_INFINITY],
		],
		(given) => createSqliteStorage(given as SqliteDatabase),
		[undefined, null, "file.db", {}, { prepare() {} }, { exec() {} }],
	);
});

describe("an asynchronous database", () => {
	const calls: string[] = [];
	const exec = async (sql: string) => void calls.push(sql);
	const promising = { all: async () => [], run: async () => ({ changes: 0 }) };
	it.each<[string, object]>([
		["returns promises of statements", { exec, prepare: async () => promising }],
		["returns promises of rows", { exec, prepare: () => promising }],
		["uses callbacks", { exec, prepare: () => ({ all: () => undefined, run: () => undefined }) }],
	])("is refused on first use if it %s", async (_, given) => {
		const storage = createSqliteStorage(given as unknown as SqliteDatabase);
		await expect(storage.read([])).rejects.toMatchObject({
			code: "invalid_argument",
			message: expect.stringContaining("doesn't answer at once"),
		});
		expect(calls).toEqual([]);
	});
});

describeClients("the outlines of a database", (client) => {
	it("are distinguished by their exact names", async () => {
		const path = client.path();
		const [database, again] = [client.open(path), client.open(path)];
		await expectDistinctOutlines(
			(outline) => createSqliteStorage(database, { outline }),
			(outline) => createSqliteStorage(again, { outline }),
		);
	});
});
