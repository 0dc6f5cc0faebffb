import type { CommitNotice } from "../../../src/storage.js";
import { aWhile, type Fault, type Faults } from "./fault.js";

/** A storage that sends its notices in another way. */
const telling = (
	tell: (notice: CommitNotice, listener: (notice: CommitNotice) => void) => unknown,
): Fault["broken"] => {
	return (storage) => ({ watch: (listener) => storage.watch((notice) => void tell(notice, listener)) });
};

/** Storages that peek or give notice wrongly. */
export const notices: Faults = {
	"has no watch although it declares the trait": {
		rejectedBy: ["factory: create returns a storage", "watching: watch notifies of each"],
		broken: () => ({ watch: undefined as never }),
	},
	"notifies of a commit after its promise was seen to resolve": {
		rejectedBy: ["watching: watch notifies of each", "watching: watch notifies each"],
		broken: telling((notice, listener) => aWhile().then(() => listener(notice))),
	},
	"notifies of commits in pairs, the later first": {
		rejectedBy: ["watching: watch notifies of each"],
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
	"notifies of every commit twice": {
		rejectedBy: ["watching: watch notifies of each", "watching: watch notifies each"],
		broken: telling((notice, listener) => {
			listener(notice);
			listener(notice);
		}),
	},
	"sends the nodes that are related after the commit": {
		rejectedBy: ["watching: watch notices with"],
		broken: (storage) => ({
			watch: (listener) =>
				storage.watch(({ revision, detail }) => {
					const ids = detail!.batch.nodes.map(({ before, after }) => (before ?? after)!.id);
					const related = storage.place.records.answer({ type: "related", ids });
					listener({ revision, detail: { batch: detail!.batch, related } });
				}),
		}),
	},
	"sends details without new nodes": {
		rejectedBy: ["watching: watch notices with", "outline: an outline on it notifies"],
		broken: telling(({ revision, detail }, listener) => {
			const { batch, related } = detail!;
			listener({
				revision,
				detail: { batch: { ...batch, nodes: batch.nodes.filter((each) => each.before) }, related },
			});
		}),
	},
	"notifies of a commit before reads show it": {
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
	"notifies only of its own commits": {
		rejectedBy: ["watching: watch notifies of commits", "outline: outlines on separate storages are"],
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
	"still notifies a removed listener": {
		rejectedBy: ["watching: watch notifies each"],
		broken: (storage) => ({
			watch(listener) {
				storage.watch(listener);
				return () => {};
			},
		}),
	},
	"still notifies after closing": {
		rejectedBy: ["watching: watch ends with closing"],
		broken: (storage) => ({
			watch(listener) {
				storage.place.watchers.add(listener);
				return () => storage.place.watchers.delete(listener);
			},
		}),
	},
	"throws from peek when it is closed": {
		rejectedBy: ["peeking: peek shows the"],
		broken: (storage) => ({
			peek(queries) {
				if (storage.closed) throw new Error("closed");
				return storage.peek(queries);
			},
		}),
	},
	"peeks at the state before the last commit that was called": {
		rejectedBy: ["peeking: peek shows a commit", "peeking: commits based on"],
		broken: (storage) => ({
			async commit(batch) {
				await Promise.resolve();
				return storage.commit(batch);
			},
		}),
	},
	"never calls a peeked state durable": {
		rejectedBy: ["peeking: peek returns undefined", "peeking: peek shows a commit"],
		broken: (storage) => ({
			peek(queries) {
				const seen = storage.peek(queries);
				return seen && { ...seen, durable: false };
			},
		}),
	},
	"calls a state durable that a read doesn't show yet": {
		rejectedBy: ["peeking: peek only calls"],
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
	"answers queries of a peek in the reverse order": {
		rejectedBy: ["peeking: peek shows a commit"],
		broken: (storage) => ({
			peek(queries) {
				const seen = storage.peek(queries);
				return seen && { ...seen, results: seen.results.toReversed() as never };
			},
		}),
	},
};
