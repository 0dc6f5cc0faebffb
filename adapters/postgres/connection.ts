import type { PostgresClient, PostgresPool } from "./client.js";
import { Deadline } from "./deadline.js";

/**
 * Runs a statement and returns its rows. A recurring statement may have a name, under which it is kept
 * compiled.
 */
export type PostgresQuery = (sql: string, values?: readonly unknown[], name?: string) => Promise<readonly unknown[]>;

/** Pools that call {@link ignoreErrors} with each connection that is taken. */
const guarded = new WeakSet<PostgresPool>();

const ignored = () => {};

/**
 * Keeps errors of a connection from ending the process. A connection may break in the packet that opens it. Then
 * its pool listens no longer, and its taker, who has to wait for a promise, not yet.
 */
function ignoreErrors(client: PostgresClient): void {
	client.off("error", ignored);
	client.on("error", ignored);
}

/** A connection taken from its pool. */
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
		// A connection that breaks also emits an event, which would end the process if there were no listener.
		client.on("error", this.#noteBreak);
	}

	/** Takes a connection from a pool, which may open a new one. */
	static async take(pool: PostgresPool, timeout: number, deadline: Deadline): Promise<PostgresConnection> {
		if (!guarded.has(pool)) {
			guarded.add(pool);
			pool.on?.("acquire", ignoreErrors);
		}
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

	/** Runs a statement and returns its rows. Without a deadline, it has the full timeout. */
	async query(
		text: string,
		values: readonly unknown[] = [],
		name?: string,
		deadline = new Deadline(this.#timeout),
	): Promise<readonly unknown[]> {
		const answer = this.client.query({ text, values: [...values], ...(name !== undefined && { name }) });
		return (await deadline.wait(answer, "answer")).rows;
	}

	/**
	 * Returns the connection to the pool. After a failure, closes it, because its state is unknown. A second
	 * call does nothing.
	 */
	release(failure?: unknown): void {
		if (this.#released) return;
		this.#released = true;
		if (failure === undefined && !this.#broken) {
			this.client.off("error", this.#noteBreak);
			this.client.release();
			return;
		}
		// The listener stays, because a closed connection may still emit its error, and there is no other
		// listener.
		this.client.release(failure instanceof Error ? failure : true);
	}
}
