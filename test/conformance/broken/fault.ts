import { setTimeout as pause } from "node:timers/promises";
import type { Answer, Batch, NodeRecord, Query, StorageAdapter } from "../../../src/storage.js";
import type { NaiveRecords } from "../../model/naive-records.js";
import { type NaivePlace, NaiveStorage } from "../../model/naive-storage.js";

/** A way in which a storage can be wrong, and the tests that must notice it. */
export interface Fault {
	/** Beginnings of the names of tests. Each must reject the storage. */
	readonly rejectedBy: readonly string[];
	/** The methods that differ from a correct storage. */
	readonly broken: (storage: NaiveStorage) => Partial<StorageAdapter>;
}

/** Faults by the behaviour of the storage. */
export type Faults = Readonly<Record<string, Fault>>;

/** Returns a storage with a fault. */
export function brokenStorage({ broken }: Fault, place: NaivePlace): StorageAdapter {
	const storage = new NaiveStorage(place);
	return {
		read: (queries) => storage.read(queries),
		peek: (queries) => storage.peek(queries),
		commit: (batch) => storage.commit(batch),
		scan: () => storage.scan(),
		watch: (listener) => storage.watch(listener),
		close: () => storage.close(),
		...broken(storage),
	};
}

/** A storage that gives other answers to queries of one type. */
export function misanswering<T extends Query["type"]>(
	type: T,
	change: (
		answer: Answer<Extract<Query, { type: T }>>,
		query: Extract<Query, { type: T }>,
		records: NaiveRecords,
	) => unknown,
): Fault["broken"] {
	return (storage) => {
		const changed = <S extends { results: unknown }>(queries: readonly Query[], snapshot: S): S => ({
			...snapshot,
			results: (snapshot.results as readonly unknown[]).map((answer, place) =>
				queries[place]!.type === type
					? change(answer as never, queries[place] as never, storage.place.records)
					: answer,
			),
		});
		return {
			read: async (queries) => changed(queries, await storage.read(queries)),
			peek: (queries) => {
				const seen = storage.peek(queries);
				return seen && changed(queries, seen);
			},
		};
	};
}

/** A storage that treats queries of one type as different ones. */
export function misunderstanding<T extends Query["type"]>(
	type: T,
	change: (query: Extract<Query, { type: T }>) => Query,
): Fault["broken"] {
	return (storage) => {
		const changed = <Q extends readonly Query[]>(queries: Q): Q =>
			queries.map((query) => (query.type === type ? change(query as never) : query)) as unknown as Q;
		return {
			read: (queries) => storage.read(changed(queries)),
			peek: (queries) => storage.peek(changed(queries)),
		};
	};
}

/** A storage that changes records when it stores them. */
export function distorting(change: (record: NodeRecord) => Partial<NodeRecord>): Fault["broken"] {
	const distorted = (batch: Batch): Batch => ({
		...batch,
		nodes: batch.nodes.map(({ before, after }) => ({ before, after: after && { ...after, ...change(after) } })),
	});
	return (storage) => ({ commit: (batch) => storage.commit(distorted(batch)) });
}

/** A storage whose data is changed from outside, right after each commit. */
export function corrupting(
	change: (records: NaiveRecords, batch: Batch, before: NaiveRecords) => void,
): Fault["broken"] {
	return (storage) => ({
		async commit(batch) {
			const before = storage.place.records.copy();
			const revision = await storage.commit(batch);
			change(storage.place.records, batch, before);
			return revision;
		},
	});
}

/** Lets other work run. */
export async function aWhile(turns = 3): Promise<void> {
	for (let count = 0; count < turns; count++) await pause(0);
}
