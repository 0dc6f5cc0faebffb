import { createHash } from "node:crypto";
import { Outline } from "outlinekit";
import { createHttpHandler } from "outlinekit/http";
import { createPostgresStorage, type PostgresPool } from "outlinekit/postgres";
import { serverOf } from "./routing.ts";

/** A database server that keeps the outlines of some users. */
export interface DatabaseServer {
	/** Stays the same for as long as the server keeps its outlines: users are assigned by it. */
	readonly name: string;
	readonly pool: PostgresPool;
}

/** The data about users that a service needs. */
export interface Users {
	/** The id of the user with an API key, by the key's SHA-256 in hex: keys themselves aren't stored. */
	idByKeyHash(hash: string): Promise<string | undefined>;
}

/**
 * An outline for each user behind one HTTP interface, spread over several database servers. An `Outline` is
 * made for each request: that costs nothing, and any number of processes may serve the same users.
 */
export function createService(
	servers: readonly DatabaseServer[],
	users: Users,
): (request: Request) => Promise<Response> {
	return createHttpHandler({
		authenticate: async (apiKey) => {
			const user = await users.idByKeyHash(hashOf(apiKey));
			return user === undefined ? null : outlineOf(user, servers);
		},
	});
}

/** The outline of a user, on its server. Without a history, which would end with the request. */
function outlineOf(user: string, servers: readonly DatabaseServer[]): Outline {
	const storage = createPostgresStorage(serverOf(user, servers).pool, { outline: user });
	return new Outline({ storage, history: { steps: 0 } });
}

/** The stored form of an API key. Keys are long and random, so a fast hash is enough. */
export function hashOf(apiKey: string): string {
	return createHash("sha256").update(apiKey).digest("hex");
}
