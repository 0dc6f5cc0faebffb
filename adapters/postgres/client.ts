/** What a statement gave. */
export interface PostgresResult {
	/** Objects with a property for each column. */
	readonly rows: readonly unknown[];
}

/** One statement. */
export interface PostgresStatement {
	/** SQL, with `$1`, `$2` and so on for the values. */
	readonly text: string;
	/** In the order of their numbers. */
	readonly values?: unknown[];
	/** The connection keeps the statement compiled under it. */
	readonly name?: string;
}

/** A connection that has been taken from a pool, as node-postgres has it. */
export interface PostgresClient {
	/** Runs one statement. */
	query(statement: PostgresStatement): Promise<PostgresResult>;
	/** Gives the connection back, or with an error (or `true`) closes it. */
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

/** A pool of connections, as node-postgres has it. */
export interface PostgresPool {
	/** Takes a connection out of the pool, or makes a new one. */
	connect(): Promise<PostgresClient>;
	/** Whether the host has ended it, and it waits for the connections that are out. */
	readonly ending?: boolean | undefined;
	/** What it was made with. */
	readonly options?:
		| {
				/** How many connections it has at most. */
				readonly max?: number | undefined;
		  }
		| undefined;
}
