import type { PostgresClient, PostgresPool, PostgresResult } from "outlinekit/postgres";
import type pg from "pg";

/** A call that a storage makes to its pool. */
export interface PoolCall {
	readonly type: "connect" | "query";
	/** The statement of a query. */
	readonly sql?: string;
	readonly values?: readonly unknown[];
}

/** What is to become of a call: it works (undefined), it fails instead, or it is done and then, after more has happened, fails. */
export type Fate =
	| { readonly instead: unknown }
	| { readonly afterwards: unknown; readonly meanwhile?: () => Promise<unknown> }
	| undefined;

/** A pool of node-postgres that notes what is asked of it, and can let calls fail. */
export class RecordingPool implements PostgresPool {
	readonly calls: PoolCall[] = [];
	/** How many connections are out now, and have come back, whole or to be closed. */
	readonly connections = { out: 0, returned: 0, closed: 0 };
	/** How many calls are under way. */
	underWay = 0;
	/** Those that came back whole although something had failed on them. */
	brokenReturns = 0;
	/** Decides what becomes of each call. */
	fate: (call: PoolCall) => Fate = () => undefined;
	/** What each call waits for before it is made. */
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
				const { text: sql, values } = statement;
				try {
					return await this.#make<PostgresResult>({ type: "query", sql, ...(values && { values }) }, () =>
						client.query(statement),
					);
				} catch (error) {
					// A table that isn't there is an answer like others.
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

/** An error as a server or the network gives it. */
export function errorWithCode(code: string, message = `an error with the code ${code}`): Error {
	return Object.assign(new Error(message), { code });
}
