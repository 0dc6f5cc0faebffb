import type { Buffer } from "node:buffer";
import { OutlineError } from "../../src/errors.js";
import { Pace, paced, type Steps } from "../../src/pace.js";
import type { Batch } from "../../src/storage.js";
import type { IndexImage, RecordIndex } from "../resident/index/record-index.js";
import type { Journal } from "../resident/journal.js";
import { fault } from "./fault.js";
import { copyBytes, writeAll } from "./file-bytes.js";
import type { FileHandle, FileSystem } from "./file-system.js";
import {
	commitBound,
	formatVersion,
	largeCommitLine,
	lineLimit,
	smallCommitLine,
	snapshotLines,
	syncedLine,
} from "./format.js";
import { loadFile } from "./load.js";
import type { FileLock } from "./lock.js";
import { changedWhileOpening, openDirectory, openOrCreate, temporary } from "./open.js";
import { type ForeignChange, Presence } from "./presence.js";

/** The approximate number of bytes of a snapshot that are passed to the system at once. */
const writeSize = 1 << 20;

/** The most bytes of all lines of one flush, unless it is a single line. They are in memory at once. */
const flushSize = 2 ** 26;

/**
 * A snapshot on closing is due from this share of the last snapshot on, and from so many bytes. No commit waits for it
 * then, and the next process that opens the file would have to read the commits one by one.
 */
const closingShare = 1 / 16;
const closingSize = 1 << 14;

/** Options of a file journal. */
export interface FileJournalOptions {
	readonly fileSystem: FileSystem;
	readonly lock: (path: string) => Promise<FileLock>;
	/** The minimum number of bytes of commits after which a new snapshot is due. */
	readonly compactAfter: number;
	/** The most bytes of a line. Default {@link lineLimit}. */
	readonly lineLimit?: number;
	/** Called when the file accepts no more writes and its lock has been released. */
	readonly onBroken?: () => void;
}

/** A file that is open for appending. */
interface OpenFile {
	readonly path: string;
	readonly handle: FileHandle;
	readonly presence: Presence;
	readonly lock: FileLock;
	/** The number of bytes that are known to be durable. Bytes after them don't count. */
	size: number;
	/** The number of bytes that the file may have after a failed write; usually `size`. */
	end: number;
	/** The number of bytes of the snapshot. */
	snapshotSize: number;
	revision: number;
	/** Whether a line has been appended after the file was opened. */
	appended: boolean;
}

/**
 * The journal of one outline in one append-only file. It acknowledges a commit after fdatasync, if the file
 * is still at its path and unchanged. It cuts off the bytes of a write that failed. After a failed fsync it
 * writes nothing more, because the content of the disk is unknown then. It also stops if another program has
 * moved, replaced or changed the file.
 */
export class FileJournal implements Journal {
	readonly #path: string;
	readonly #options: FileJournalOptions;
	#file: OpenFile | null = null;
	/** The reason why the file accepts no more writes. */
	#broken: OutlineError | null = null;
	/** Settles when the lock of a broken file has been released. */
	#released: Promise<void> | null = null;
	#snapshotting: Promise<void> | null = null;
	/**
	 * A snapshot isn't due before the file has this size. After a failed snapshot, it isn't tried again at
	 * once.
	 */
	#postponedTo = 0;
	/** Settles when the present work ends. Appending and the switch to a snapshot exclude each other. */
	#turn: Promise<unknown> = Promise.resolve();

	constructor(path: string, options: FileJournalOptions) {
		this.#path = path;
		this.#options = options;
	}

	get snapshotDue(): boolean {
		return this.#hasGrownBy(this.#options.compactAfter, 1);
	}

	get snapshotDueOnClosing(): boolean {
		return this.#hasGrownBy(Math.min(this.#options.compactAfter, closingSize), closingShare);
	}

