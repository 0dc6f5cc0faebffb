import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Outline } from "outlinekit";
import { createPostgresStorage } from "outlinekit/postgres";
import type pg from "pg";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { channelOf } from "../../../adapters/postgres/listener.js";
import { testServer } from "./database.js";
import { errorWithCode, RecordingPool } from "./recording-pool.js";

/** A poll interval so long that every notice must come from a notification. */
const never = 2 ** 31 - 1;

const server = testServer("watch");
let others: pg.Pool;
let pool: RecordingPool;
let count = 0;
beforeAll(() => {
	others = server.pool("watch");
});
beforeEach(() => {
	count += 1;
	pool = new RecordingPool(server.pool("watch"));
});

const nameOf = (number: number) => `outline ${count} ${number}`;

/** A watched storage of this test's outline (or another, by its number), on the pool. */
function watched(options: { notify?: boolean; pollInterval?: number } = {}, number = 1) {
	const storage = createPostgresStorage(pool, { outline: nameOf(number), pollInterval: never, ...options });
	const told: number[] = [];
	const end = storage.watch!(({ revision }) => told.push(revision));
	return { storage, told, end };
}

/** The same outline, as in another process. */
function elsewhere(number = 1): Outline {
	return new Outline({ storage: createPostgresStorage(others, { outline: nameOf(number) }) });
}

const listens = () => pool.statements.filter((statement) => statement.startsWith("LISTEN")).length;

/** Resolves after the answers to this many LISTEN statements, and after the poll that follows. */
async function listening(times = 1): Promise<void> {
	await expect.poll(listens).toBe(times);
	const connections = () =>
		others.query("select from pg_stat_activity where query like 'LISTEN%' and state = 'idle' and datname = 'watch'");
	await expect.poll(async () => (await connections()).rowCount).toBeGreaterThan(0);
	await expect.poll(() => pool.underWay).toBe(0);
}

describe("a watched storage", () => {
	test("notifies its listeners of other processes' commits at once", async () => {
		const { storage, told } = watched();
		await listening();
		const outline = elsewhere();
		for (let revision = 1; revision <= 3; revision++) {
			await outline.create({ name: "a" });
			await expect.poll(() => told.at(-1)).toBe(revision);
		}
		expect(told).toEqual([1, 2, 3]);
		await storage.close();
		await outline.close();
	});

	test("notifies its listeners of them after a while without notifications", async () => {
		const { storage, told } = watched({ notify: false, pollInterval: 30 });
		const outline = elsewhere();
		await outline.create({ name: "a" });
		await expect.poll(() => told.at(-1)).toBe(1);
		const writing = new Outline({ storage: createPostgresStorage(pool, { outline: nameOf(1), notify: false }) });
		await writing.create({ name: "b" });
		await expect.poll(() => told.at(-1)).toBe(2);
		expect(pool.statements.filter((statement) => /LISTEN|notify/i.test(statement))).toEqual([]);
		for (const each of [storage, outline, writing]) await each.close();
	});

	test("ignores other outlines, and a notification without a commit", async () => {
		const { storage, told } = watched();
		await listening();
		await elsewhere(2).create({ name: "a" });
		const { length } = pool.statements;
		await others.query(`notify ${channelOf(nameOf(1))}`);
		await expect.poll(() => pool.statements.length).toBeGreaterThan(length);
		await elsewhere().create({ name: "b" });
		await expect.poll(() => told).toEqual([1]);
		await storage.close();
	});

	test("finds the commits that it missed while its connection was lost", async () => {
		const { storage, told } = watched();
		await listening();
		const outline = elsewhere();
		await outline.create({ name: "a" });
		await expect.poll(() => told.at(-1)).toBe(1);
		for (let round = 2; round <= 4; round++) {
			// The storage listens again only after it has a new connection.
			let creating: Promise<unknown> | undefined;
			pool.gate = ({ sql }) => {
				if (sql?.startsWith("LISTEN")) creating ??= outline.create({ name: `${round}` });
				return creating;
			};
			await server.killConnections();
			await expect.poll(() => told.at(-1), { timeout: 5_000 }).toBe(round);
			pool.gate = () => undefined;
		}
		expect(told).toEqual([1, 2, 3, 4]);
		await storage.close();
		expect(pool.connections.out).toBe(0);
		await outline.close();
	});

	test("listens again if its connection breaks right after the answer to LISTEN", async () => {
		const connect = pool.connect.bind(pool);
		let breaks = true;
		pool.connect = async () => {
			const client = await connect();
			const listeners: (() => void)[] = [];
			return {
				...client,
				on(event: string, listener: (message: never) => void) {
					if (event === "error") listeners.push(listener as () => void);
					return (client.on as (event: string, listener: (message: never) => void) => unknown)(event, listener);
				},
				async query(statement) {
					const result = await client.query(statement);
					if (breaks && statement.text.startsWith("LISTEN")) {
						breaks = false;
						for (const listener of listeners) listener();
					}
					return result;
				},
			};
		};
		const { storage, told } = watched();
		await listening(2);
		const outline = elsewhere();
		await outline.create({ name: "a" });
		await expect.poll(() => told).toEqual([1]);
		await storage.close();
		await outline.close();
	});

	test("finds commits made before it listened to its channel, even if other channels were listened to already", async () => {
		const first = watched();
		await listening();
		const outline = elsewhere(2);
		await outline.list();
		pool.gate = ({ sql }) => (sql?.startsWith("LISTEN") ? outline.create({ name: "in between" }) : undefined);
		const second = watched({}, 2);
		await expect.poll(() => second.told).toEqual([1]);
		await first.storage.close();
		await second.storage.close();
		await outline.close();
	});

	test("continues after the server was restarted", async () => {
		const { storage, told } = watched();
		await listening();
		await server.restart();
		const outline = elsewhere();
		await outline.create({ name: "a" });
		await expect.poll(() => told.at(-1), { timeout: 10_000 }).toBe(1);
		await storage.close();
		await outline.close();
	});

	test("notifies of its own commits even if notifications fail, and other storages find them by polling", async () => {
		const own = watched();
		const other = watched({ pollInterval: 30 });
		pool.fate = ({ sql }) => (sql?.includes("pg_notify") ? { instead: errorWithCode("0A000") } : undefined);
		const outline = new Outline({ storage: own.storage });
		await outline.create({ name: "a" });
		expect(own.told).toEqual([1]);
		await expect.poll(() => other.told).toEqual([1]);
		await outline.close();
		await other.storage.close();
	});
});

