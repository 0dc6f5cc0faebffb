/**
 * Outlines of many users in one PostgreSQL database. With its address in DATABASE_URL:
 *
 *     npx tsx examples/many-users/main.ts                              serves them
 *     npx tsx examples/many-users/main.ts user NAME                    adds a user, and prints the id and a key
 *     npx tsx examples/many-users/main.ts key USER [NODE [write]]      creates a key, with NODE for its subtree
 *     npx tsx examples/many-users/main.ts rotate USER KEY_ID           replaces a key by a new one
 *     npx tsx examples/many-users/main.ts revoke USER KEY_ID           revokes a key
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createNodeListener } from "outlinekit/http";
import pg from "pg";
import { Accounts } from "./accounts.ts";
import { createAuthenticate } from "./service.ts";

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
pool.on("error", (error) => console.error("A connection to the database broke:", error.message));
const accounts = new Accounts(pool);
await accounts.createTables();

const [command, first = "", second, third] = process.argv.slice(2);
if (command === undefined) {
	const listener = createNodeListener({
		authenticate: createAuthenticate(pool, accounts),
		onError: (error, { method, url }) => console.error(`${method} ${url?.split("?")[0]} failed:`, error),
	});
	const server = createServer(listener);
	server.listen(Number(process.env.PORT || 3000), "127.0.0.1", () => {
		const { port } = server.address() as AddressInfo;
		console.log(`The outlines are at http://127.0.0.1:${port}/api/v1/. Try it:
  curl http://127.0.0.1:${port}/api/v1/targets -H "Authorization: Bearer KEY"`);
	});
} else {
	console.log(await administer());
	await pool.end();
}

async function administer(): Promise<string> {
	if (command === "user") {
		const user = await accounts.createUser(first);
		return `user: ${user}\n${shown(await accounts.createKey(user))}`;
	}
	if (command === "key") {
		const part = second === undefined ? null : { node: second, write: third === "write" };
		return shown(await accounts.createKey(first, part));
	}
	if (command === "rotate") return (await accounts.rotateKey(first, second ?? "")) ?? "There is no such key.";
	if (command === "revoke") return (await accounts.revokeKey(first, second ?? "")) ? "done" : "There is no such key.";
	return "The commands are user, key, rotate and revoke.";
}

function shown({ id, key }: { id: string; key: string }): string {
	return `key id: ${id}\nkey: ${key}`;
}
