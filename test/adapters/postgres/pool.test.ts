import { Outline, type OutlineNode } from "outlinekit";
import { createPostgresStorage, type PostgresClient, type PostgresPool } from "outlinekit/postgres";
import pg from "pg";
import { afterEach, beforeAll, beforeEach, describe, expect, expectTypeOf, test } from "vitest";
import { codeOf, exported } from "../../support/outline.js";
import { testServer } from "./database.js";
import { errorWithCode, RecordingPool } from "./recording-pool.js";

const server = testServer("pool");
beforeAll(async () => {
	await new Outline({ storage: createPostgresStorage(server.pool("pool"), { outline: "first" }) }).list();
});

let count = 0;
let pool: RecordingPool;
beforeEach(() => {
	pool = new RecordingPool(server.pool("pool"));
});
/** After each test: no broken connection may return to the pool, and none may stay out. */
afterEach(async () => {
	await expect.poll(() => pool.connections.out).toBe(0);
	expect(pool.brokenReturns).toBe(0);
	await pool.pool.end();
});

function newOutline(options: Partial<Parameters<typeof createPostgresStorage>[1]> = {}): Outline {
	return new Outline({ storage: createPostgresStorage(pool, { outline: `outline ${++count}`, ...options }) });
}

describe("a pool", () => {
	test("may be one of node-postgres without a cast", () => {
		expectTypeOf<pg.Pool>().toExtend<PostgresPool>();
		expectTypeOf<pg.PoolClient>().toExtend<PostgresClient>();
		expectTypeOf(createPostgresStorage).toBeCallableWith(new pg.Pool(), { outline: "a" });
	});

	test("gets back every healthy connection", async () => {
		const outline = newOutline();
		const { id } = await outline.create({ name: "a" });
		await outline.get(id);
		await outline.move(id, { parent: "today" });
		expect(await exported(outline)).toHaveLength(5);
		await outline.close();
		expect(pool.connections).toMatchObject({ out: 0, closed: 0 });
	});

	test("gets back each connection that the server has broken, to close it", async () => {
		const outline = newOutline();
		await outline.create({ name: "a" });
		for (let round = 0; round < 3; round++) {
			const before = pool.connections.closed;
			// Connects first. Otherwise it might reach the server after all other connections have been ended.
			// The outline gets the second one. If a connection breaks in the packet that opens it, its pool has
			// no listener yet, and the error ends the process.
			const [client, ready] = await Promise.all([pool.pool.connect(), pool.pool.connect()]);
			ready.release();
			// The connection breaks before the server has read the query, or after.
			client.on("error", () => {});
			const slow = client.query("select pg_sleep(60)").then(
				() => client.release(),
				() => client.release(true),
			);
			const [created] = await Promise.all([outline.create({ name: `${round}` }), server.killConnections()]);
			expect(created.name).toBe(`${round}`);
			await slow;
			expect(pool.connections.closed - before).toBeLessThan(10);
		}
		expect(await exported(outline)).toHaveLength(4);
		await outline.close();
	});

	test("may open a connection that breaks at the same moment, and the process goes on", async () => {
		const thrown: unknown[] = [];
		let breaks = 3;
		class BreakingClient extends pg.Client {
			override connect(callback?: unknown): never {
				return super.connect((error: Error) => {
					(callback as (error: Error) => void)(error);
					if (breaks-- <= 0) return;
					try {
						const { connection } = this as unknown as { connection: NodeJS.EventEmitter };
						connection.emit("error", new Error("Connection terminated unexpectedly"));
					} catch (error) {
						thrown.push(error);
					}
				}) as never;
			}
		}
		const breaking = server.pool("pool", { Client: BreakingClient });
		const outline = new Outline({ storage: createPostgresStorage(breaking, { outline: `outline ${++count}` }) });
		expect(await outline.create({ name: "a" })).toMatchObject({ name: "a" });
		expect(breaks).toBeLessThan(0);
		expect(thrown).toEqual([]);
		await outline.close();
	});

	test("gets back a connection that breaks after its answer, to close it", async () => {
		const { pool: real } = pool;
		const releases: unknown[] = [];
		let breaks = true;
		const breaking: PostgresPool = {
			async connect() {
				const client = await real.connect();
				const listeners = new Set<() => void>();
				return {
					async query(statement) {
						const result = await client.query(statement);
						if (breaks) for (const listener of listeners) listener();
						return result;
					},
					release(error) {
						releases.push(error);
						client.release(error);
					},
					on(event: string, listener: (message: never) => void) {
						if (event === "error") listeners.add(listener as () => void);
					},
					off: (_, listener) => listeners.delete(listener),
				};
			},
			get ending() {
				return real.ending;
			},
			options: real.options,
		};
		const outline = new Outline({
			storage: createPostgresStorage(breaking, { outline: `outline ${++count}`, notify: false }),
		});
		expect((await outline.list()).nodes).toEqual([]);
		expect(releases.every((error) => error === true)).toBe(true);
		breaks = false;
		releases.length = 0;
		expect((await outline.list()).nodes).toEqual([]);
		expect(releases).toEqual([undefined]);
		await outline.close();
	});

	test("returns integers as numbers, whatever types the host has set in node-postgres", async () => {
		const outline = newOutline();
		const plain = await outline.create({ name: "a" });
		const asBigInt = (text: string) => BigInt(text);
		const integers: readonly number[] = [pg.types.builtins.INT8, pg.types.builtins.INT4, pg.types.builtins.INT2];
		const getTypeParser = (type: number, format?: "text") =>
			integers.includes(type) ? asBigInt : pg.types.getTypeParser(type, format);
		const special = server.pool("pool", { types: { getTypeParser } as pg.CustomTypesConfig });
		const same = new Outline({ storage: createPostgresStorage(special, { outline: `outline ${count}` }) });
		expect((await special.query("select 1::bigint as n, 2::int as m")).rows).toEqual([{ n: 1n, m: 2n }]);
		expect(await same.get(plain.id)).toEqual(plain);
		const made = await same.create({ name: "b", parent: "today" });
		await same.complete(made.id);
		const copy: OutlineNode = await same.get(made.id);
		expect(copy).toEqual(await outline.get(made.id));
		for (const value of Object.values(copy)) expect(typeof value).not.toBe("bigint");
		expect(await exported(same)).toEqual(await exported(outline));
		await outline.delete(made.id);
		expect(
			(
				await createPostgresStorage(special, { outline: `outline ${count}` }).read([
					{ type: "changes", since: 0, limit: 100 },
				])
			).results[0].deleted,
		).toEqual([{ id: made.id, revision: 4 }]);
		await outline.close();
	});

	test("of one connection serves all calls one after another, and watching doesn't use that connection", async () => {
		await pool.pool.end();
		pool = new RecordingPool(server.pool("pool", { max: 1 }));
		const outline = newOutline({ timeout: 5_000 });
		const seen: number[] = [];
		const end = outline.subscribe(({ revision }) => seen.push(revision));
		await Promise.all(Array.from({ length: 5 }, (_, number) => outline.create({ name: `${number}` })));
		await Promise.all([outline.list(), outline.targets(), exported(outline)]);
		expect(pool.statements.filter((sql) => sql.startsWith("LISTEN"))).toEqual([]);
		expect(seen).toEqual([1, 2, 3, 4, 5]);
		end();
		await outline.close();
	});

	test("of one connection that an export holds makes other calls throw after the timeout", async () => {
		await pool.pool.end();
		pool = new RecordingPool(server.pool("pool", { max: 1 }));
		const outline = newOutline({ timeout: 1_000, notify: false });
		for (let number = 0; number < 3; number++) await outline.create({ name: `${number}` });
		const names: string[] = [];
		const started = performance.now();
		await expect(
			(async () => {
				for await (const { name } of outline.export()) {
					names.push(name);
					await outline.create({ name: "meanwhile" });
				}
			})(),
		).rejects.toMatchObject({ code: "storage_unavailable", message: expect.stringContaining("pool has none left") });
		expect(performance.now() - started).toBeLessThan(10_000);
		expect(names).toHaveLength(1);
		expect((await outline.create({ name: "after" })).name).toBe("after");
		await outline.close();
	});

	test("that the host has ended makes all calls throw at once", async () => {
		const outline = newOutline({ notify: false });
		await outline.create({ name: "a" });
		await pool.pool.end();
		const started = performance.now();
		expect(await codeOf(outline.list())).toBe("storage_unavailable");
		expect(await codeOf(outline.create({ name: "b" }))).toBe("storage_unavailable");
		expect(await codeOf(exported(outline))).toBe("storage_unavailable");
		// Much sooner than after the server's 30 s.
		expect(performance.now() - started).toBeLessThan(10_000);
		await outline.close();
		pool = new RecordingPool(server.pool("pool"));
	});

	test.each([
		["refuses a new connection for good", "28P01", 1],
		["has no connection left for now", "53300", 10],
		["isn't there", "ECONNREFUSED", 10],
	])("is soon given up at first when the server %s", async (_, code, attempts) => {
		const outline = newOutline();
		pool.fate = () => ({ instead: errorWithCode(code) });
		expect(await codeOf(outline.list())).toBe("storage_unavailable");
		expect(pool.calls).toHaveLength(attempts);
		pool.fate = () => undefined;
		expect(await codeOf(outline.list())).toBe(undefined);
		await outline.close();
	});

	test("is retried until the timeout for a server that was reached before", async () => {
		const outline = newOutline({ timeout: 1_000 });
		await outline.list();
		for (const code of ["ECONNREFUSED", "40001"]) {
			pool.calls.length = 0;
			pool.fate = () => ({ instead: errorWithCode(code) });
			const started = performance.now();
			expect(await codeOf(outline.create({ name: "a" }))).toBe("storage_unavailable");
			expect(performance.now() - started).toBeLessThan(5_000);
			expect(pool.calls.length).toBeGreaterThan(2);
			expect(pool.calls.length).toBeLessThan(100);
			pool.fate = () => undefined;
		}
		expect((await outline.create({ name: "b" })).name).toBe("b");
		await outline.close();
	});
});

