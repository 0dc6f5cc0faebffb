import { OutlineError, type OutlineErrorCode } from "../../src/errors.js";
import type {
	Batch,
	CommitNotice,
	DisposableStorage,
	Peek,
	Query,
	Snapshot,
	StorageAdapter,
	StoredNode,
} from "../../src/storage.js";
import { closed } from "../storage-error.js";

/**
 * A file that is open in this thread. Several copies of this module may share it, perhaps of different
 * releases. A development server evaluates modules again after each change, and a program may have two
 * versions of a package. So this shape may change only together with the name of {@link registryKey}.
 */
export interface SharedFile {
	/** The storage, made by the copy that opened the file. */
	readonly storage: StorageAdapter;
	/** Whether it is still the file at its path and accepts writes. If not, it has released the path. */
	isCurrent(): Promise<boolean>;
	/** The number of storages that use it. Closing the last one closes the file. */
	users: number;
	/** Settles when the file has been closed; null until the last user closes. */
	closing: Promise<void> | null;
}

const registryKey: unique symbol = Symbol.for("outlinekit.open-files.1");

/** Returns the open files of this thread, by their locations. */
function openFiles(): Map<string, SharedFile> {
	const holder = globalThis as { [registryKey]?: Map<string, SharedFile> };
	holder[registryKey] ??= new Map();
	return holder[registryKey];
}

/** The files that this copy of the module has opened. */
const own = new WeakSet<SharedFile>();

/**
 * Returns the storage of a file, which opens the file on first use. The storage calls `onBroken` when the
 * file accepts no more writes.
 */
export type OpenFile = (location: string, onBroken: () => void) => Pick<SharedFile, "storage" | "isCurrent">;

/**
 * A storage on a file that other storages of this thread may use too. It joins them on its first use, and
 * leaves them when it is closed. It passes all calls on to the storage that they share.
 */
export class SharedFileStorage implements DisposableStorage {
	readonly #locate: () => Promise<string>;
	readonly #openFile: OpenFile;
	/** The storage of the file; null before it is open, and after this storage has been closed. */
	#storage: StorageAdapter | null = null;
	/** The same storage, but also while it is being opened: it may send notices at once. */
	#watched: StorageAdapter | null = null;
	#joining: Promise<Joined> | null = null;
	#closing: Promise<void> | null = null;
	readonly #watches = new Set<Watch>();
	/** The number of own commits that haven't settled. */
	#commits = 0;
	#whenSettled: () => void = () => {};
	readonly #settled = () => {
		this.#commits -= 1;
		if (this.#commits === 0) this.#whenSettled();
	};

	/**
	 * @param locate - finds the location of the file: the same for all paths that lead there
	 * @param openFile - opens the file, if no other storage has
	 */
	constructor(locate: () => Promise<string>, openFile: OpenFile) {
		this.#locate = locate;
		this.#openFile = openFile;
	}

	read<const Q extends readonly Query[]>(queries: Q): Promise<Snapshot<Q>> {
		return this.#storage === null ? this.#join().then((storage) => storage.read(queries)) : this.#storage.read(queries);
	}

	peek<const Q extends readonly Query[]>(queries: Q): Peek<Q> | undefined {
		return this.#storage?.peek?.(queries);
	}

