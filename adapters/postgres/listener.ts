import type { PostgresPool } from "./client.js";
import type { PostgresConnection } from "./connection.js";
import { PostgresServer } from "./server.js";

/** The most milliseconds that the server may take until the connection listens. */
const timeout = 30_000;

/** The longest pause before a lost connection is opened again, in milliseconds. */
const longestPause = 30_000;

/**
 * The milliseconds between two checks whether the host has ended the pool. An ended pool waits for this
 * connection.
 */
const endInterval = 500;

const listeners = new WeakMap<PostgresPool, PostgresListener>();

/** Listens to the notifications of a database, on one connection of a pool for all storages. */
export class PostgresListener {
	readonly #pool: PostgresPool;
	readonly #server: PostgresServer;
	readonly #callbacks = new Map<string, Set<() => void>>();
	#connection: PostgresConnection | null = null;
	/** The channels that the connection listens to. Each connection has its own set. */
	#channels = new Set<string>();
	#adjusting = false;
	/** Whether the wanted channels have changed after the last check. */
	#changed = false;
	#failures = 0;
	#retry: ReturnType<typeof setTimeout> | undefined;
	#endCheck: ReturnType<typeof setInterval> | undefined;

	private constructor(pool: PostgresPool) {
		this.#pool = pool;
		this.#server = new PostgresServer(pool, timeout);
	}

	/** Returns the listener of a pool: the same one for all storages on it. */
	static of(pool: PostgresPool): PostgresListener {
		let listener = listeners.get(pool);
		if (listener === undefined) {
			listener = new PostgresListener(pool);
			listeners.set(pool, listener);
		}
		return listener;
	}

	/**
	 * Calls back on each notification of a channel, and whenever a notification may have been missed. Returns a
	 * function that ends it.
	 */
	add(channel: string, callback: () => void): () => void {
		const callbacks = this.#callbacks.get(channel) ?? new Set();
		this.#callbacks.set(channel, callbacks.add(callback));
		void this.#adjust();
		return () => {
			if (!callbacks.delete(callback) || callbacks.size > 0) return;
			this.#callbacks.delete(channel);
			void this.#adjust();
		};
	}

	/**
	 * Makes the connection listen to the wanted channels, with one statement at a time. If none is wanted,
	 * there is no connection.
	 */
	async #adjust(): Promise<void> {
		this.#changed = true;
		if (this.#adjusting || this.#retry !== undefined) return;
		this.#adjusting = true;
		try {
			while (this.#changed) {
				this.#changed = false;
				await this.#listenToAll();
			}
			this.#failures = 0;
		} catch {
			this.#lost(this.#connection);
		} finally {
			this.#adjusting = false;
		}
	}

	async #listenToAll(): Promise<void> {
		if (this.#callbacks.size === 0) {
			this.#disconnect();
			return;
		}
		const connection = this.#connection ?? (await this.#connect());
		// If the connection is lost right after an answer, the next one begins with another set.
		const channels = this.#channels;
		const added = [...this.#callbacks.keys()].filter((channel) => !channels.has(channel));
		if (added.length > 0) {
			await connection.query(added.map((channel) => `LISTEN ${channel}`).join("; "));
			for (const channel of added) channels.add(channel);
			// Earlier notifications were missed.
			for (const channel of added) this.#call(channel);
		}
		const removed = [...channels].filter((channel) => !this.#callbacks.has(channel));
		if (removed.length > 0) {
			await connection.query(removed.map((channel) => `UNLISTEN ${channel}`).join("; "));
			for (const channel of removed) channels.delete(channel);
		}
	}

	async #connect(): Promise<PostgresConnection> {
		const connection = await this.#server.open(async () => {});
		const { client } = connection;
		const lost = () => this.#lost(connection);
		client.on("error", lost);
		client.on("end", lost);
		client.on("notification", ({ channel }) => this.#call(channel));
		// Listening must not keep a process alive.
		client.unref?.();
		this.#connection = connection;
		this.#endCheck = setInterval(() => {
			if (this.#pool.ending) this.#disconnect();
		}, endInterval);
		(this.#endCheck as { unref?(): void }).unref?.();
		return connection;
	}

	#call(channel: string): void {
		for (const callback of this.#callbacks.get(channel) ?? []) callback();
	}

	/** Opens a lost connection again after a pause, unless it is already replaced or not needed any more. */
	#lost(connection: PostgresConnection | null): void {
		if (connection !== this.#connection) return;
		this.#disconnect();
		if (this.#callbacks.size === 0 || this.#pool.ending) return;
		this.#failures += 1;
		this.#retry = setTimeout(
			() => {
				this.#retry = undefined;
				void this.#adjust();
			},
			Math.min(100 * 2 ** this.#failures, longestPause),
		);
		(this.#retry as { unref?(): void }).unref?.();
	}

	/**
	 * A listening connection never returns to its pool, because its next user would get notifications meant for
	 * us.
	 */
	#disconnect(): void {
		clearInterval(this.#endCheck);
		clearTimeout(this.#retry);
		this.#retry = undefined;
		this.#channels = new Set();
		const connection = this.#connection;
		this.#connection = null;
		connection?.release(true);
	}
}

/**
 * Returns the channel of an outline: a valid name for any outline. Two outlines may share one, which does no
 * harm.
 */
export function channelOf(outline: string): string {
	let low = 0x811c9dc5;
	let high = 0x01000193;
	for (let at = 0; at < outline.length; at++) {
		const unit = outline.charCodeAt(at);
		low = Math.imul(low ^ unit, 0x01000193);
		high = Math.imul(high ^ (unit + at), 0x85ebca6b);
	}
	const hex = (word: number) => (word >>> 0).toString(16).padStart(8, "0");
	return `outlinekit_${hex(low)}${hex(high)}`;
}
