import { OutlineError } from "../../src/errors.js";
import type { Batch, CommitNotice, Peek, Query, Snapshot, StorageAdapter } from "../../src/storage.js";
import { type Kind, kinds, type StoragePlace } from "./kinds.js";

/** The content of a disk. It outlives the programs that use it, and it can be copied. */
export class Disk {
	readonly #kind: Kind;
	readonly #place: StoragePlace;
	/** The commits, by the revision that each is based on. */
	readonly #commits: Batch[] = [];
	/** Settles when the storages of killed programs are closed; `null` if they are. */
	#closing: Promise<unknown> | null = null;

	/** @param kind - the kind of its storages */
	constructor(kind: Kind = kinds.memory) {
		this.#kind = kind;
		this.#place = kind();
	}

	/** The number of commits so far. */
	get revision(): number {
		return this.#commits.length;
	}

	/** Settles when the storages of killed programs are closed; `null` if they are. */
	get closing(): Promise<unknown> | null {
		return this.#closing;
	}

	/** Opens the disk for one program, or for one tab. */
	open(): Session {
		return new Session(this, this.#place.open());
	}

	/** Returns a copy of the disk, as it is or as it was at an earlier revision. */
	async copy(revision = this.revision): Promise<Disk> {
		const copy = new Disk(this.#kind);
		await copy.#use(async (storage) => {
			for (const batch of this.#commits.slice(0, revision)) {
				await storage.commit(batch);
				copy.keep(batch);
			}
		});
		return copy;
	}

	/** Keeps a batch that a program has committed, for copies. */
	keep(batch: Batch): void {
		this.#commits[batch.base] = batch;
	}

	/** Closes the storage of a killed program. Programs that open the disk later wait for that. */
	close(closing: Promise<unknown>): void {
		const all: Promise<unknown> = Promise.allSettled([this.#closing, closing]).then(() => {
			if (this.#closing === all) this.#closing = null;
		});
		this.#closing = all;
	}

	/** Reads the disk beside the programs. */
	read<const Q extends readonly Query[]>(queries: Q): Promise<Snapshot<Q>> {
		return this.#use((storage) => storage.read(queries));
	}

	/** Returns the keys of the documents that begin with a text. */
	async documentKeys(prefix: string): Promise<string[]> {
		const { results } = await this.read([{ type: "documents", prefix }]);
		return results[0].map(({ key }) => key);
	}

	async #use<T>(work: (storage: StorageAdapter) => Promise<T>): Promise<T> {
		const storage = this.#place.open();
		try {
			return await work(storage);
		} finally {
			await storage.close();
		}
	}
}

/** The storage of one program on a {@link Disk}. It fails as soon as the program is killed. */
export class Session implements StorageAdapter {
	readonly #disk: Disk;
	readonly #storage: StorageAdapter;
	readonly #stops = new Set<() => void>();
	/** The calls under way. */
	readonly #calls = new Set<Promise<unknown>>();
	#isDead = false;
	#death: { commits: number; isWritten: boolean } | null = null;

	/** @param storage - the program's own storage on the disk */
	constructor(disk: Disk, storage: StorageAdapter) {
		this.#disk = disk;
		this.#storage = storage;
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
		if (this.#isDead) return;
		this.#isDead = true;
		for (const stop of this.#stops) stop();
		this.#disk.close(Promise.allSettled(this.#calls).then(() => this.#storage.close()));
	}

	async read<const Q extends readonly Query[]>(queries: Q): Promise<Snapshot<Q>> {
		this.#assertAlive();
		if (this.#disk.closing !== null) await this.#disk.closing;
		return this.#follow(this.#storage.read(queries));
	}

	peek<const Q extends readonly Query[]>(queries: Q): Peek<Q> | undefined {
		return this.#isDead || this.#disk.closing !== null ? undefined : this.#storage.peek?.(queries);
	}

	async commit(batch: Batch): Promise<number> {
		this.#assertAlive();
		if (this.#disk.closing !== null) await this.#disk.closing;
		const death = this.#death;
		if (death === null || --death.commits > 0) return this.#commit(batch);
		if (death.isWritten) await this.#commit(batch).catch(() => {});
		this.kill();
		throw killed();
	}

	async *scan() {
		this.#assertAlive();
		if (this.#disk.closing !== null) await this.#disk.closing;
		for await (const chunk of this.#storage.scan()) {
			this.#assertAlive();
			yield chunk;
		}
	}

	watch(listener: (notice: CommitNotice) => void): () => void {
		const stop = this.#storage.watch!((notice) => {
			if (!this.#isDead) listener(notice);
		});
		this.#stops.add(stop);
		return stop;
	}

	async close(): Promise<void> {
		this.kill();
		await this.#disk.closing;
	}

	async #commit(batch: Batch): Promise<number> {
		const revision = await this.#follow(this.#storage.commit(batch));
		this.#disk.keep(batch);
		return revision;
	}

	#follow<T>(call: Promise<T>): Promise<T> {
		this.#calls.add(call);
		const ended = () => void this.#calls.delete(call);
		call.then(ended, ended);
		return call;
	}

	#assertAlive(): void {
		if (this.#isDead) throw killed();
	}
}

function killed(): OutlineError {
	return new OutlineError("storage_unavailable", "The program was killed.");
}
