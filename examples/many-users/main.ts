/**
 * Outlines of many users in one PostgreSQL database, in a program that has its own users:
 *
 *     DATABASE_URL=postgres://… npx tsx examples/many-users/main.ts
 *
 * For a server with keys and nothing else, no program is needed: `outlinekit serve --database postgres://…`.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Outline } from "outlinekit";
import { createNodeListener, type ServedOutline } from "outlinekit/http";
import { createPostgresStorage } from "outlinekit/postgres";
import pg from "pg";

/** The user of a session, and for a guest the node that it opens. Yours come from your log-in. */
interface Session {
	readonly user: string;
	readonly shared?: string;
}
const sessions = new Map<string, Session>([
	["token-of-ada", { user: "ada" }],
	["token-of-a-guest-of-ada", { user: "ada", shared: "inbox" }],
]);

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
pool.on("error", (error) => console.error("A connection to the database broke:", error.message));

/** Each request makes its outline: that does no I/O, and nothing is left to close. */
function outlineOf({ user, shared }: Session): ServedOutline {
	const storage = createPostgresStorage(pool, { outline: user });
	const outline = new Outline({ storage, history: { steps: 0 } });
	return shared === undefined ? outline : outline.scope(shared, { write: false });
}

const listener = createNodeListener({
	authenticate: (token) => {
		const session = sessions.get(token);
		return session === undefined ? null : outlineOf(session);
	},
});
const server = createServer(listener);
server.listen(Number(process.env.PORT || 3000), "127.0.0.1", () => {
	const { port } = server.address() as AddressInfo;
	console.log(`The outlines are at http://127.0.0.1:${port}/api/v1/. Try it:
  curl http://127.0.0.1:${port}/api/v1/targets -H "Authorization: Bearer token-of-ada"`);
});
