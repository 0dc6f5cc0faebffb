import { OutlineError } from "../../src/errors.js";
import type { StoredNode } from "../../src/storage.js";
import { type Row, storedNode } from "../sql/answer.js";
import type { PostgresConnection } from "./connection.js";
import { fault } from "./fault.js";
import { everyNode } from "./read.js";
import type { PostgresServer } from "./server.js";

/** The number of nodes in a chunk of a scan. */
const chunkSize = 500;

/** A scan of every node of an outline. It holds a connection until it ends. */
export class PostgresScan {
	readonly #server: PostgresServer;
	readonly #outline: string;
	readonly #patience: number;
	#connection: PostgresConnection | undefined;
	/** The error with which it was ended from outside. */
	#ended: OutlineError | undefined;

	/**
	 * @param patience - the milliseconds that the reader may take for a chunk before the scan counts as
	 * abandoned
	 */
	constructor(server: PostgresServer, outline: string, patience: number) {
		this.#server = server;
		this.#outline = outline;
		this.#patience = patience;
	}

	/**
	 * Yields every node, in chunks. The cursor sees the state in which it was declared, and returns rows on
	 * demand.
	 */
	async *chunks(): AsyncGenerator<readonly StoredNode[], void, undefined> {
		try {
			let rows = await this.#begin();
			while (rows.length > 0) {
				yield* this.#chunk(rows.map(storedNode));
				rows = rows.length < chunkSize ? [] : await this.#next();
			}
			await this.#finish(this.#connection!);
		} catch (error) {
			throw this.#ended ?? fault(error);
		} finally {
			// Unless it has already been released, the connection is within a transaction.
			this.#connection?.release(true);
		}
	}

	/** Ends the scan and closes its connection. A reader that continues gets the error. */
	end(error: OutlineError): void {
		this.#ended ??= error;
		this.#connection?.release(error);
	}

	async #begin(): Promise<readonly Row[]> {
		let rows: readonly unknown[] = [];
		this.#connection = await this.#server.open(async (_, query) => {
			await query("BEGIN READ ONLY");
			await query(`DECLARE outlinekit_scan NO SCROLL CURSOR FOR ${everyNode()}`, [this.#outline]);
			rows = await query(fetch);
		});
		if (this.#ended !== undefined) throw this.#ended;
		return rows as Row[];
	}

	async #next(): Promise<readonly Row[]> {
		if (this.#ended !== undefined) throw this.#ended;
		return (await this.#connection!.query(fetch)) as Row[];
	}

	/** Ends the transaction. A failure does no harm, because every node has been read. */
	async #finish(connection: PostgresConnection): Promise<void> {
		const failure = await connection.query("COMMIT").then(
			() => undefined,
			(error) => error ?? true,
		);
		connection.release(failure);
	}

	/** Yields a chunk, and ends the scan if the reader doesn't come back in time. */
	*#chunk(nodes: readonly StoredNode[]): Generator<readonly StoredNode[], void, undefined> {
		const timer = setTimeout(() => {
			const message = `No chunk was read for ${this.#patience} ms, so the scan has closed its connection. Begin a new scan.`;
			this.end(new OutlineError("storage_unavailable", message));
		}, this.#patience);
		(timer as { unref?(): void }).unref?.();
		try {
			yield nodes;
		} finally {
			clearTimeout(timer);
		}
	}
}

const fetch = `FETCH ${chunkSize} FROM outlinekit_scan`;
