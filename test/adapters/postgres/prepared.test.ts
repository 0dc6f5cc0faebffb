import { Outline } from "outlinekit";
import { createPostgresStorage } from "outlinekit/postgres";
import { expect, test } from "vitest";
import { testServer } from "./database.js";
import { errorWithCode, RecordingPool } from "./recording-pool.js";

const server = testServer("prepared");

test("connections keep reads and commits compiled, each text under its own name", async () => {
	const pool = new RecordingPool(server.pool("prepared"));
	const outline = new Outline({ storage: createPostgresStorage(pool, { outline: "named", notify: false }) });
	const { id } = await outline.create({ name: "a" });
	for (let times = 0; times < 3; times++) {
		await outline.update(id, { name: `${times}` });
		await outline.list();
	}
	const named = pool.calls.filter(({ name }) => name !== undefined);
	const texts = new Map(named.map(({ name, sql }) => [name, sql]));
	expect(named.every(({ name, sql }) => texts.get(name) === sql)).toBe(true);
	expect(texts.size).toBe(new Set(named.map(({ sql }) => sql)).size);
	expect(texts.size).toBeLessThan(named.length);
	await outline.close();
});

test.each(["26000", "42P05"])(
	"a pooler that loses them (%s) is detected, and no statement is prepared from then on",
	async (code) => {
		const pool = new RecordingPool(server.pool("prepared"));
		pool.fate = ({ name }) => (name === undefined ? undefined : { instead: errorWithCode(code) });
		const outline = new Outline({ storage: createPostgresStorage(pool, { outline: `lost ${code}`, notify: false }) });
		const { id } = await outline.create({ name: "a" });
		await outline.update(id, { name: "b" });
		expect((await outline.get(id)).name).toBe("b");
		expect(pool.calls.filter(({ name }) => name !== undefined).length).toBe(1);
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
