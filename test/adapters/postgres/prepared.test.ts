import { Outline } from "outlinekit";
import { createPostgresStorage, type PostgresPool, type PostgresStatement } from "outlinekit/postgres";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { errorWithCode } from "./recording-pool.js";
import { PostgresServer } from "./server.js";

const server = new PostgresServer();
beforeAll(async () => {
	await server.start();
	await server.createDatabase("prepared");
});
afterAll(() => server.stop());

/**
 * A pool that records its statements. If `refuse` returns an error for a statement, the statement doesn't
 * run.
 */
function noted(refuse: (statement: PostgresStatement) => Error | undefined = () => undefined) {
	const pool = server.pool("prepared");
	const statements: PostgresStatement[] = [];
	const noting: PostgresPool = {
		async connect() {
			const client = await pool.connect();
			return {
				query: async (statement) => {
					statements.push(statement);
					const refusal = refuse(statement);
					if (refusal !== undefined) throw refusal;
					return client.query(statement);
				},
				release: (error) => client.release(error),
				on: (event: string, listener: (message: pg.Notification) => void) =>
					client.on(event as "notification", listener),
				off: (event, listener) => client.off(event, listener),
			};
		},
	};
	return { pool: noting, statements };
}

test("reads and commits are kept compiled, each text under its own name", async () => {
	const { pool, statements } = noted();
	const outline = new Outline({ storage: createPostgresStorage(pool, { outline: "named", notify: false }) });
	const { id } = await outline.create({ name: "a" });
	for (let times = 0; times < 3; times++) {
		await outline.update(id, { name: `${times}` });
		await outline.list();
	}
	const named = statements.filter(({ name }) => name !== undefined);
	const texts = new Map(named.map(({ name, text }) => [name, text]));
	expect(named.every(({ name, text }) => texts.get(name) === text)).toBe(true);
	expect(texts.size).toBe(new Set(named.map(({ text }) => text)).size);
	expect(texts.size).toBeLessThan(named.length);
	await outline.close();
});

test.each(["26000", "42P05"])(
	"a pooler that loses them (%s) is detected, and no statement is prepared from then on",
	async (code) => {
		const { pool, statements } = noted(({ name }) => (name === undefined ? undefined : errorWithCode(code)));
		const outline = new Outline({ storage: createPostgresStorage(pool, { outline: `lost ${code}`, notify: false }) });
		const { id } = await outline.create({ name: "a" });
		await outline.update(id, { name: "b" });
		expect((await outline.get(id)).name).toBe("b");
		expect(statements.filter(({ name }) => name !== undefined).length).toBe(1);
		await outline.close();
	},
);

test("a table that is altered meanwhile is used in its new form by every connection that knew the old one", async () => {
	const pool = server.pool("prepared", { max: 3 });
	const outline = new Outline({ storage: createPostgresStorage(pool, { outline: "altered", notify: false }) });
	const { id } = await outline.create({ name: "a" });
	const readAll = () => Promise.all(Array.from({ length: 6 }, () => outline.get(id)));
	await readAll();
	await pool.query("alter table outlinekit_nodes alter column layout_mode type varchar(100)");
	expect((await readAll()).map(({ name }) => name)).toEqual(Array(6).fill("a"));
	expect((await outline.update(id, { name: "b" })).name).toBe("b");
	await outline.close();
});
