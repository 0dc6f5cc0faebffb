import type pg from "pg";
import { beforeEach, describe, expect, test } from "vitest";
import { UserKeys } from "../../../adapters/cli/serve/user-keys.js";
import { createAuthenticate, createOutlines } from "../../../adapters/cli/serve/user-outlines.js";
import { createHttpHandler } from "../../../adapters/http/index.js";
import { createMemoryStorage } from "../../../adapters/memory.js";
import { Outline } from "../../../src/outline.js";
import { createHttpRemote, createReplica } from "../../../src/sync/index.js";
import { testServer } from "./database.js";

const server = testServer();
let pool: pg.Pool;
let keys: UserKeys;
const settings = { timeZone: "UTC", history: { steps: 0 } };
let handler: (request: Request) => Promise<Response>;
let database = "";
let count = 0;

beforeEach(async () => {
	database = `users ${++count}`;
	await server.createDatabase(database);
	pool = server.pool(database);
	keys = new UserKeys(pool);
	handler = createHttpHandler({ authenticate: createAuthenticate(pool, keys, settings) });
	await keys.createTable();
});

interface Content {
	readonly item_id?: string;
	readonly nodes?: readonly { readonly id: string; readonly name: string }[];
	readonly code?: string;
}

async function ask(key: string, path: string, body?: object): Promise<{ status: number; content: Content }> {
	const response = await handler(
		new Request(`https://outlines.example/api/v1/${path}`, {
			method: body === undefined ? "GET" : "POST",
			headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
			...(body !== undefined && { body: JSON.stringify(body) }),
		}),
	);
	return { status: response.status, content: (await response.json()) as Content };
}

async function newUser(name: string) {
	return { user: name, ...(await keys.add(name)) };
}

const names = ({ content }: { content: Content }) => content.nodes?.map(({ name }) => name).sort();

