import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Outline } from "outlinekit";
import { storageConformance, type Traits } from "outlinekit/conformance";
import { createHttpHandler } from "outlinekit/http";
import { createMemoryStorage } from "outlinekit/memory";
import { createSqliteStorage, type SqliteDatabase } from "outlinekit/sqlite";

/** A function that registers tests. */
export type Register = (name: string, run: () => Promise<void>) => unknown;

/** The suites by subject. A module that a runtime lacks loads when a test of its suite runs. */
export const suites = {
	"bun:sqlite, a file for each outline": sqliteFiles("bun:sqlite", "Database"),
	"bun:sqlite, one connection to memory": sqliteInMemory("bun:sqlite", "Database"),
	"node:sqlite, a file for each outline": sqliteFiles("node:sqlite", "DatabaseSync"),
	"node:sqlite, one connection to memory": sqliteInMemory("node:sqlite", "DatabaseSync"),
	"libsql, a file for each outline": sqliteFiles("libsql"),
	memory: inMemory,
	http: overHttp,
} satisfies Record<string, (test: Register) => void>;

/** The name of a suite. */
export type SuiteName = keyof typeof suites;

/** The tests of the storages are the same everywhere: here they needn't be large. */
const sizes = { levels: 200, siblings: 1_000, changes: 500, mirrors: 20, characters: 100_000, opens: 10 };
const random = { sequences: 2 };
const durable: Traits = { durable: true, multiProcess: true, watch: true, peek: true };

const require = createRequire(join(process.cwd(), "package.json"));

/** A class of databases, loaded when it is used. */
function classOf(module: string, name?: string): new (path: string) => SqliteDatabase {
	const loaded = require(module);
	return name === undefined ? loaded : loaded[name];
}

function sqliteFiles(module: string, name?: string): (test: Register) => void {
	return (test) => {
		const directory = join(tmpdir(), `outlinekit-runtime-${randomUUID()}`);
		process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
		const create = (outline: string) => {
			mkdirSync(directory, { recursive: true });
			const database = new (classOf(module, name))(join(directory, outline));
			return createSqliteStorage(database, { pollInterval: 20, synchronous: "normal" });
		};
		storageConformance({ test, create, traits: durable, sizes, random });
	};
}

function sqliteInMemory(module: string, name?: string): (test: Register) => void {
	return (test) => {
		let database: SqliteDatabase | undefined;
		const create = (outline: string) => {
			database ??= new (classOf(module, name))(":memory:");
			return createSqliteStorage(database, { outline, pollInterval: 20 });
		};
		storageConformance({ test, create, traits: durable, sizes, random });
	};
}

function inMemory(test: Register): void {
	const alone = "it is in memory alone";
	const traits: Traits = { durable: alone, multiProcess: alone, watch: true, peek: true };
	storageConformance({ test, create: createMemoryStorage, traits, sizes, random });
}

/** A server of the runtime's own. */
interface Server {
	readonly port: number;
	stop(): unknown;
}

/** Serves a handler as programs of this runtime do. */
function serve(handler: (request: Request) => Promise<Response>): Server {
	const { Bun, Deno } = globalThis as unknown as {
		Bun?: { serve(options: object): { port: number; stop(closing: boolean): unknown } };
		Deno?: { serve(options: object, handler: unknown): { addr: { port: number }; shutdown(): unknown } };
	};
	if (Bun !== undefined) {
		const server = Bun.serve({ port: 0, fetch: handler });
		return { port: server.port, stop: () => server.stop(true) };
	}
	const server = Deno!.serve({ port: 0, onListen() {} }, handler);
	return { port: server.addr.port, stop: () => server.shutdown() };
}

function overHttp(test: Register): void {
	test("a server of this runtime answers requests", async () => {
		const outline = new Outline({ storage: createMemoryStorage() });
		const server = serve(createHttpHandler({ authenticate: (key) => (key === "key" ? outline : null) }));
		const address = `http://127.0.0.1:${server.port}/api/v1/nodes`;
		const authorization = "Bearer key";
		const created = await fetch(address, {
			method: "POST",
			headers: { authorization, "content-type": "application/json" },
			body: JSON.stringify({ name: "**bold** [2026-11-21]", parent_id: "today" }),
		});
		assert.equal(created.status, 200);
		const { item_id: id } = (await created.json()) as { item_id: string };
		const read = await fetch(`${address}/${id}`, { headers: { authorization } });
		const { node } = (await read.json()) as { node: { name: string } };
		assert.equal(node.name, '<b>bold</b> <time datetime="2026-11-21">2026-11-21</time>');
		const listed = await fetch(`${address}?parent_id=today`, { headers: { authorization } });
		const { nodes } = (await listed.json()) as { nodes: { id: string }[] };
		assert.deepEqual(
			nodes.map((each) => each.id),
			[id],
		);
		assert.equal((await fetch(address, { headers: { authorization: "Bearer other" } })).status, 401);
		await server.stop();
		await outline.close();
	});
}
