import type { PostgresClient, PostgresPool, PostgresResult } from "outlinekit/postgres";
import type pg from "pg";

/** A call of a storage to its pool. */
export interface PoolCall {
	readonly type: "connect" | "query";
	/** The statement of a query. */
	readonly sql?: string;
	readonly values?: readonly unknown[];
	/** The name under which the connection keeps the statement compiled. */
	readonly name?: string;
}

/** The fate of a call: it works (undefined), it fails instead, or it takes effect and then fails. */
export type Fate =
	| { readonly instead: unknown }
	| { readonly afterwards: unknown; readonly meanwhile?: () => Promise<unknown> }
	| undefined;

/** A pool of node-postgres that records its calls, and can make them fail. */
export class RecordingPool implements PostgresPool {
	readonly calls: PoolCall[] = [];
	/** The numbers of connections in use, returned whole, and returned to be closed. */
	readonly connections = { out: 0, returned: 0, closed: 0 };
	/** The number of present calls. */
	underWay = 0;
	/** The number of connections that were returned whole although a call on them had failed. */
	brokenReturns = 0;
	/** Decides the fate of each call. */
	fate: (call: PoolCall) => Fate = () => undefined;
	/** Returns a promise that a call first waits for. */
	gate: (call: PoolCall) => Promise<unknown> | undefined = () => undefined;

	constructor(readonly pool: pg.Pool) {}

	get ending(): boolean {
		return this.pool.ending;
	}

	get options(): pg.PoolOptions {
		return this.pool.options;
	}

	/** The statements so far, each in one line. */
	get statements(): string[] {
		return this.calls.flatMap(({ sql }) => (sql === undefined ? [] : [sql.replace(/\s+/g, " ")]));
	}

	async connect(): Promise<PostgresClient> {
		const client = await this.#make({ type: "connect" }, () => this.pool.connect());
		this.connections.out += 1;
		let broken = false;
		const notice = () => {
			broken = true;
		};
		client.on("error", notice);
		return {
			query: async (statement) => {
				const { text: sql, ...rest } = statement;
				try {
					return await this.#make<PostgresResult>({ type: "query", sql, ...rest }, () => client.query(statement));
				} catch (error) {
					// For a storage, a missing table is a normal answer.
					broken ||= (error as { code?: string }).code !== "42P01";
					throw error;
				}
			},
			release: (error) => {
				this.connections.out -= 1;
				client.off("error", notice);
				if (error === undefined || error === false) {
					this.connections.returned += 1;
					if (broken) this.brokenReturns += 1;
				} else this.connections.closed += 1;
				client.release(error);
			},
			on: (event: "error" | "end" | "notification", listener: (message: pg.Notification) => void) =>
				client.on(event as "notification", listener),
			off: (event, listener) => client.off(event, listener),
			unref: () => (client as unknown as { unref(): void }).unref(),
		};
	}

	async #make<T>(call: PoolCall, make: () => Promise<T>): Promise<T> {
		this.calls.push(call);
		this.underWay += 1;
		try {
			return await this.#outcome(call, make);
		} finally {
			this.underWay -= 1;
		}
	}

	async #outcome<T>(call: PoolCall, make: () => Promise<T>): Promise<T> {
		const fate = this.fate(call);
		await this.gate(call);
		if (fate !== undefined && "instead" in fate) throw fate.instead;
		const result = await make();
		if (fate === undefined) return result;
		if (call.type === "connect") (result as pg.PoolClient).release(true);
		await fate.meanwhile?.();
		throw fate.afterwards;
	}
}

/** Returns an error of a server or the network. */
export function errorWithCode(code: string, message = `an error with the code ${code}`): Error {
	return Object.assign(new Error(message), { code });
}