describe("a service for many users", () => {
	test("gives each user an outline that no other user sees, many of them at once", async () => {
		const users = await Promise.all(Array.from({ length: 40 }, (_, number) => newUser(`user ${number}`)));
		const made = await Promise.all(
			users.flatMap(({ key, user }) =>
				[0, 1, 2].map(async (n) => ({ user, ...(await ask(key, "nodes", { name: `${n} of ${user}` })) })),
			),
		);
		expect(made.map(({ status }) => status)).toEqual(made.map(() => 200));
		await Promise.all(
			users.map(async ({ key, user }) => {
				expect(names(await ask(key, "nodes"))).toEqual([0, 1, 2].map((n) => `${n} of ${user}`));
				expect(names(await ask(key, "nodes-export"))).toHaveLength(3);
			}),
		);
		const [ada, ben] = users;
		const ofAda = made.find(({ user }) => user === ada!.user)!.content.item_id;
		expect((await ask(ada!.key, `nodes/${ofAda}`)).status).toBe(200);
		for (const [path, body] of [[`nodes/${ofAda}`], [`nodes/${ofAda}`, { name: "x" }], [`nodes/${ofAda}/move`, {}]]) {
			expect((await ask(ben!.key, path as string, body as object)).status).toBe(404);
		}
	});

	test("refuses a key as soon as it is revoked, and still accepts the user's other keys", async () => {
		const { user, id, key } = await newUser("ada");
		const other = await keys.add(user);
		await ask(key, "nodes", { name: "boat" });
		expect(await keys.revoke(id)).toBe(true);
		expect(await ask(key, "nodes")).toMatchObject({ status: 401, content: { code: "unauthorized" } });
		expect(names(await ask(other.key, "nodes"))).toEqual(["boat"]);
		expect(await keys.revoke(id)).toBe(false);
		expect((await ask("x", "nodes")).status).toBe(401);
	});

	test("serves the devices of each user", async () => {
		const names = async ({ outline }: { outline: Outline }) =>
			(await outline.list()).nodes.map(({ name }) => name).sort();
		const device = (apiKey: string) => {
			const send = (url: string, options?: object) => handler(new Request(url, options));
			const remote = createHttpRemote({ url: "https://outlines.example/api/v1", apiKey, fetch: send });
			const replica = createReplica({ local: createMemoryStorage(), remote, auto: false });
			return { replica, outline: new Outline({ storage: replica.storage }) };
		};
		const [ada, ben] = [await newUser("ada"), await newUser("ben")];
		const [laptop, phone, other] = [device(ada.key), device(ada.key), device(ben.key)];
		await laptop.outline.create({ name: "boat" });
		await phone.outline.create({ name: "tent" });
		await other.outline.create({ name: "map" });
		for (const { replica } of [laptop, phone, other, laptop]) await replica.sync();
		expect([await names(laptop), await names(phone), await names(other)]).toEqual([
			["boat", "tent"],
			["boat", "tent"],
			["map"],
		]);
		const part = await keys.add(ada.user, { node: (await laptop.outline.list()).nodes[0]!.id, write: true });
		await expect(device(part.key).replica.sync()).rejects.toMatchObject({ code: "forbidden" });
	});

	test("opens only a part of the outline with some keys, to read or to write", async () => {
		const { user, key } = await newUser("ada");
		const part = (await ask(key, "nodes", { name: "part" })).content.item_id!;
		const secret = (await ask(key, "nodes", { name: "secret" })).content.item_id!;
		const reader = await keys.add(user, { node: part, write: false });
		const writer = await keys.add(user, { node: part, write: true });
		expect((await ask(writer.key, "nodes", { name: "inside" })).status).toBe(200);
		expect(names(await ask(reader.key, "nodes"))).toEqual(["inside"]);
		expect(await ask(reader.key, "nodes", { name: "x" })).toMatchObject({
			status: 403,
			content: { code: "forbidden" },
		});
		for (const each of [reader, writer]) expect((await ask(each.key, `nodes/${secret}`)).status).toBe(404);
		expect((await ask(key, `nodes/${secret}`)).status).toBe(200);
	});

	test("stores the text of a key nowhere in its database", async () => {
		const { user, key } = await newUser("ada");
		await ask(key, "nodes", { name: "boat" });
		const all = [key, (await keys.add(user)).key];
		const { rows: tables } = await pool.query<{ name: string }>(
			"SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'",
		);
		const kept = await Promise.all(
			tables.map(async ({ name }) => (await pool.query(`SELECT t::text AS row FROM ${name} AS t`)).rows),
		);
		const text = JSON.stringify(kept);
		expect(text).toContain("boat");
		expect(text).toContain(user);
		for (const each of all) {
			const bytes = Buffer.from(each, "base64url");
			const forms = [each, bytes.toString("hex"), bytes.toString("base64"), Buffer.from(each).toString("hex")];
			for (const form of forms) expect(text).not.toContain(form);
		}
	});

	test("finds the holder of a key by the index of digests, however many keys there are", async () => {
		const { user, key } = await newUser("ada");
		await pool.query(
			`INSERT INTO outlinekit_user_key (digest, user_name, write)
			SELECT sha256(number::text::bytea), $1, true FROM generate_series(1, 20000) AS number`,
			[user],
		);
		await pool.query("VACUUM ANALYZE outlinekit_user_key");
		const asked: { text: string; values: unknown[] }[] = [];
		const noted = {
			query: (text: string, values: unknown[]) => {
				asked.push({ text, values });
				return pool.query(text, values);
			},
		} as unknown as pg.Pool;
		expect(await new UserKeys(noted).holderOf(key)).toEqual({ user, part: null });
		const [{ text, values }] = asked as [(typeof asked)[0]];
		const { rows } = await pool.query(`EXPLAIN (FORMAT JSON) ${text}`, values);
		expect(rows[0]["QUERY PLAN"][0].Plan).toMatchObject({
			"Node Type": "Index Scan",
			"Index Name": "outlinekit_user_key_digest_key",
		});
	});

	test("adds labels to a table from before there were any", async () => {
		await pool.query("ALTER TABLE outlinekit_user_key DROP COLUMN label");
		await pool.query(
			"INSERT INTO outlinekit_user_key (digest, user_name, write) VALUES (sha256('a'::bytea), 'ada', true)",
		);
		await keys.createTable();
		await keys.add("ada", null, "phone");
		expect((await keys.list("ada")).map(({ label }) => label).sort()).toEqual([null, "phone"].sort());
	});

	test("creates its table once when many processes start at the same time", async () => {
		await server.createDatabase("fresh");
		const pools = Array.from({ length: 8 }, () => server.pool("fresh", { max: 1 }));
		await Promise.all(pools.map((each) => new UserKeys(each).createTable()));
		expect((await new UserKeys(pools[0]!).add("ada")).id).toMatch(/^[0-9a-f-]{36}$/);
	});
});

test("a cache of outlines keeps the ones used last", () => {
	const outlineOf = createOutlines(pool, settings, 2);
	const [ada, ben] = [outlineOf("ada"), outlineOf("ben")];
	expect(outlineOf("ada")).toBe(ada);
	outlineOf("cleo");
	expect(outlineOf("ada")).toBe(ada);
	expect(outlineOf("ben")).not.toBe(ben);
});
