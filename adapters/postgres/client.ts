/** The result of a statement. */
export interface PostgresResult {
	/** Objects with a property for each column. */
	readonly rows: readonly unknown[];
}

/** A statement. */
export interface PostgresStatement {
	/** SQL, with `$1`, `$2` and so on for the values. */
	readonly text: string;
	/** The values, in the order of their numbers. */
	readonly values?: unknown[];
	/** The name under which the connection keeps the compiled statement. */
	readonly name?: string;
}

/** A connection taken from a pool, as in node-postgres. */
export interface PostgresClient {
	/** Runs one statement. */
	query(statement: PostgresStatement): Promise<PostgresResult>;
	/** Returns the connection to the pool, or closes it if there is an error (or `true`). */
	release(error?: Error | boolean): void;
	/** Calls a listener when the connection breaks (`error`) and when it ends. */
	on(event: "error" | "end", listener: () => void): unknown;
	/** Calls a listener on each notification of a channel that the connection listens to. */
	on(event: "notification", listener: (message: { readonly channel: string }) => void): unknown;
	/** Stops calling a listener. */
	off(event: "error", listener: () => void): unknown;
	/** Lets the process end while the connection is open. */
	unref?(): void;
}

/** A pool of connections, as in node-postgres. */
export interface PostgresPool {
	/** Takes a connection from the pool, or opens a new one. */
	connect(): Promise<PostgresClient>;
	/** Calls a listener with each connection that is taken, before its taker has it. */
	on?(event: "acquire", listener: (client: PostgresClient) => void): unknown;
	/** Whether the host has ended the pool, and it waits for connections in use. */
	readonly ending?: boolean | undefined;
	/** The options of the pool. */
	readonly options?:
		| {
				/** The most connections of the pool. */
				readonly max?: number | undefined;
		  }
		| undefined;
}