test("a commit doesn't wait for its notification, but closing does", async () => {
	const { storage, told } = watched();
	await listening();
	const writer = new RecordingPool(others);
	let open = () => {};
	const opened = new Promise<void>((resolve) => {
		open = resolve;
	});
	writer.gate = ({ sql }) => (sql?.includes("pg_notify") ? opened : undefined);
	const outline = new Outline({ storage: createPostgresStorage(writer, { outline: nameOf(1) }) });
	const notifications = () => writer.statements.filter((statement) => statement.includes("pg_notify")).length;
	await outline.create({ name: "a" });
	await expect.poll(notifications).toBe(1);
	for (let number = 0; number < 5; number++) await outline.create({ name: `${number}` });
	expect(told).toEqual([]);
	const closing = outline.close();
	open();
	await closing;
	// Many commits share a notification: one was being sent, and another covers all commits since.
	expect(notifications()).toBe(2);
	await expect.poll(() => told.at(-1)).toBe(6);
	await storage.close();
});

describe("the listening connection", () => {
	test("is shared by all storages on a pool, and closed with the last one", async () => {
		const storages = Array.from({ length: 12 }, (_, number) => watched({}, number % 6));
		await expect.poll(() => pool.statements.join().match(/LISTEN/g)?.length).toBe(6);
		await expect.poll(() => pool.connections.out).toBe(1);
		for (const { end } of storages.slice(0, 6)) end();
		const outline = elsewhere(0);
		await outline.create({ name: "a" });
		await expect.poll(() => storages[6]!.told).toEqual([1]);
		expect(storages[0]!.told).toEqual([]);
		expect(pool.statements.filter((statement) => statement.startsWith("UNLISTEN"))).toEqual([]);
		// Both storages of an outline are closed, so its channel isn't needed any more.
		storages[7]!.end();
		await expect
			.poll(() => pool.statements.filter((statement) => statement.startsWith("UNLISTEN")))
			.toEqual([`UNLISTEN ${channelOf(nameOf(1))}`]);
		for (const { storage } of storages) await storage.close();
		await expect.poll(() => pool.connections).toMatchObject({ out: 0, closed: 1 });
		expect(pool.brokenReturns).toBe(0);
		await outline.close();
	});

	test("is opened when needed and closed when not, however quickly that changes", async () => {
		for (let round = 0; round < 20; round++) {
			const { storage, end } = watched({}, round % 3);
			if (round % 2 === 0) await Promise.resolve();
			if (round % 5 === 0) await storage.read([]);
			end();
			const again = storage.watch!(() => {});
			if (round % 3 === 0) again();
			await storage.close();
		}
		await expect.poll(() => pool.connections.out).toBe(0);
		const { storage, told } = watched({}, 9);
		const outline = elsewhere(9);
		await outline.create({ name: "a" });
		await expect.poll(() => told).toEqual([1]);
		await storage.close();
		await outline.close();
	});

	test("doesn't prevent the host from ending the pool", async () => {
		const { storage, told } = watched();
		await listening();
		await pool.pool.end();
		expect(pool.connections.out).toBe(0);
		expect(told).toEqual([]);
		await storage.close();
	});

	test.each([true, false])("and polling (notify: %s) keep no process alive", async (notify) => {
		const program = fileURLToPath(new URL("watch-program.ts", import.meta.url));
		const args = ["--import", "tsx", program, server.connectionString("watch"), nameOf(1), String(notify)];
		const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
		let output = "";
		for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
		const exit = new Promise((resolve) => child.once("close", resolve));
		await expect.poll(() => output, { timeout: 20_000 }).toContain("written");
		const ended = performance.now();
		expect(await exit).toBe(0);
		expect(performance.now() - ended).toBeLessThan(5_000);
		expect(output).toContain("told of 1");
	});
});
