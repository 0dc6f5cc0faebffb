import { OutlineError } from "../../src/errors.js";
import {
	type Batch,
	type CommitNotice,
	type Peek,
	type Query,
	relatedIds,
	type Snapshot,
	type StorageAdapter,
	type StoredNode,
} from "../../src/storage.js";
import { everything } from "../conformance/ledger.js";
import { NaiveRecords } from "./naive-records.js";

/** One outline on a {@link NaiveDisk}. */
export interface NaivePlace {
	records: NaiveRecords;
	readonly watchers: Set<(notice: CommitNotice) => void>;
}

/** Outlines by name. They last as long as this object, so that storages can open them again. */
export class NaiveDisk {
	readonly #places = new Map<string, NaivePlace>();

	/** Returns the outline with a name; at first an empty one. */
	place(name: string): NaivePlace {
		const place = this.#places.get(name) ?? { records: new NaiveRecords(), watchers: new Set() };
		this.#places.set(name, place);
		return place;
	}
}

/** A storage with all capabilities, as plain as possible and slow. It tests the conformance suite itself. */
export class NaiveStorage implements StorageAdapter {
	readonly place: NaivePlace;
	readonly #watchers = new Set<(notice: CommitNotice) => void>();
	#closed = false;

	constructor(place: NaivePlace) {
		this.place = place;
	}

	/** Whether it has been closed. */
	get closed(): boolean {
		return this.#closed;
	}

	async read<const Q extends readonly Query[]>(queries: Q): Promise<Snapshot<Q>> {
		this.#assertOpen();
		await Promise.resolve();
		const { durable: _, ...snapshot } = this.#snapshot(queries);
		return snapshot;
	}

	peek<const Q extends readonly Query[]>(queries: Q): Peek<Q> | undefined {
		return this.#closed ? undefined : this.#snapshot(queries);
	}

	async commit(batch: Batch): Promise<number> {
		this.#assertOpen();
		const { records, watchers } = this.place;
		if (batch.base !== records.revision) {
			throw new OutlineError("conflict", `The base is ${batch.base}, and the outline is at ${records.revision}.`);
		}
		const related = records.answer({ type: "related", ids: relatedIds(batch.nodes) });
		records.apply(batch);
		for (const watcher of watchers) watcher({ revision: records.revision, detail: { batch, related } });
		await Promise.resolve();
		return batch.base + 1;
	}

	async *scan(): AsyncIterable<readonly StoredNode[]> {
		this.#assertOpen();
		const nodes = everything(this.place.records);
		for (let at = 0; at < nodes.length; at += 50) {
			await Promise.resolve();
			this.#assertOpen();
			yield nodes.slice(at, at + 50);
		}
	}

	watch(listener: (notice: CommitNotice) => void): () => void {
		const watcher = (notice: CommitNotice) => listener(notice);
		this.place.watchers.add(watcher);
		this.#watchers.add(watcher);
		return () => this.place.watchers.delete(watcher);
	}

	async close(): Promise<void> {
		this.#closed = true;
		for (const watcher of this.#watchers) this.place.watchers.delete(watcher);
		await Promise.resolve();
	}

	#snapshot<const Q extends readonly Query[]>(queries: Q): Peek<Q> {
		const { records } = this.place;
		const results = queries.map((query) => records.answer(query)) as unknown as Peek<Q>["results"];
		return { revision: records.revision, durable: true, results };
	}

	#assertOpen(): void {
		if (this.#closed) throw new OutlineError("closed", "The storage has been closed.");
	}
}