describe("a scan", () => {
	const manyNames = Array.from({ length: 40 }, (_, number) => `- ${number}`);

	/** An outline with more nodes than a chunk has. */
	async function large(timeout = 30_000): Promise<Outline> {
		const outline = newOutline({ timeout, notify: false });
		for (let round = 0; round < 15; round++) await outline.create({ name: `top\n\n${manyNames.join("\n")}` });
		return outline;
	}

	test("that ends early closes its connection, because that is within a transaction", async () => {
		const outline = await large();
		for await (const _ of outline.export()) break;
		expect(pool.connections).toMatchObject({ out: 0, closed: 1 });
		await outline.close();
	});

	test("that isn't read on closes its connection after the timeout, and throws that reason if it is read on later", async () => {
		const outline = await large(1_000);
		const iterator = outline.export()[Symbol.asyncIterator]();
		await iterator.next();
		expect(pool.connections.out).toBe(1);
		await expect.poll(() => pool.connections.out).toBe(0);
		const readOn = async () => {
			while (!(await iterator.next()).done);
		};
		await expect(readOn()).rejects.toMatchObject({
			code: "storage_unavailable",
			message: expect.stringContaining("No chunk was read for 1000 ms"),
		});
		await outline.close();
	});

	test("releases its connection when the storage is closed", async () => {
		const outline = await large();
		const iterator = outline.export()[Symbol.asyncIterator]();
		await iterator.next();
		await outline.close();
		expect(pool.connections.out).toBe(0);
		const readOn = async () => {
			while (!(await iterator.next()).done);
		};
		expect(await codeOf(readOn())).toBe("closed");
	});

	test("begins again if its connection breaks before the first node, and fails if it breaks later", async () => {
		const outline = await large();
		let failures = 3;
		pool.fate = ({ sql }) => {
			if (sql?.startsWith("FETCH") && failures-- > 0) return { afterwards: errorWithCode("ECONNRESET") };
			return undefined;
		};
		expect(await exported(outline)).toHaveLength(15 * 41);
		let fetches = 0;
		pool.fate = ({ sql }) =>
			sql?.startsWith("FETCH") && ++fetches === 2 ? { instead: errorWithCode("ECONNRESET") } : undefined;
		expect(await codeOf(exported(outline))).toBe("storage_unavailable");
		await outline.close();
	});
});

