import type { Answers, Query, Snapshot, StorageAdapter } from "../storage.js";

/** How many changes are asked for at once. */
const pageSize = 1000;

/**
 * Reads from a storage while others write to it, and knows of which nodes an earlier look doesn't hold any more: of those that
 * have been written since a revision.
 */
export class ChangedNodes {
	readonly #storage: StorageAdapter;
	readonly #ids = new Set<string>();
	/** What changed after this revision is known. */
	readonly since: number;
	#known: number;

	/** @param since - a revision before the earlier look */
	constructor(storage: StorageAdapter, since: number) {
		this.#storage = storage;
		this.since = since;
		this.#known = since;
	}

	/** Whether none has been written or deleted. */
	get none(): boolean {
		return this.#ids.size === 0;
	}

	/** Whether a node has been written, or deleted, as far as the last {@link ChangedNodes.read} could tell. */
	has(id: string): boolean {
		return this.#ids.has(id);
	}

	/** Answers queries, at a revision of which every changed node is known. */
	async read<const Q extends readonly Query[]>(...queries: Q): Promise<Answers<Q>> {
		for (;;) {
			const changes = { type: "changes", since: this.#known, limit: pageSize } as const;
			const { revision, results } = (await this.#storage.read([changes, ...queries])) as Snapshot<
				readonly [typeof changes, ...Query[]]
			>;
			const [{ nodes, deleted, revision: told }, ...answers] = results;
			for (const { id } of nodes) this.#ids.add(id);
			for (const { id } of deleted) this.#ids.add(id);
			const isWhole = told >= revision || told <= this.#known;
			this.#known = Math.min(told, revision);
			if (isWhole) return answers as unknown as Answers<Q>;
		}
	}
}
