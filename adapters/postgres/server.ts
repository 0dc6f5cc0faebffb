import type { PostgresPool } from "./client.js";
import { PostgresConnection, type PostgresQuery } from "./connection.js";
import { Deadline } from "./deadline.js";
import { fault, isPassing } from "./fault.js";
import { forgets } from "./prepared.js";

/** The longest pause between two attempts, in milliseconds. */
const longestPause = 250;

/** A database server behind a pool of connections, any of which may break at any time. */
export class PostgresServer {
	readonly #pool: PostgresPool;
	readonly #timeout: number;
	readonly #attempts: number;

	/**
	 * @param timeout - the most milliseconds of a piece of work with all its attempts
	 * @param attempts - the most attempts when a connection is lost or another transaction is in the way
	 */
	constructor(pool: PostgresPool, timeout: number, attempts = Number.POSITIVE_INFINITY) {
		this.#pool = pool;
		this.#timeout = timeout;
		this.#attempts = attempts;
	}

	/**
	 * Runs work that may be done twice. Retries it after a passing failure.
	 *
	 * @throws the error of the work, as an `OutlineError`
	 */
	run<T>(work: (query: PostgresQuery) => Promise<T>): Promise<T> {
		return this.#persist(async (connection, query) => {
			const value = await work(query);
			connection.release();
			return value;
		});
	}

	/** Runs work as in {@link PostgresServer.run} and returns its connection, which the caller must release. */
	open(work: (connection: PostgresConnection, query: PostgresQuery) => Promise<void>): Promise<PostgresConnection> {
		return this.#persist(async (connection, query) => {
			await work(connection, query);
			return connection;
		});
	}

	async #persist<T>(work: (connection: PostgresConnection, query: PostgresQuery) => Promise<T>): Promise<T> {
		const deadline = new Deadline(this.#timeout);
		for (let attempt = 1; ; attempt++) {
			try {
				const connection = await PostgresConnection.take(this.#pool, this.#timeout, deadline);
				try {
					return await work(connection, (sql, values, name) => connection.query(sql, values, name, deadline));
				} catch (error) {
					connection.release(error);
					throw error;
				}
			} catch (error) {
				const pause = Math.random() * Math.min(10 * 2 ** attempt, longestPause);
				const passing = forgets(this.#pool, error) || isPassing(error);
				if (!passing || attempt >= this.#attempts || pause >= deadline.left) throw fault(error);
				await new Promise((resolve) => setTimeout(resolve, pause));
			}
		}
	}
}
