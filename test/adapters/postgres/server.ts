import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { isOpenToAll, type Programs, serverPrograms } from "./programs.js";

/** Settings of the server beyond its defaults, such as `{ fsync: "off" }`. */
export type Settings = Readonly<Record<string, string | number>>;

/**
 * A separate PostgreSQL server, on 127.0.0.1, in a temporary folder. Its default collation is that of
 * American English. In it text sorts differently than by its bytes, so statements that need the order of
 * bytes must say so.
 */
export class PostgresServer {
	readonly #settings: Settings;
	readonly #password = randomBytes(16).toString("hex");
	readonly #pools = new Set<pg.Pool>();
	#place: { readonly directory: string; readonly programs: Programs; readonly port: number } | undefined;
	#keeper: ChildProcess | undefined;
	#server: ChildProcess | undefined;

	/** Starts nothing yet. */
	constructor(settings: Settings = {}) {
		this.#settings = settings;
	}

	/** Creates the server and starts it. Rejects with its output if it doesn't start. */
	async start(): Promise<void> {
		const user = process.getuid?.() === 0 ? nobody() : undefined;
		const parent = user === undefined || (await isOpenToAll(tmpdir())) ? tmpdir() : "/tmp";
		const directory = await mkdtemp(join(parent, "outlinekit-postgres-"));
		this.#keeper = spawn(process.execPath, [fileURLToPath(new URL("keeper.js", import.meta.url)), directory], {
			stdio: ["pipe", "ignore", "inherit"],
			detached: true,
		});
		this.#keeper.unref();
		await chmod(directory, 0o755);
		const programs = await serverPrograms(directory, user);
		this.#place = { directory, programs, port: await freePort() };
		await this.#initialize();
		await this.#launch();
	}

	/** Whether the server has been started. */
	get isRunning(): boolean {
		return this.#server !== undefined;
	}

	/** Ends the pools. */
	async endPools(): Promise<void> {
		const ends = Array.from(this.#pools, (pool) => (pool.ended ? undefined : pool.end()));
		// A pool waits for clients that a failed test, for example, has not released.
		await Promise.race([Promise.all(ends), setTimeout(2_000, undefined, { ref: false })]);
		this.#pools.clear();
	}

	/** Ends the pools and the server, and removes its folder. */
	async stop(): Promise<void> {
		await this.endPools();
		if (this.#keeper === undefined) return;
		this.#keeper.ref();
		const ended = once(this.#keeper, "exit");
		this.#keeper.stdin!.end();
		await ended;
		this.#keeper = undefined;
		this.#server = undefined;
	}

	/**
	 * Stops the server at once, without a checkpoint, whatever its clients are doing, and starts it again. It
	 * recovers from its log, on the same port.
	 */
	async restart(): Promise<void> {
		const server = this.#server!;
		const ended = once(server, "exit");
		server.kill("SIGQUIT");
		await ended;
		await this.#launch();
	}

	/** Creates an empty database. */
	async createDatabase(name: string): Promise<void> {
		await this.#administer((client) => client.query(`create database ${client.escapeIdentifier(name)}`));
	}

	/**
	 * Returns a pool of connections to a database. It replaces connections that break while idle.
	 * {@link PostgresServer.stop} ends it.
	 */
	pool(database: string, options: Omit<pg.PoolConfig, "connectionString"> = {}): pg.Pool {
		const pool = new pg.Pool({ ...options, connectionString: this.connectionString(database) });
		pool.on("error", () => undefined);
		this.#pools.add(pool);
		return pool;
	}

	/**
	 * Ends the connections of all clients from the server's side. Resolves with their number when they are
	 * closed.
	 */
	async killConnections(): Promise<number> {
		const { rowCount } = await this.#administer((client) =>
			client.query(
				`select pg_terminate_backend(pid, 10000) from pg_stat_activity
				where backend_type = 'client backend' and pid <> pg_backend_pid()`,
			),
		);
		return rowCount ?? 0;
	}

	/** Returns the address of a database, with the name and the password of the superuser. */
	connectionString(database: string): string {
		return `postgres://postgres:${this.#password}@127.0.0.1:${this.#placed.port}/${encodeURIComponent(database)}`;
	}

	async #administer<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
		const client = new pg.Client(this.connectionString("postgres"));
		client.on("error", () => undefined);
		await client.connect();
		try {
			return await work(client);
		} finally {
			await client.end();
		}
	}

	async #initialize(): Promise<void> {
		const { directory, programs } = this.#placed;
		const data = join(directory, "data");
		const password = join(directory, "password");
		await mkdir(data);
		await writeFile(password, this.#password, { mode: 0o600 });
		if (programs.user !== undefined) {
			for (const path of [data, password]) await chown(path, programs.user.uid, programs.user.gid);
		}
		const initdb = spawn(
			programs.initdb,
			[
				...["--pgdata", data, "--username", "postgres", "--auth", "scram-sha-256", "--pwfile", password, "--no-sync"],
				...["--encoding", "UTF8", "--locale", "C", "--locale-provider", "icu", "--icu-locale", "en-US"],
			],
			{ ...programs.user, stdio: ["ignore", "ignore", "pipe"] },
		);
		const errors = textOf(initdb);
		const [status] = await once(initdb, "close");
		await rm(password);
		if (status !== 0) throw new Error(`initdb failed:\n${errors()}`);
	}

	async #launch(): Promise<void> {
		const { directory, programs, port } = this.#placed;
		const settings = { listen_addresses: "127.0.0.1", port, unix_socket_directories: "", ...this.#settings };
		const server = spawn(
			programs.postgres,
			[
				"-D",
				join(directory, "data"),
				...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
			],
			{ ...programs.user, stdio: ["ignore", "ignore", "pipe"] },
		);
		const log = textOf(server);
		await new Promise<void>((resolve, reject) => {
			server.once("error", reject);
			server.once("close", () => reject(new Error(`PostgreSQL ended as it started:\n${log()}`)));
			server.stderr!.on("data", () => {
				if (log().includes("ready to accept connections")) resolve();
			});
		});
		this.#server = server;
	}

	get #placed() {
		if (this.#place === undefined) throw new Error("The server isn't running: start it first.");
		return this.#place;
	}
}

/**
 * Returns a function for the text that a process has written to its standard error; the end of it if it is
 * long.
 */
function textOf(child: ChildProcess): () => string {
	let text = "";
	child.stderr!.setEncoding("utf8").on("data", (more: string) => {
		text = (text + more).slice(-10_000);
	});
	return () => text;
}

/** The user that runs the server if this process is root, because the server refuses to run as root. */
function nobody() {
	const id = (option: string) => Number(execFileSync("id", [option, "nobody"], { encoding: "utf8" }));
	return { uid: id("-u"), gid: id("-g") };
}

async function freePort(): Promise<number> {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	server.close();
	await once(server, "close");
	return port;
}
