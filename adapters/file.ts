/**
 * A storage in one file, for Node.
 *
 * @module outlinekit/file
 */
import { writeSync } from "node:fs";
import * as promises from "node:fs/promises";
import { OutlineError, quoted } from "../src/errors.js";
import type { StorageAdapter } from "../src/storage.js";
import type { FileSystem } from "./file/file-system.js";
import { FileJournal, type FileJournalOptions, temporarySuffix } from "./file/journal.js";
import { lockFile } from "./file/lock.js";
import { ResidentStorage } from "./resident/resident-storage.js";

/** How a file storage behaves. */
export interface FileStorageOptions {
	/**
	 * How many bytes of commits may stand behind a snapshot before a new one is written: at least so many, and at least as
	 * many as the snapshot has; on closing a quarter of that. Default 4 MiB.
	 */
	compactAfter?: number;
}

/**
 * A storage in one file: a text of lines that a person can read, appended to and now and then replaced by a snapshot. Node
 * only. The directory must exist; the file is created on first use, readable by its owner alone. Several `Outline`s of a
 * process may share the storage; a second process, or a second storage on the same path, gets `storage_unavailable`.
 *
 * A commit is acknowledged after fdatasync. After a failed fsync the storage takes no more writes.
 *
 * @throws `invalid_argument` for a path or option that isn't allowed; everything else is told on first use
 */
export function createFileStorage(path: string, options: FileStorageOptions = {}): StorageAdapter {
	return openFileStorage(path, options, { fileSystem, lock: lockFile });
}

const fileSystem: FileSystem = {
	async open(path, flags, mode) {
		const handle = await promises.open(path, flags, mode);
		return Object.assign(handle, {
			writeSync: (buffer: Uint8Array, offset: number, length: number, position: number) =>
				writeSync(handle.fd, buffer, offset, length, position),
		});
	},
	rename: promises.rename,
	unlink: promises.unlink,
};

/**
 * {@link createFileStorage} on another file system, for tests of faults.
 *
 * @internal
 */
export function openFileStorage(
	path: string,
	{ compactAfter = 4 << 20 }: FileStorageOptions,
	seam: Pick<FileJournalOptions, "fileSystem" | "lock">,
): StorageAdapter {
	if (typeof path !== "string" || path === "" || path.includes("\0")) {
		throw new OutlineError("invalid_argument", `The path is ${quoted(path)}. Give the path of a file.`);
	}
	if (path.endsWith(temporarySuffix)) {
		throw new OutlineError(
			"invalid_argument",
			`The path ${quoted(path)} ends like the files that a snapshot is written to, and they are overwritten. Choose another.`,
		);
	}
	if (!Number.isSafeInteger(compactAfter) || compactAfter < 1) {
		throw new OutlineError(
			"invalid_argument",
			`compactAfter is ${quoted(compactAfter)}. It must be a positive number of bytes.`,
		);
	}
	return new ResidentStorage(new FileJournal(path, { ...seam, compactAfter }));
}