	commit(batch: Batch): Promise<number> {
		if (this.#storage === null) return this.#join().then(() => this.commit(batch));
		const committing = this.#storage.commit(batch);
		this.#commits += 1;
		committing.then(this.#settled, this.#settled);
		return committing;
	}

	async *scan(): AsyncIterable<readonly StoredNode[]> {
		const storage = await this.#join();
		for await (const chunk of storage.scan()) {
			if (this.#closing !== null) throw closed();
			yield chunk;
		}
	}

	watch(listener: (notice: CommitNotice) => void, needsDetail = true): () => void {
		const watch: Watch = { listener, needsDetail, end: this.#watched?.watch?.(listener, needsDetail) };
		this.#watches.add(watch);
		return () => {
			this.#watches.delete(watch);
			watch.end?.();
		};
	}

	close(): Promise<void> {
		this.#closing ??= this.#close();
		return this.#closing;
	}

	[Symbol.asyncDispose](): Promise<void> {
		return this.close();
	}

	async #close(): Promise<void> {
		const joined = await this.#joining?.catch(() => undefined);
		this.#storage = null;
		if (joined === undefined) return;
		if (this.#commits > 0) {
			await new Promise<void>((resolve) => {
				this.#whenSettled = resolve;
			});
		}
		this.#endWatches();
		await leave(joined);
	}

	/** Resolves with the storage of the file. @throws `closed`, and the errors of opening the file */
	async #join(): Promise<StorageAdapter> {
		if (this.#closing !== null) throw closed();
		this.#joining ??= this.#joinFile();
		const { storage } = await this.#joining;
		if (this.#closing !== null) throw closed();
		return storage;
	}

	async #joinFile(): Promise<Joined> {
		try {
			const location = await this.#locate();
			const file = await this.#fileAt(location);
			const storage = own.has(file) ? file.storage : foreignStorage(file.storage);
			const joined = { location, file, storage };
			this.#watched = storage;
			for (const watch of this.#watches) watch.end = storage.watch?.(watch.listener, watch.needsDetail);
			try {
				await storage.read([]);
			} catch (error) {
				this.#endWatches();
				await leave(joined);
				throw error;
			}
			this.#storage = storage;
			return joined;
		} catch (error) {
			// The next use tries again. The cause may have gone by then, or the path may lead elsewhere.
			this.#joining = null;
			throw error;
		}
	}

	/** Joins the users of the open file at a location and returns the file. Opens it if needed. */
	async #fileAt(location: string): Promise<SharedFile> {
		const files = openFiles();
		for (;;) {
			const file = files.get(location);
			if (file === undefined) return this.#newFile(location);
			if (file.closing !== null) await file.closing.catch(() => {});
			else if (await file.isCurrent()) {
				// The file may have been closed meanwhile.
				if (file.closing !== null || files.get(location) !== file) continue;
				file.users += 1;
				return file;
			} else if (files.get(location) === file) files.delete(location);
		}
	}

	#newFile(location: string): SharedFile {
		const files = openFiles();
		const onBroken = () => {
			if (files.get(location) === file) files.delete(location);
		};
		const file: SharedFile = { ...this.#openFile(location, onBroken), users: 1, closing: null };
		own.add(file);
		files.set(location, file);
		return file;
	}

	/** Stops watching the storage of the file. */
	#endWatches(): void {
		this.#watched = null;
		for (const watch of this.#watches) {
			watch.end?.();
			watch.end = undefined;
		}
	}
}

/** A file that a storage uses, and its location. */
interface Joined {
	readonly location: string;
	readonly file: SharedFile;
	/** The storage of the file, as this copy of the module uses it. */
	readonly storage: StorageAdapter;
}

interface Watch {
	readonly listener: (notice: CommitNotice) => void;
	readonly needsDetail: boolean;
	/** Stops watching the file's storage; undefined while it isn't watched. */
	end: (() => void) | undefined;
}

/**
 * Stops using a file. The last user closes it. A storage that is made meanwhile waits for that and opens the
 * file again.
 */
async function leave({ location, file }: Joined): Promise<void> {
	file.users -= 1;
	if (file.users > 0) return;
	const files = openFiles();
	file.closing = file.storage.close().finally(() => {
		if (files.get(location) === file) files.delete(location);
	});
	await file.closing;
}

/**
 * Wraps a storage that another copy of this package made. Its errors are of that copy's class, which is not
 * this copy's `OutlineError`, so the wrapper converts them.
 */
function foreignStorage(storage: StorageAdapter): StorageAdapter {
	return {
		read: <const Q extends readonly Query[]>(queries: Q): Promise<Snapshot<Q>> => storage.read(queries).catch(rethrow),
		peek: <const Q extends readonly Query[]>(queries: Q): Peek<Q> | undefined => storage.peek?.(queries),
		commit: (batch: Batch) => storage.commit(batch).catch(rethrow),
		async *scan(): AsyncIterable<readonly StoredNode[]> {
			try {
				yield* storage.scan();
			} catch (error) {
				rethrow(error);
			}
		},
		watch: (listener: (notice: CommitNotice) => void, needsDetail = true) =>
			storage.watch?.(listener, needsDetail) ?? (() => {}),
		close: () => storage.close().catch(rethrow),
	};
}

function rethrow(error: unknown): never {
	const { name, code, message } = error as OutlineError;
	if (error instanceof OutlineError || name !== "OutlineError") throw error;
	throw new OutlineError(code as OutlineErrorCode, message, { cause: error });
}