	/** Whether the commits after the snapshot have more bytes than some, and than a share of the snapshot. */
	#hasGrownBy(bytes: number, share: number): boolean {
		if (this.#file === null || this.#broken !== null) return false;
		const { size, snapshotSize } = this.#file;
		return size >= this.#postponedTo && size - snapshotSize > Math.max(bytes, share * snapshotSize);
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
			const { size: found } = await handle.stat();
			const { size, snapshotSize, provenSize, version } = await loadFile(handle, path, index);
			if ((await handle.stat()).size !== found) throw changedWhileOpening(path);
			await handle.truncate(size);
			// The last write of another process may not be durable, so write it again. An fsync that failed for
			// that process leaves the pages clean, and our fsync would then report success.
			await copyBytes(handle, { start: provenSize, end: size }, handle, provenSize);
			await handle.datasync();
			directory = await openDirectory(fileSystem, path);
			await directory.sync();
			await fileSystem.unlink(temporary(path)).catch(() => {});
			const presence = await Presence.of(fileSystem, handle, path);
			if (presence === undefined || (await handle.stat()).size !== BigInt(size)) throw changedWhileOpening(path);
			const { revision } = index;
			this.#file = { path, handle, presence, lock, size, end: size, snapshotSize, revision, appended: false };
			// Before the first commit: an earlier release would read a commit of the present format wrongly.
			if (version < formatVersion) await this.#bringForward(this.#file, index.image());
		} catch (error) {
			this.#file = null;
			await handle?.close().catch(() => {});
			await lock?.release();
			throw fault("opening", this.#path, error);
		} finally {
			await directory?.close().catch(() => {});
		}
	}

