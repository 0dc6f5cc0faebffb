import { createMemoryStorage } from "../../adapters/memory.js";
import type { ChangedSince, Query, StorageAdapter } from "../../src/storage.js";
import { bound } from "./notices.js";

/** A storage whose answers to `changes` end after a commit or two, whatever the limit: as if all texts were long. */
export function createBriefStorage(): StorageAdapter {
	const storage = createMemoryStorage();
	const brief = <const Q extends readonly Query[]>(queries: Q): Q =>
		queries.map((query) => (query.type === "changes" ? { ...query, limit: Math.min(query.limit, 2) } : query)) as never;
	return { ...bound(storage), read: (queries) => storage.read(brief(queries)) };
}

/** A broken storage: its answers to `changes` never go on from the revision that is asked for. */
export function createStandingStorage(): StorageAdapter {
	const storage = createMemoryStorage();
	const standing = (query: Query, answer: unknown) =>
		query.type === "changes" ? { ...(answer as ChangedSince), revision: query.since } : answer;
	return {
		...bound(storage),
		async read(queries) {
			const { results, ...snapshot } = await storage.read(queries);
			return { ...snapshot, results: queries.map((query, at) => standing(query, results[at])) as never };
		},
	};
}
