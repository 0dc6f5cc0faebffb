import { Outline } from "outlinekit";
import type { ServedOutline } from "outlinekit/http";
import { createPostgresStorage } from "outlinekit/postgres";
import type { Pool } from "pg";
import type { Accounts } from "./accounts.ts";

/**
 * The number of users whose outlines stay in memory. An outline in memory is mostly the index of its last
 * search.
 */
const outlinesAtHand = 1000;

/**
 * Returns the outline or the scope that a key opens. Asked with each request, so that a key which is
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
 * Returns the outlines of users. A new one for each request would work too, because creating one does no I/O.
 * But the first search of an outline builds an index, and later searches of the same `Outline` use it. Drops
 * the least recently used outline. That needs no closing: running requests still use it, and it holds only
 * memory.
 */
export function createOutlines(pool: Pool, limit = outlinesAtHand): (user: string) => Outline {
	const outlines = new Map<string, Outline>();
	return (user) => {
		const outline = outlines.get(user) ?? newOutline(pool, user);
		// Maps keep the order of insertion: the last used outline comes last.
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