describe.skipIf(process.platform === "win32")("a server that hangs", () => {
	/**
	 * Stops all processes of the server that a statement could reach. Returns a function that continues them.
	 */
	async function stopServer(): Promise<() => void> {
		const { rows } = await server
			.pool("postgres", { max: 1 })
			.query<{ pid: number }>(
				"select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid union all select pid from pg_stat_activity where backend_type = 'client backend'",
			);
		for (const { pid } of rows) process.kill(pid, "SIGSTOP");
		return () => {
			for (const { pid } of rows) process.kill(pid, "SIGCONT");
		};
	}

	test.each([
		["a read", (outline: Outline) => outline.list(), "longer than the 1000 ms"],
		["a commit", (outline: Outline) => outline.create({ name: "b" }), "longer than the 1000 ms"],
		["an export", (outline: Outline) => exported(outline), "longer than the 1000 ms"],
	])("makes %s fail within the timeout", async (_, work, message) => {
		const outline = newOutline({ timeout: 1_000 });
		await outline.create({ name: "a" });
		// One connection is idle in the pool, and hangs in its query. The other work has to open one, and hangs
		// in that.
		const goOn = await stopServer();
		try {
			for (const connections of [1, 2]) {
				const started = performance.now();
				const outcomes = await Promise.allSettled(Array.from({ length: connections }, () => work(outline)));
				for (const outcome of outcomes) {
					expect(outcome).toMatchObject({
						reason: { code: "storage_unavailable", message: expect.stringContaining(message) },
					});
				}
				expect(performance.now() - started).toBeGreaterThan(990);
				expect(performance.now() - started).toBeLessThan(10_000);
			}
		} finally {
			goOn();
		}
		expect(await codeOf(outline.list())).toBe(undefined);
		await outline.close();
	});
});

test("a pool whose idle connections break can still be used", async () => {
	const outline = newOutline();
	await outline.create({ name: "a" });
	const gone = new Promise((resolve) => pool.pool.once("remove", resolve));
	await server.killConnections();
	await gone;
	expect((await outline.list()).nodes).toHaveLength(1);
	await outline.close();
});