	/**
	 * Whether the file accepts writes, as far as can be seen. Returns false if another program has moved,
	 * replaced or changed it.
	 */
	async isCurrent(): Promise<boolean> {
		await this.#inTurn(async () => {
			if (this.#file !== null && this.#broken === null) await this.#assertPresent(this.#file);
		}).catch(() => {});
		await this.#released;
		return this.#broken === null;
	}

	groupSize(batches: readonly Batch[]): number {
		const most = Math.min(flushSize, this.#options.lineLimit ?? lineLimit);
		let size = 0;
		for (let index = 0; index < batches.length; index++) {
			size += commitBound(batches[index]!);
			if (size > most) return Math.max(index, 1);
		}
		return batches.length;
	}

	async append(batches: readonly Batch[]): Promise<void> {
		try {
			await this.#inTurn(async () => {
				if (this.#broken !== null) throw this.#broken;
				const file = this.#file!;
				const limit = this.#options.lineLimit;
				const lines = lineOfOne(batches, limit) ?? (await paced(linesOf(batches, limit)));
				await this.#write(file, lines);
				file.revision = batches.at(-1)!.base + 1;
			});
		} catch (error) {
			// The caller may open the file again at once.
			await this.#released;
			throw error;
		}
	}

	async snapshot(image: IndexImage): Promise<void> {
		if (this.#broken !== null) return;
		this.#snapshotting = this.#replace(this.#file!, image).then(() => {
			this.#snapshotting = null;
		});
		await this.#snapshotting;
	}

	/** Replaces the file by a snapshot. */
	async #replace(file: OpenFile, image: IndexImage): Promise<unknown> {
		const { fileSystem } = this.#options;
		/**
		 * The end of the commits copied so far. Commits that arrive while the snapshot is written are copied
		 * behind it.
		 */
		let copied = file.size;
		let handle: FileHandle | undefined;
		let directory: Pick<FileHandle, "sync" | "close"> | undefined;
		let renamed = false;
		try {
			const { mode } = await file.handle.stat();
			const target = await fileSystem.open(temporary(file.path), "w+", Number(mode & 0o777n));
			handle = target;
			const snapshotSize = await this.#writeSnapshot(target, image);
			let size = snapshotSize;
			const copyCommits = async () => {
				const range = { start: copied, end: file.size };
				await copyBytes(file.handle, range, target, size);
				size += range.end - range.start;
				copied = range.end;
			};
			// Copies most of these commits before it blocks new ones.
			while (file.size - copied > writeSize && this.#broken === null) await copyCommits();
			await target.datasync();
			await this.#inTurn(async () => {
				if (this.#broken !== null) throw this.#broken;
				await copyCommits();
				await target.datasync();
				directory = await openDirectory(fileSystem, file.path);
				const presence = await Presence.of(fileSystem, target, file.path, temporary(file.path));
				if (presence === undefined) throw new Error("another program has changed the snapshot");
				await this.#assertPresent(file);
				await fileSystem.rename(temporary(file.path), file.path);
				renamed = true;
				this.#file = { ...file, handle: target, presence, size, end: size, snapshotSize, appended: true };
				await file.handle.close().catch(() => {});
				await directory.sync();
			});
		} catch (error) {
			if (renamed) {
				// After a power cut the name may lead to the old file again, and later commits wouldn't be in it.
				void this.#break(this.#file!, unconfirmed(file.path, error));
				return error;
			}
			this.#postponedTo = 2 * file.size - file.snapshotSize;
			await handle?.close().catch(() => {});
			await fileSystem.unlink(temporary(file.path)).catch(() => {});
			return error;
		} finally {
			await directory?.close().catch(() => {});
		}
	}

	/** Replaces a file of an earlier format by a snapshot. If it fails, the file stays as it is, or is whole. */
	async #bringForward(file: OpenFile, image: IndexImage): Promise<void> {
		const error = await this.#replace(file, image);
		if (this.#broken !== null) throw this.#broken;
		if (error !== undefined) throw error;
	}

	async #writeSnapshot(target: FileHandle, image: IndexImage): Promise<number> {
		const pace = new Pace();
		let waiting: Buffer[] = [];
		let waitingSize = 0;
		let size = 0;
		for (const line of snapshotLines(image, this.#options.lineLimit)) {
			for (const bytes of line ?? []) {
				waiting.push(bytes);
				waitingSize += bytes.length;
			}
			if (waitingSize >= writeSize) {
				size += await writeAll(target, waiting, size);
				waiting = [];
				waitingSize = 0;
			} else if (pace.isDue) await pace.turn();
			if (this.#broken !== null) throw this.#broken;
		}
		return size + (await writeAll(target, waiting, size));
	}

	async close(): Promise<void> {
		await this.#inTurn(async () => {
			const file = this.#file;
			if (file === null) return;
			this.#file = null;
			try {
				if (this.#broken === null && file.appended) await this.#write(file, [syncedLine(file.revision)]);
			} catch {
				// The line only helps to detect damage; it is no part of the outline. All acknowledged commits are
				// durable without it.
			}
			this.#released ??= this.#release(file);
		});
		await this.#released;
	}

	/**
	 * Writes after the durable bytes, and waits until the new bytes are durable. If that fails, cuts them off.
	 */
	async #write(file: OpenFile, bytes: readonly Buffer[]): Promise<void> {
		if (!file.presence.isUnchanged(file.size)) await this.#assertPresent(file);
		try {
			if (file.end > file.size) await this.#cut(file);
			file.end = bytes.reduce((end, { length }) => end + length, file.size);
			const writing = writeAll(file.handle, bytes, file.size);
			if (typeof writing !== "number") await writing;
		} catch (error) {
			// The cut must be durable too. Otherwise a power cut might bring back a commit that is now reported as
			// failed.
			await this.#cut(file).catch(() => {});
			throw fault("writing to", file.path, error);
		}
		await this.#sync(file);
		let change: ForeignChange | null;
		try {
			change = file.presence.changeDuringWrite(file.end, bytes);
		} catch (error) {
			await this.#cut(file).catch(() => {});
			throw fault("looking at", file.path, error);
		}
		if (change !== null) {
			// Our file may be elsewhere now, and opened there again. A file that another program has changed isn't
			// touched.
			if (Presence.leavesContent(change)) await takeBack(file).catch(() => {});
			throw await this.#lose(file, change);
		}
		file.size = file.end;
		file.appended = true;
	}

	/** Cuts off the bytes of a failed write. If that fails too, the next write tries it again first. */
	async #cut(file: OpenFile): Promise<void> {
		await this.#assertPresent(file);
		await file.handle.truncate(file.size);
		await this.#sync(file);
		file.end = file.size;
	}

	async #sync(file: OpenFile): Promise<void> {
		try {
			await file.handle.datasync();
		} catch (error) {
			// A commit that wasn't acknowledged should not be there when the file is opened again. This is all that
			// can be done about it.
			await cutIfOurs(file).catch(() => {});
			throw this.#break(file, unconfirmed(file.path, error));
		}
	}

	/**
	 * Checks the file at its path. @throws `storage_unavailable` if another program has changed, moved or
	 * replaced it
	 */
	async #assertPresent(file: OpenFile): Promise<void> {
		let change: ForeignChange | null;
		try {
			change = await file.presence.change(file.size, file.end);
		} catch (error) {
			throw fault("looking at", file.path, error);
		}
		if (change !== null) throw await this.#lose(file, change);
	}

	/** Stops using a file that another program has changed or moved. Returns the error to throw. */
	async #lose(file: OpenFile, change: ForeignChange): Promise<OutlineError> {
		const links = change === "moved away or deleted" ? await file.handle.stat().catch(() => undefined) : undefined;
		const known = links === undefined ? change : links.nlink === 0n ? "deleted" : "moved away";
		return this.#break(file, lost(file.path, known));
	}

	/** Stops all writes. Returns the error to throw. */
	#break(file: OpenFile, error: OutlineError): OutlineError {
		this.#broken ??= error;
		this.#released ??= this.#release(file).then(this.#options.onBroken);
		return this.#broken;
	}

	/**
	 * Closes the file and releases the lock. Work in turn and snapshots must not wait for it, or they would
	 * wait forever.
	 */
	async #release(file: OpenFile): Promise<void> {
		// The temporary file of a snapshot would disturb the next process that takes the lock.
		await this.#snapshotting;
		await file.handle.close().catch(() => {});
		await file.lock.release();
	}

	#inTurn<T>(work: () => Promise<T>): Promise<T> {
		const result = this.#turn.then(work);
		this.#turn = result.catch(() => {});
		return result;
	}
}

