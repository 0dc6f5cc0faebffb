import { OutlineError } from "../../src/errors.js";
import type { StoredNode } from "../../src/storage.js";
import { type Row, storedNode } from "../sql/answer.js";
import type { PostgresConnection } from "./connection.js";
import { fault } from "./fault.js";
import { everyNode } from "./read.js";
import type { PostgresServer } from "./server.js";

/** How many nodes a scan gives at once. */
const chunkSize = 500;

/** A look at every node of an outline, which keeps a connection for as long as it lasts. */
export class PostgresScan {
	readonly #server: PostgresServer;
	readonly #outline: string;
	readonly #patience: number;
	#connection: PostgresConnection | undefined;
	/** Why it was ended from without. */
	#ended: OutlineError | undefined;

	/** @param patience - how long its reader may take for a chunk before it counts as abandoned, in milliseconds */
	constructor(server: PostgresServer, outline: string, patience: number) {
		this.#server = server;
		this.#outline = outline;
		this.#patience = patience;
	}

	/** Every node, in chunks. The cursor sees the state in which it was declared, and gives its rows as they are wanted. */
	async *chunks(): AsyncGenerator<readonly StoredNode[], void, undefined> {
		try {
			let rows = await this.#begin();
			while (rows.length > 0) {
				yield* this.#given(rows.map(storedNode));
				rows = rows.length < chunkSize ? [] : await this.#next();
			}
			await this.#finish(this.#connection!);
		} catch (error) {
			throw this.#ended ?? fault(error);
		} finally {
			// Unless it has been given back already it is in the middle of its transaction.
			this.#connection?.release(true);
		}
	}

	/** Ends it and closes its connection. Whoever reads on gets the error. */
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

	/** Nothing is at stake any more: every node has been given. */
	async #finish(connection: PostgresConnection): Promise<void> {
		const failure = await connection.query("COMMIT").then(
			() => undefined,
			(error) => error ?? true,
		);
		connection.release(failure);
	}

	/** Waits for the reader to take a chunk, who may never come back for the next. */
	*#given(nodes: readonly StoredNode[]): Generator<readonly StoredNode[], void, undefined> {
		const timer = setTimeout(() => {
			const message = `Nobody read on for ${this.#patience} ms, so the scan has given up its connection. Begin a new one.`;
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
