import { createSqliteStorage } from "outlinekit/sqlite";
import { expect, test } from "vitest";
import type { Statement } from "../../../adapters/sqlite/client.js";
import { misstated, statedTraffic, type Traffic, trafficOf } from "../../support/traffic.js";
import { type OpenDatabase, openDatabase } from "./open-database.js";

/** A database that counts its calls, and the bytes of the parameters and results. */
class CountingDatabase implements OpenDatabase {
	readonly #database: OpenDatabase;
	#traffic: Traffic = { statements: 0, sent: 0, received: 0 };

	constructor(database: OpenDatabase) {
		this.#database = database;
	}

	prepare(sql: string): Statement {
		const statement = this.#database.prepare(sql);
		const ask = <T>(parameters: unknown[], answer: T): T => {
			this.#traffic.statements += 1;
			this.#traffic.sent += bytesOf(parameters);
			this.#traffic.received += bytesOf(answer);
			return answer;
		};
		return {
			run: (...parameters) => ask(parameters, statement.run(...parameters)),
			all: (...parameters) => ask(parameters, statement.all(...parameters)),
		};
	}

	exec(sql: string): unknown {
		this.#traffic.statements += 1;
		return this.#database.exec(sql);
	}

	close(): void {
		this.#database.close();
	}

	/** Returns the traffic since the last call. */
	take(): Traffic {
		const traffic = this.#traffic;
		this.#traffic = { statements: 0, sent: 0, received: 0 };
		return traffic;
	}
}

/**
 * The bytes of a text in UTF-8, of a number as SQLite stores it at most, and of lists and objects of these.
 */
function bytesOf(value: unknown): number {
	if (typeof value === "string") return Buffer.byteLength(value);
	if (typeof value === "number" || typeof value === "bigint") return 8;
	if (typeof value !== "object" || value === null) return 0;
	return Object.values(value).reduce((sum: number, each) => sum + bytesOf(each), 0);
}

test("each operation runs as many statements as the page on scaling says, with as many bytes", async () => {
	const database = new CountingDatabase(openDatabase("libsql", ":memory:"));
	const measured = await trafficOf(createSqliteStorage(database), () => database.take());
	database.close();
	expect(misstated(statedTraffic(3), measured), JSON.stringify(measured)).toEqual([]);
});
