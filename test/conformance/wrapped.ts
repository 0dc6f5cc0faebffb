import type { Batch, CommitNotice, Query, Snapshot, StorageAdapter } from "../../src/storage.js";
import type { NaiveRecords } from "../model/naive-records.js";
import { type NaivePlace, NaiveStorage } from "../model/naive-storage.js";
import { everything } from "./ledger.js";
import { Random } from "./random.js";

/**
 * A storage around another one, without its `peek`, like a storage on a database: every read takes a turn.
 */
export function paged(storage: StorageAdapter): StorageAdapter {
	return {
		async read<const Q extends readonly Query[]>(queries: Q): Promise<Snapshot<Q>> {
			await Promise.resolve();
			return storage.read(queries);
		},
		commit: (batch) => storage.commit(batch),
		scan: () => storage.scan(),
		...(storage.watch !== undefined && { watch: (listener) => storage.watch!(listener) }),
		close: () => storage.close(),
	};
}

/** A storage around another one with random delays, so that the first call isn't always answered first. */
export function unhurried(storage: StorageAdapter, seed: number): StorageAdapter {
	const random = new Random(seed);
	const underWay = new Set<Promise<unknown>>();
	const pause = () => (random.happens(0.5) ? delay(random.below(4)) : Promise.resolve());
	let closing: Promise<void> | null = null;

	async function slowly<T>(ask: () => Promise<T>): Promise<T> {
		await pause();
		try {
			return await ask();
		} finally {
			await pause();
		}
	}

	return {
		read<const Q extends readonly Query[]>(queries: Q): Promise<Snapshot<Q>> {
			return slowly(() => storage.read(queries));
		},
		commit(batch: Batch) {
			if (closing !== null) return storage.commit(batch);
			const committing = slowly(() => storage.commit(batch));
			const settled: Promise<unknown> = committing.catch(() => {}).finally(() => underWay.delete(settled));
			underWay.add(settled);
			return committing;
		},
		async *scan() {
			for await (const chunk of storage.scan()) {
				yield chunk;
				await pause();
			}
		},
		...(storage.watch !== undefined && { watch: (listener) => storage.watch!(listener) }),
		close() {
			closing ??= Promise.all(underWay).then(() => storage.close());
			return closing;
		},
	};
}

/**
 * Two storages on one outline as one: the first gets the commits, and the second all other calls. Each opens
 * together with the other.
 */
export function ofTwo(first: StorageAdapter, second: StorageAdapter): StorageAdapter {
	const open = () => first.read([]).catch(() => {});
	return {
		async read<const Q extends readonly Query[]>(queries: Q): Promise<Snapshot<Q>> {
			if (second.peek?.([]) === undefined) await open();
			return second.read(queries);
		},
		...(second.peek !== undefined && { peek: (queries) => second.peek!(queries) }),
		commit: (batch) => first.commit(batch),
		async *scan() {
			await open();
			yield* second.scan();
		},
		...(second.watch !== undefined && {
			watch(listener) {
				void second.read([]).catch(() => {});
				return second.watch!(listener);
			},
		}),
		close: async () => {
			await Promise.all([first.close(), second.close()]);
		},
	};
}

/** A storage on a naive outline that learns late of other commits, like a browser's tab. */
export function late(place: NaivePlace): StorageAdapter {
	const storage = new NaiveStorage(place);
	const watchers = new Set<(notice: CommitNotice) => void>();
	let seen: NaiveRecords | null = null;

	const hear = () => {
		const { revision } = place.records;
		if (seen === null || storage.closed || revision === seen.revision) return;
		seen = place.records.copy();
		for (const watcher of [...watchers]) watcher({ revision });
	};
	const open = () => {
		if (seen !== null || storage.closed) return;
		seen = place.records.copy();
		storage.watch(() => void delay(5).then(hear));
	};

	return {
		async read<const Q extends readonly Query[]>(queries: Q): Promise<Snapshot<Q>> {
			open();
			await storage.read([]);
			const { revision } = seen!;
			return { revision, results: queries.map((query) => seen!.answer(query)) as never };
		},
		async commit(batch) {
			open();
			try {
				const revision = await storage.commit(batch);
				hear();
				return revision;
			} catch (error) {
				hear();
				throw error;
			}
		},
		async *scan() {
			open();
			await storage.read([]);
			yield everything(seen!);
		},
		watch(listener) {
			const watcher = (notice: CommitNotice) => listener(notice);
			watchers.add(watcher);
			return () => watchers.delete(watcher);
		},
		close: () => storage.close(),
	};
}

function delay(milliseconds: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
