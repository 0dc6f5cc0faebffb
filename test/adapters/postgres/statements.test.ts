import { Outline } from "outlinekit";
import { createPostgresStorage, postgresSchema } from "outlinekit/postgres";
import { describe, expect, test } from "vitest";
import { exported } from "../../support/outline.js";
import { testServer } from "./database.js";
import { RecordingPool } from "./recording-pool.js";

const server = testServer("statements");

/** Calls every operation of an outline, once. */
async function doEverything(outline: Outline): Promise<void> {
	const { id } = await outline.create({ name: "# a\n\n- b\n- c", parent: "today" });
	const [child] = (await outline.list(id)).nodes;
	const mirror = await outline.mirror(child!.id, { parent: id });
	await outline.list(mirror.id);
	await outline.create({ name: "under the origin", parent: mirror.id });
	await outline.move(child!.id, { parent: "inbox", position: "bottom" });
	await outline.complete(child!.id);
	await outline.update(child!.id, { note: "note" });
	await outline.setShortcut("home", id);
	await outline.targets();
	await outline.get("home");
	await outline.removeMirror(mirror.id);
	await exported(outline);
	await outline.deleteShortcut("home");
	await outline.create({ name: "once", idempotencyKey: "a" });
	await outline.delete(id);
}

/**
 * Calls every operation of a new outline, watched by another one on the same pool. Returns the statements.
 */
async function statementsOf(pool: RecordingPool, outline: string, notify: boolean): Promise<readonly string[]> {
	const storage = () => createPostgresStorage(pool, { outline, notify, pollInterval: 20 });
	const [own, other] = [new Outline({ storage: storage() }), new Outline({ storage: storage() })];
	let last = 0;
	const end = other.subscribe(({ revision }) => {
		last = revision;
	});
	await doEverything(own);
	const { revision } = await storage().read([]);
	await expect.poll(() => last).toBe(revision);
	end();
	await own.close();
	await other.close();
	return pool.statements;
}

const forbidden =
	/advisory|\bLOCK\b|\bSET\b(?! (parent_id|revision|value|version|STATISTICS))|set_config|\bTEMP|PREPARE|DEALLOCATE|DISCARD|SEQUENCE|nextval|SERIAL|IDENTITY|EXTENSION|FUNCTION|TRIGGER|PROCEDURE|\bDO \$|LISTEN|NOTIFY|WITH HOLD|SAVEPOINT|ISOLATION/i;

/** They are for all outlines. */
const schema = new Set(postgresSchema().map((statement) => statement.replace(/\s+/g, " ")));

describe("the statements of a storage", () => {
	test("are plain SQL, which selects one outline in every table but the schema's", async () => {
		const statements = await statementsOf(new RecordingPool(server.pool("statements")), "plain", false);
		expect(statements.length).toBeGreaterThan(40);
		for (const statement of statements) {
			expect(statement).not.toMatch(forbidden);
			if (/^(BEGIN|COMMIT|FETCH)/.test(statement) || schema.has(statement)) continue;
			if (statement.includes("outlinekit_schema")) continue;
			const tables = statement.match(/outlinekit_(?:nodes|keys|outlines|documents)\b/g)!.length;
			const bound = statement.match(/outline = \$1::text|outline = [a-z]\.outline|\(outline[,)]/g)!.length;
			expect(bound, statement).toBeGreaterThanOrEqual(tables);
		}
		const transactions = statements.filter((statement) => statement.startsWith("BEGIN"));
		// One for the schema, one for the export. All other work is one statement each.
		expect(transactions).toEqual(["BEGIN", "BEGIN READ ONLY"]);
	});

	test("are otherwise only LISTEN on a connection that is closed in the end, and notifications", async () => {
		const pool = new RecordingPool(server.pool("statements"));
		const statements = await statementsOf(pool, "notified", true);
		const special = statements.filter((statement) => forbidden.test(statement));
		const kinds = new Set(special.map((statement) => statement.replace(/outlinekit_[0-9a-f]{16}/g, "…")));
		expect([...kinds].sort()).toEqual(["LISTEN …", "SELECT pg_notify($1::text, $2::text)"]);
		expect(special.filter((statement) => statement.startsWith("LISTEN"))).toHaveLength(1);
		expect(pool.connections).toMatchObject({ out: 0, closed: 1 });
	});

	test("have values only as parameters", async () => {
		const pool = new RecordingPool(server.pool("statements"));
		const outline = new Outline({ storage: createPostgresStorage(pool, { outline: "O'Hara" }) });
		const { id } = await outline.create({ name: "O'Hara's" });
		await outline.setShortcut("o'hara", id);
		await outline.get("o'hara");
		expect((await outline.list()).nodes[0]?.name).toBe("O'Hara's");
		for (const statement of pool.statements) expect(statement).not.toMatch(/hara/i);
		await outline.close();
	});
});

describe("a commit", () => {
	test("locks the outline's row before it writes anything else", async () => {
		const storage = createPostgresStorage(server.pool("statements"), { outline: "locked", notify: false });
		const outline = new Outline({ storage });
		const { id } = await outline.create({ name: "a" });
		const holder = await server.pool("statements").connect();
		await holder.query("begin");
		await holder.query("select from outlinekit_outlines where outline = 'locked' for update");
		const updating = outline.update(id, { name: "b" });
		const waiting = async () => (await holder.query("select from pg_locks where not granted")).rowCount;
		await expect.poll(waiting).toBe(1);
		// If it had written the node first, this would wait for the commit, and the commit for this.
		await holder.query("set local lock_timeout = 2000");
		await holder.query("update outlinekit_nodes set note = 'c' where outline = 'locked'");
		await holder.query("commit");
		holder.release();
		expect(await updating).toMatchObject({ name: "b" });
		await outline.close();
	});

	test("writes each table in one part of its statement, and all tables but the outlines' only if the outline's row changed", async () => {
		const pool = new RecordingPool(server.pool("statements"));
		await statementsOf(pool, "parts", false);
		const commits = new Set(pool.statements.filter((statement) => statement.includes("advanced AS")));
		expect(commits.size).toBeGreaterThanOrEqual(4);
		for (const statement of commits) {
			const written = statement.match(/(?:INSERT INTO|UPDATE) outlinekit_\w+/g)!;
			expect(new Set(written).size).toBe(written.length);
			expect(written[0]).toMatch(/outlinekit_outlines$/);
			const parts = statement.match(/INSERT INTO outlinekit_(?:nodes|keys|documents).*?ON CONFLICT/g) ?? [];
			expect(parts).toHaveLength(written.length - 1);
			for (const part of parts) expect(part).toContain("FROM advanced a CROSS JOIN");
		}
	});
});
