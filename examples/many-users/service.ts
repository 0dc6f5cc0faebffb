import { Outline } from "outlinekit";
import type { ServedOutline } from "outlinekit/http";
import { createPostgresStorage } from "outlinekit/postgres";
import type { Pool } from "pg";
import type { Accounts } from "./accounts.ts";

/** How many users' outlines are kept at hand. What one holds in memory is the index of its last search. */
const outlinesAtHand = 1000;

/**
 * Tells what a key lets its holder use: one outline a user, or a part of it. Asked with each request, so that a key which is
 * revoked is refused from then on, in every process that serves the same users.
 */
export function createAuthenticate(pool: Pool, accounts: Accounts): (key: string) => Promise<ServedOutline | null> {
	const outlineOf = createOutlines(pool);
	return async (key) => {
		const holder = await accounts.holderOf(key);
		if (holder === undefined) return null;
		const outline = outlineOf(holder.user);
		return holder.part === null ? outline : outline.scope(holder.part.node, { write: holder.part.write });
	};
}

/**
 * Gives the outlines of users. One for each request would do, as making one costs nothing; but a search makes an index first,
 * which the next search finds again where the outline is kept. Who hasn't been here for the longest time is forgotten, which
 * needs no closing: requests that still use the outline go on, and it holds nothing but memory.
 */
export function createOutlines(pool: Pool, limit = outlinesAtHand): (user: string) => Outline {
	const outlines = new Map<string, Outline>();
	return (user) => {
		const outline = outlines.get(user) ?? newOutline(pool, user);
		// Maps keep the order of insertion: the one used last stands last.
		outlines.delete(user);
		outlines.set(user, outline);
		if (outlines.size > limit) outlines.delete(outlines.keys().next().value!);
		return outline;
	};
}

/** Without a history, since nothing here can undo. */
function newOutline(pool: Pool, user: string): Outline {
	return new Outline({
		storage: createPostgresStorage(pool, { outline: user }),
		timeZone: "UTC",
		history: { steps: 0 },
	});
}
