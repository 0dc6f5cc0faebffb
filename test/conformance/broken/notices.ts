import type { CommitNotice } from "../../../src/storage.js";
import { aWhile, type Fault } from "./fault.js";

/** A storage that tells of commits in another way. */
const telling = (
	tell: (notice: CommitNotice, listener: (notice: CommitNotice) => void) => unknown,
): Fault["broken"] => {
	return (storage) => ({ watch: (listener) => storage.watch((notice) => void tell(notice, listener)) });
};

/** Storages that peek or give notice wrongly. */
export const notices: readonly Fault[] = [
	{
		name: "has no watch, which it declares",
		rejectedBy: ["factory: create gives a storage with the methods", "watching: watch tells of each commit"],
		broken: () => ({ watch: undefined as never }),
	},
	{
		name: "tells of a commit after it was seen to resolve",
		rejectedBy: ["watching: watch tells of each commit", "watching: watch tells each who watches"],
		broken: telling((notice, listener) => aWhile().then(() => listener(notice))),
	},
	{
		name: "tells of commits in pairs, the later first",
		rejectedBy: ["watching: watch tells of each commit"],
		broken: (storage) => ({
			watch(listener) {
				const held: CommitNotice[] = [];
				return storage.watch((notice) => {
					held.push(notice);
					if (held.length === 2) for (const each of held.splice(0).reverse()) listener(each);
				});
			},
		}),
	},
	{
		name: "tells of every commit twice",
		rejectedBy: ["watching: watch tells of each commit", "watching: watch tells each who watches"],
		broken: telling((notice, listener) => {
			listener(notice);
			listener(notice);
		}),
	},
	{
		name: "tells what was related after the commit",
		rejectedBy: ["watching: watch tells, if it goes into detail"],
		broken: (storage) => ({
			watch: (listener) =>
				storage.watch(({ revision, detail }) => {
					const ids = detail!.batch.nodes.map(({ before, after }) => (before ?? after)!.id);
					const related = storage.place.records.answer({ type: "related", ids });
					listener({ revision, detail: { batch: detail!.batch, related } });
				}),
		}),
	},
	{
		name: "goes into detail, but leaves out what is new",
		rejectedBy: ["watching: watch tells, if it goes into detail", "outline: an outline on it tells its own"],
		broken: telling(({ revision, detail }, listener) => {
			const { batch, related } = detail!;
			listener({
				revision,
				detail: { batch: { ...batch, nodes: batch.nodes.filter((each) => each.before) }, related },
			});
		}),
	},
	{
		name: "tells of a commit before reads show it",
		rejectedBy: ["watching: a read that begins after a notice"],
		broken: (storage) => {
			const listeners = new Set<(notice: CommitNotice) => void>();
			return {
				watch(listener) {
					listeners.add(listener);
					return () => listeners.delete(listener);
				},
				async commit(batch) {
					for (const listener of listeners) listener({ revision: batch.base + 1 });
					await aWhile();
					return storage.commit(batch);
				},
			};
		},
	},
	{
		name: "tells only of its own commits",
		rejectedBy: ["watching: watch tells of the commits of others", "outline: outlines on storages of their own hear"],
		broken: (storage) => {
			const listeners = new Set<(notice: CommitNotice) => void>();
			return {
				watch(listener) {
					listeners.add(listener);
					return () => listeners.delete(listener);
				},
				async commit(batch) {
					const revision = await storage.commit(batch);
					for (const listener of listeners) listener({ revision });
					return revision;
				},
			};
		},
	},
	{
		name: "goes on telling after it was ended",
		rejectedBy: ["watching: watch tells each who watches"],
		broken: (storage) => ({
			watch(listener) {
				storage.watch(listener);
				return () => {};
			},
		}),
	},
	{
		name: "goes on telling after closing",
		rejectedBy: ["watching: watch ends with closing"],
		broken: (storage) => ({
			watch(listener) {
				storage.place.watchers.add(listener);
				return () => storage.place.watchers.delete(listener);
			},
		}),
	},
	{
		name: "throws from peek when it is closed",
		rejectedBy: ["peeking: peek shows what is after a conflict"],
		broken: (storage) => ({
			peek(queries) {
				if (storage.closed) throw new Error("closed");
				return storage.peek(queries);
			},
		}),
	},
	{
		name: "peeks at what was before the commit that has just been called",
		rejectedBy: ["peeking: peek shows a commit", "peeking: commits made one on another"],
		broken: (storage) => ({
			async commit(batch) {
				await Promise.resolve();
				return storage.commit(batch);
			},
		}),
	},
	{
		name: "never calls durable what it peeks at",
		rejectedBy: ["peeking: peek answers nothing, or rightly", "peeking: peek shows a commit"],
		broken: (storage) => ({
			peek(queries) {
				const seen = storage.peek(queries);
				return seen && { ...seen, durable: false };
			},
		}),
	},
	{
		name: "calls durable what a read doesn't show yet",
		rejectedBy: ["peeking: peek calls durable only"],
		broken: (storage) => {
			let shown = storage.place.records.copy();
			return {
				async read(queries) {
					await storage.read([]);
					const results = queries.map((query) => shown.answer(query));
					return { revision: shown.revision, results: results as never };
				},
				async commit(batch) {
					const revision = await storage.commit(batch);
					await aWhile();
					shown = storage.place.records.copy();
					return revision;
				},
			};
		},
	},
	{
		name: "answers queries of a peek in the reverse order",
		rejectedBy: ["peeking: peek shows a commit"],
		broken: (storage) => ({
			peek(queries) {
				const seen = storage.peek(queries);
				return seen && { ...seen, results: seen.results.toReversed() as never };
			},
		}),
	},
];
