import { createHash } from "node:crypto";

/**
 * The server of a user's outline, by rendezvous hashing: each server draws a number for the user, and the
 * highest wins. The answer is the same in every process. A new server takes its share from all other servers,
 * and nothing else moves.
 */
export function serverOf<Server extends { readonly name: string }>(user: string, servers: readonly Server[]): Server {
	const [winner] = servers
		.map((server) => ({ server, draw: createHash("sha256").update(`${server.name}\0${user}`).digest("hex") }))
		.sort((left, right) => (left.draw > right.draw ? -1 : 1));
	if (winner === undefined) throw new RangeError("There is no server.");
	return winner.server;
}