/** Returns the line of a single small batch, as most flushes have it; undefined for others. */
function lineOfOne(batches: readonly Batch[], limit: number | undefined): Buffer[] | undefined {
	if (batches.length !== 1) return undefined;
	const line = smallCommitLine(batches[0]!, batches[0]!.base + 1, limit);
	return line && [line];
}

/** Makes the lines of batches that are written in one flush. @throws `too_large` */
function* linesOf(batches: readonly Batch[], limit: number | undefined): Steps<Buffer[]> {
	const lines: Buffer[] = [];
	const flush = batches[0]!.base + 1;
	for (const batch of batches) {
		const line = smallCommitLine(batch, flush, limit);
		if (line !== undefined) lines.push(line);
		else for (const bytes of yield* largeCommitLine(batch, flush, limit)) lines.push(bytes);
		yield;
	}
	return lines;
}

async function cutIfOurs({ presence, handle, size, end }: OpenFile): Promise<void> {
	if ((await presence.change(size, end)) === null) await handle.truncate(size);
}

/** Removes the last write, unless another program has written more. */
async function takeBack({ handle, size, end }: OpenFile): Promise<void> {
	if (Number((await handle.stat()).size) !== end) return;
	await handle.truncate(size);
	await handle.datasync();
}

function unconfirmed(path: string, cause: unknown): OutlineError {
	return new OutlineError(
		"storage_unavailable",
		`The disk didn't confirm that ${path} is durable, so nothing more is written to it. Every commit acknowledged before is safe; check the disk, then open the file again.`,
		{ cause },
	);
}

function lost(path: string, change: string): OutlineError {
	return new OutlineError(
		"storage_unavailable",
		`${path} has been ${change} while it was open, so nothing more is written. What was acknowledged before is in the file as it was ` +
			"there, and this storage still shows it. Close the storage and open the path again to go on with the file that is there now.",
	);
}
