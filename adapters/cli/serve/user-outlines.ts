import { Outline, type OutlineOptions } from "outlinekit";
import type { ServedOutline } from "outlinekit/http";
import { createPostgresStorage } from "outlinekit/postgres";
import type { Pool } from "pg";
import type { UserKeys } from "./user-keys.ts";

/** The settings of each user's outline. */
export type OutlineSettings = Omit<OutlineOptions, "storage">;

/** The number of users whose outlines stay in memory: mostly the index of the last search. */
const outlinesAtHand = 1000;

/**
 * Returns a function that finds the outline or the scope that a key opens. Each request calls it, so every
 * process refuses a revoked key at once.
 */
export function createAuthenticate(
	pool: Pool,
	keys: UserKeys,
	settings: OutlineSettings,
): (key: string) => Promise<ServedOutline | null> {
	const outlineOf = createOutlines(pool, settings);
	return async (key) => {
		const holder = await keys.holderOf(key);
		if (holder === undefined) return null;
		const outline = outlineOf(holder.user);
		return holder.part === null ? outline : outline.scope(holder.part.node, { write: holder.part.write });
	};
}

/**
 * Returns a function that makes the outlines of users. A new one for each request would work too, because
 * creating one does no I/O. But the first search of an outline builds an index, which later searches of the
 * same `Outline` use. Drops the least recently used outline without closing it: running requests may use it,
 * and it holds only memory.
 */
export function createOutlines(
	pool: Pool,
	settings: OutlineSettings,
	limit = outlinesAtHand,
): (user: string) => Outline {
	const outlines = new Map<string, Outline>();
	return (user) => {
		const outline =
			outlines.get(user) ?? new Outline({ ...settings, storage: createPostgresStorage(pool, { outline: user }) });
		// Maps keep the order of insertion: the last used outline comes last.
		outlines.delete(user);
		outlines.set(user, outline);
		if (outlines.size > limit) outlines.delete(outlines.keys().next().value!);
		return outline;
	};
}
