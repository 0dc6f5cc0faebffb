import type { PostgresClient, PostgresPool } from "./client.js";
import { Deadline } from "./deadline.js";

/** Runs a statement and gives its rows. One that recurs may have a name, under which it is kept compiled. */
export type PostgresQuery = (sql: string, values?: readonly unknown[], name?: string) => Promise<readonly unknown[]>;

/** A connection that has been taken out of its pool. */
export class PostgresConnection {
	readonly client: PostgresClient;
	readonly #timeout: number;
	#broken = false;
	#released = false;
	readonly #noteBreak = (): void => {
		this.#broken = true;
	};

	private constructor(client: PostgresClient, timeout: number) {
		this.client = client;
		this.#timeout = timeout;
		// A connection that breaks says so in an event too, and without a listener that would end the process.
		client.on("error", this.#noteBreak);
	}

	/** Takes a connection out of a pool, or has the pool make one. */
	static async take(pool: PostgresPool, timeout: number, deadline: Deadline): Promise<PostgresConnection> {
		const taking = pool.connect();
		try {
			const client = await deadline.wait(taking, "give a connection, unless the pool has none left");
			return new PostgresConnection(client, timeout);
		} catch (error) {
			taking.then(
				(late) => late.release(),
				() => {},
			);
			throw error;
		}
	}

	/** Runs a statement and gives its rows. Without a deadline it has a time of its own. */
	async query(
		text: string,
		values: readonly unknown[] = [],
		name?: string,
		deadline = new Deadline(this.#timeout),
	): Promise<readonly unknown[]> {
		const answer = this.client.query({ text, values: [...values], ...(name !== undefined && { name }) });
		return (await deadline.wait(answer, "answer")).rows;
	}

	/** Gives the connection back, or closes it after a failure: nobody knows what state it is in. Twice is fine. */
	release(failure?: unknown): void {
		if (this.#released) return;
		this.#released = true;
		if (failure === undefined && !this.#broken) {
			this.client.off("error", this.#noteBreak);
			this.client.release();
			return;
		}
		// The listener stays: a connection that is closed may still say why it broke, and then nobody else listens.
		this.client.release(failure instanceof Error ? failure : true);
	}
}
