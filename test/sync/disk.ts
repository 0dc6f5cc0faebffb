import { createMemoryStorage } from "../../adapters/memory.js";
import { OutlineError } from "../../src/errors.js";
import type { Batch, CommitNotice, Peek, Query, Snapshot, StorageAdapter } from "../../src/storage.js";

/** What a disk holds: it outlives the programs that use it, and it can be copied. */
export class Disk {
	readonly storage = createMemoryStorage();
	/** The commits, by the revision that each is based on. */
	readonly #commits: Batch[] = [];

	/** @param isPaged - whether its answers always take a turn, as those of a database do */
	constructor(readonly isPaged = false) {}

	/** The number of commits so far. */
	get revision(): number {
		return this.#commits.length;
	}

	/** Opens the disk for one program, or for one tab. */
	open(): Session {
		return new Session(this);
	}

	/** Returns a copy of the disk, as it is or as it was at an earlier revision. */
	async copy(revision = this.revision): Promise<Disk> {
		const copy = new Disk(this.isPaged);
		for (const batch of this.#commits.slice(0, revision)) await copy.commit(batch);
		return copy;
	}

	/** Commits a batch and keeps it for copies. */
	async commit(batch: Batch): Promise<number> {
		const revision = await this.storage.commit(batch);
		this.#commits[batch.base] = batch;
		return revision;
	}

	/** Returns the keys of the documents that begin with a text. */
	async documentKeys(prefix: string): Promise<string[]> {
		const { results } = await this.storage.read([{ type: "documents", prefix }]);
		return results[0].map(({ key }) => key);
	}
}

/** The storage of one program on a {@link Disk}. It fails as soon as the program is killed. */
export class Session implements StorageAdapter {
	readonly #disk: Disk;
	readonly #stops = new Set<() => void>();
	#isDead = false;
	#death: { commits: number; isWritten: boolean } | null = null;

	constructor(disk: Disk) {
		this.#disk = disk;
	}

	/** Whether the program has been killed. */
	get isDead(): boolean {
		return this.#isDead;
	}

	/** Kills the program at a later commit: before the disk has the commit, or just afterwards. */
	killAt(commits: number, isWritten: boolean): void {
		this.#death = { commits, isWritten };
	}

	/** Kills the program: no answer reaches it any more. */
	kill(): void {
		this.#isDead = true;
		for (const stop of this.#stops) stop();
	}

	async read<const Q extends readonly Query[]>(queries: Q): Promise<Snapshot<Q>> {
		this.#assertAlive();
		if (this.#disk.isPaged) await Promise.resolve();
		return this.#disk.storage.read(queries);
	}

	peek<const Q extends readonly Query[]>(queries: Q): Peek<Q> | undefined {
		return this.#isDead || this.#disk.isPaged ? undefined : this.#disk.storage.peek!(queries);
	}

	async commit(batch: Batch): Promise<number> {
		this.#assertAlive();
		const death = this.#death;
		if (death === null || --death.commits > 0) return this.#disk.commit(batch);
		if (death.isWritten) await this.#disk.commit(batch).catch(() => {});
		this.kill();
		throw killed();
	}

	async *scan() {
		this.#assertAlive();
		for await (const chunk of this.#disk.storage.scan()) {
			this.#assertAlive();
			yield chunk;
		}
	}

	watch(listener: (notice: CommitNotice) => void): () => void {
		const stop = this.#disk.storage.watch!((notice) => {
			if (!this.#isDead) listener(notice);
		});
		this.#stops.add(stop);
		return stop;
	}

	async close(): Promise<void> {
		this.kill();
	}

	#assertAlive(): void {
		if (this.#isDead) throw killed();
	}
}

function killed(): OutlineError {
	return new OutlineError("storage_unavailable", "The program was killed.");
}
