import { Buffer } from "node:buffer";
import { dirname } from "node:path";
import { OutlineError } from "../../src/errors.js";
import type { Batch } from "../../src/storage.js";
import type { Journal } from "../resident/journal.js";
import { type IndexImage, RecordIndex } from "../resident/record-index.js";
import { fault } from "./fault.js";
import type { FileHandle, FileSystem } from "./file-system.js";
import { commitLine, snapshotLines, syncedLine } from "./format.js";
import { loadFile, readFrom } from "./load.js";
import type { FileLock } from "./lock.js";

/** How many characters of a snapshot are written at once. */
const writeSize = 1 << 20;

/** How many bytes are written without leaving the thread, at most. */
const smallWrite = 1 << 16;

/** On closing, nobody waits for the next commit, and whoever opens the file would have to read all of them. */
const closingShare = 1 / 4;

/** Whoever may read an outline is up to its owner. */
const privateMode = 0o600;

/** What the name of a file ends with that is to take an outline's place. No outline is kept under such a name. */
export const temporarySuffix = ".outlinekit-new";

/** What a file journal stands on. */
export interface FileJournalOptions {
	readonly fileSystem: FileSystem;
	readonly lock: (path: string) => Promise<FileLock>;
	/** How many bytes of commits may stand behind a snapshot, at least, before a new one is written. */
	readonly compactAfter: number;
}

/** A file that is open for appending. */
interface OpenFile {
	readonly path: string;
	readonly handle: FileHandle;
	readonly lock: FileLock;
	/** How many bytes are known to be durable. Nothing behind them counts. */
	size: number;
	/** How many of them are the snapshot. */
	snapshotSize: number;
	revision: number;
	/** Whether there may be bytes behind `size`, from a write that failed. */
	littered: boolean;
	/** Whether something has been appended since the file was opened. */
	appended: boolean;
}

/**
 * The journal of one outline in one append-only file. A commit is acknowledged after fdatasync; a write that fails is cut
 * off again; after a failed fsync nothing more is written, for nobody can tell any more what the disk has.
 */
export class FileJournal implements Journal {
	readonly #path: string;
	readonly #options: FileJournalOptions;
	#file: OpenFile | null = null;
	/** Why the file takes no more writes. */
	#broken: OutlineError | null = null;
	/** The lines appended since the snapshot that is being written; null while none is. */
	#tail: Buffer[] | null = null;
	/** A snapshot isn't due before the file has this size: after one failed, it isn't tried again at once. */
	#postponedTo = 0;
	/** The end of what is under way: appending and the switch to a snapshot exclude each other. */
	#turn: Promise<unknown> = Promise.resolve();

	constructor(path: string, options: FileJournalOptions) {
		this.#path = path;
		this.#options = options;
	}

	get snapshotDue(): boolean {
		return this.#hasGrownBy(1);
	}

	get snapshotDueOnClosing(): boolean {
		return this.#hasGrownBy(closingShare);
	}

	/** Whether the commits behind the snapshot are a share of what makes a new one due. */
	#hasGrownBy(share: number): boolean {
		if (this.#file === null || this.#broken !== null) return false;
		const { size, snapshotSize } = this.#file;
		const commits = size - snapshotSize;
		return size >= this.#postponedTo && commits > share * Math.max(this.#options.compactAfter, snapshotSize);
	}

	async open(index: RecordIndex): Promise<void> {
		const { fileSystem } = this.#options;
		let lock: FileLock | undefined;
		let handle: FileHandle | undefined;
		let directory: Pick<FileHandle, "sync" | "close"> | undefined;
		try {
			lock = await this.#options.lock(this.#path);
			const { path } = lock;
			handle = await openOrCreate(fileSystem, path);
			const { size, snapshotSize, provenSize } = await loadFile(handle, path, index);
			await handle.truncate(size);
			// What another process wrote last may not be durable. It is written again, since an fsync that failed for that
			// process leaves the pages clean, and ours would say that all is well.
			await writeAll(handle, await readFrom(handle, provenSize), provenSize);
			await handle.datasync();
			directory = await openDirectory(fileSystem, path);
			await directory.sync();
			await fileSystem.unlink(temporary(path)).catch(() => {});
			const { revision } = index;
			this.#file = { path, handle, lock, size, snapshotSize, revision, littered: false, appended: false };
		} catch (error) {
			await handle?.close().catch(() => {});
			await lock?.release();
			throw fault("opening", this.#path, error);
		} finally {
			await directory?.close().catch(() => {});
		}
	}

	append(batches: readonly Batch[]): Promise<void> {
		return this.#inTurn(async () => {
			if (this.#broken !== null) throw this.#broken;
			const file = this.#file!;
			const first = batches[0]!.base + 1;
			const bytes = Buffer.from(batches.map((batch) => commitLine(batch, first)).join(""));
			await this.#write(file, bytes);
			file.revision = batches.at(-1)!.base + 1;
			this.#tail?.push(bytes);
		});
	}

