import type { Statement } from "../../../adapters/sqlite/client.js";
import type { OpenDatabase } from "./open-database.js";

/** A call of a client. */
export interface Call {
	readonly type: "prepare" | "exec" | "run" | "all";
	readonly sql: string;
	/** The number of calls before it. */
	readonly index: number;
}

/** A database that records each call and then makes it. */
export class RecordingDatabase implements OpenDatabase {
	readonly calls: Call[] = [];
	readonly #database: OpenDatabase;
	/** Called before each call. If it throws, the call fails with that error. */
	onCall: (call: Call) => void = () => {};

	constructor(database: OpenDatabase) {
		this.#database = database;
	}

	prepare(sql: string): Statement {
		this.#note("prepare", sql);
		const statement = this.#database.prepare(sql);
		return {
			run: (...parameters) => {
				this.#note("run", sql);
				return statement.run(...parameters);
			},
			all: (...parameters) => {
				this.#note("all", sql);
				return statement.all(...parameters);
			},
		};
	}

	exec(sql: string): unknown {
		this.#note("exec", sql);
		return this.#database.exec(sql);
	}

	close(): void {
		this.#database.close();
	}

	#note(type: Call["type"], sql: string): void {
		const call = { type, sql, index: this.calls.length };
		this.calls.push(call);
		this.onCall(call);
	}
}
