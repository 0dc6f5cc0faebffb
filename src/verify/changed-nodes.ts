import type { Answers, Query, Snapshot, StorageAdapter } from "../storage.js";

/** The most changes in one request. */
const pageSize = 1000;

/**
 * Reads from a storage while other writers commit to it, and knows which nodes have changed after a revision.
 * An earlier scan may be wrong about these.
 */
export class ChangedNodes {
	readonly #storage: StorageAdapter;
	readonly #ids = new Set<string>();
	/** The revision after which all changes are known. */
	readonly since: number;
	#known: number;

	/** @param since - a revision before the scan */
	constructor(storage: StorageAdapter, since: number) {
		this.#storage = storage;
		this.since = since;
		this.#known = since;
	}

	/** Whether no node has changed. */
	get none(): boolean {
		return this.#ids.size === 0;
	}

	/** Whether a commit has written or deleted a node, as of the last {@link ChangedNodes.read}. */
	has(id: string): boolean {
		return this.#ids.has(id);
	}

	/** Answers queries, at a revision up to which all changed nodes are known. */
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