	async snapshot(image: IndexImage): Promise<void> {
		const file = this.#file!;
		const { fileSystem } = this.#options;
		this.#tail = [];
		let handle: FileHandle | undefined;
		let directory: Pick<FileHandle, "sync" | "close"> | undefined;
		let renamed = false;
		try {
			const { mode = privateMode } = await file.handle.stat();
			const target = await fileSystem.open(temporary(file.path), "w", mode & 0o777);
			handle = target;
			const snapshotSize = await writeLines(target, snapshotLines(image));
			await target.datasync();
			await this.#inTurn(async () => {
				if (this.#broken !== null) throw this.#broken;
				const tail = Buffer.concat(this.#tail!);
				await writeAll(target, tail, snapshotSize);
				await target.datasync();
				directory = await openDirectory(fileSystem, file.path);
				await fileSystem.rename(temporary(file.path), file.path);
				renamed = true;
				const size = snapshotSize + tail.length;
				this.#file = {
					...file,
					handle: target,
					size,
					snapshotSize,
					revision: file.revision,
					littered: false,
					appended: true,
				};
				await file.handle.close().catch(() => {});
				await directory.sync();
			});
		} catch (error) {
			if (renamed) {
				// After a power cut the name may stand for the old file again, which later commits wouldn't be in.
				this.#broken ??= closedForWriting(file.path, error);
				return;
			}
			this.#postponedTo = 2 * file.size - file.snapshotSize;
			await handle?.close().catch(() => {});
			await fileSystem.unlink(temporary(file.path)).catch(() => {});
		} finally {
			this.#tail = null;
			await directory?.close().catch(() => {});
		}
	}

	close(): Promise<void> {
		return this.#inTurn(async () => {
			const file = this.#file;
			if (file === null) return;
			this.#file = null;
			try {
				if (this.#broken === null && file.appended) await this.#write(file, Buffer.from(syncedLine(file.revision)));
			} catch {
				// The line is a help against damage, no part of the outline: what was acknowledged is durable without it.
			}
			await file.handle.close().catch(() => {});
			await file.lock.release();
		});
	}

	/** Writes behind what is durable and waits until it is durable too. If that fails, nothing stays behind. */
	async #write(file: OpenFile, bytes: Buffer): Promise<void> {
		try {
			if (file.littered) await this.#cut(file);
			file.littered = true;
			await writeAll(file.handle, bytes, file.size);
		} catch (error) {
			// Cut off durably, or a power cut might bring back what the caller is now told has failed.
			await this.#cut(file).catch(() => {});
			throw fault("writing to", file.path, error);
		}
		await this.#sync(file);
		file.littered = false;
		file.size += bytes.length;
		file.appended = true;
	}

	/** Cuts off what a failed write left. If it can't be, the next write tries again first. */
	async #cut(file: OpenFile): Promise<void> {
		await file.handle.truncate(file.size);
		await this.#sync(file);
		file.littered = false;
	}

	async #sync(file: OpenFile): Promise<void> {
		try {
			await file.handle.datasync();
		} catch (error) {
			this.#broken ??= closedForWriting(file.path, error);
			// What wasn't acknowledged should not be there when the file is opened again. More can't be done about it.
			await file.handle.truncate(file.size).catch(() => {});
			throw this.#broken;
		}
	}

	#inTurn<T>(work: () => Promise<T>): Promise<T> {
		const result = this.#turn.then(work);
		this.#turn = result.catch(() => {});
		return result;
	}
}

async function openOrCreate(fileSystem: FileSystem, path: string): Promise<FileHandle> {
	let handle: FileHandle;
	try {
		handle = await fileSystem.open(path, "r+");
	} catch (error) {
		if ((error as { code?: unknown }).code !== "ENOENT") throw error;
		return create(fileSystem, path);
	}
	const stat = await handle.stat();
	if (!stat.isFile()) {
		await handle.close();
		throw new OutlineError("storage_unavailable", `${path} is not a regular file. Give the path of a file.`);
	}
	if (stat.size > 0) return handle;
	await handle.close();
	return create(fileSystem, path);
}

/** A new file appears under its name only when its header is durable. */
async function create(fileSystem: FileSystem, path: string): Promise<FileHandle> {
	const handle = await fileSystem.open(temporary(path), "w+", privateMode);
	try {
		await writeLines(handle, snapshotLines(new RecordIndex().image()));
		await handle.datasync();
		await fileSystem.rename(temporary(path), path);
		return handle;
	} catch (error) {
		await handle.close().catch(() => {});
		await fileSystem.unlink(temporary(path)).catch(() => {});
		throw error;
	}
}

/** Opens the directory of a file, to make durable what it is called. */
async function openDirectory(fileSystem: FileSystem, path: string): Promise<Pick<FileHandle, "sync" | "close">> {
	// Windows has no handles of directories, and its file systems journal names by themselves.
	if (process.platform === "win32") return { sync: async () => {}, close: async () => {} };
	return fileSystem.open(dirname(path), "r");
}

async function writeLines(handle: FileHandle, lines: Iterable<string>): Promise<number> {
	let position = 0;
	let waiting = "";
	const write = async () => {
		const bytes = Buffer.from(waiting);
		await writeAll(handle, bytes, position);
		position += bytes.length;
		waiting = "";
	};
	for (const line of lines) {
		waiting += line;
		if (waiting.length >= writeSize) await write();
	}
	await write();
	return position;
}

async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
	for (let written = 0; written < bytes.length; ) {
		const left = bytes.length - written;
		if (left <= smallWrite && handle.writeSync !== undefined) {
			written += handle.writeSync(bytes, written, left, position + written);
		} else {
			const { bytesWritten } = await handle.write(bytes, written, left, position + written);
			written += bytesWritten;
		}
	}
}

function closedForWriting(path: string, cause: unknown): OutlineError {
	return new OutlineError(
		"storage_unavailable",
		`The disk didn't confirm that ${path} is durable, so nothing more is written to it. What was acknowledged before is safe; check the disk, then open the file anew.`,
		{ cause },
	);
}

function temporary(path: string): string {
	return path + temporarySuffix;
}
