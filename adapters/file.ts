/**
 * A storage in one file, for Node, Deno and Bun.
 *
 * @module outlinekit/file
 */
import { invalidArgument, OutlineError, quoted } from "../src/errors.js";
import { fieldNames, fieldsOf } from "../src/fields.js";
import type { DisposableStorage } from "../src/storage.js";
import { FileJournal, type FileJournalOptions } from "./file/journal.js";
import { locationOf, lockFile } from "./file/lock.js";
import { nodeFileSystem } from "./file/node-file-system.js";
import { temporarySuffix } from "./file/open.js";
import { SharedFileStorage } from "./file/shared-storage.js";
import { ResidentStorage } from "./resident/resident-storage.js";

/** Options of {@link createFileStorage}. */
export interface FileStorageOptions {
	/**
	 * The minimum number of bytes of commits after which a new snapshot replaces the file. Default 4 MiB. A
	 * snapshot is written when the commits behind the last one have at least this many bytes, and at least as
	 * many as that snapshot. On closing, more than 16 KiB and a sixteenth of that snapshot are enough. If
	 * several storages use one file, the option of the first one counts.
	 */
	compactAfter?: number | undefined;
}

const optionNames = fieldNames<FileStorageOptions>({ compactAfter: true });

/**
 * Creates a storage in one file, for Node, Deno and Bun. The file is lines of text that a person can read.
 * The storage appends to it, and from time to time replaces it by a snapshot. The directory must exist. The
 * storage creates the file on first use, readable by its owner only.
 *
 * Several `Outline`s of a process may share the storage. Several storages on one file, by whatever path,
 * share the open file; closing the last of them closes it. So a development server may evaluate a module
 * again. A second process or thread gets `storage_unavailable`. A file with several names (hard links) is
 * refused, because the lock depends on the path.
 *
 * The storage acknowledges a commit after fdatasync, and only if the file is still at its path as the storage
 * left it. After a failed fsync, or if another program has moved, deleted, replaced or changed the file, the
 * storage refuses writes with `storage_unavailable` and still shows all acknowledged commits. Close it then,
 * and create a new storage for the file that is there.
 *
 * A commit whose line would have more than 2^28 bytes is refused with `too_large`, because some engines
 * couldn't read it again.
 *
 * @throws `invalid_argument` if a path or option isn't allowed; all other errors are thrown on first use
 */
export function createFileStorage(path: string, options: FileStorageOptions = {}): DisposableStorage {
	const compactAfter = checkedOptions(path, options);
	return new SharedFileStorage(
		() => locationOf(path),
		(location, onBroken) => {
			const platform = { fileSystem: nodeFileSystem, lock: lockFile };
			const journal = new FileJournal(location, { ...platform, compactAfter, onBroken });
			return { storage: new ResidentStorage(journal), isCurrent: () => journal.isCurrent() };
		},
	);
}

/**
 * Creates a storage like {@link createFileStorage} on another file system, without sharing the file. For
 * tests of faults.
 *
 * @internal
 */
export function openFileStorage(
	path: string,
	options: FileStorageOptions,
	platform: Omit<FileJournalOptions, "compactAfter">,
): DisposableStorage {
	return new ResidentStorage(new FileJournal(path, { ...platform, compactAfter: checkedOptions(path, options) }));
}

/**
 * Checks the arguments and returns the number of bytes of commits that make a snapshot due.
 *
 * @throws `invalid_argument`
 */
function checkedOptions(path: unknown, options: FileStorageOptions): number {
	fieldsOf("createFileStorage", options, optionNames);
	const { compactAfter = 4 << 20 } = options;
	if (typeof path !== "string" || path === "" || path.includes("\0")) {
		throw new OutlineError(
			"invalid_argument",
			`The path is ${quoted(path)}. Give the path of a file as a text; fileURLToPath makes one of a URL.`,
		);
	}
	if (path.endsWith(temporarySuffix)) {
		throw new OutlineError(
			"invalid_argument",
			`The path ${quoted(path)} ends like the files that a snapshot is written to, and they are overwritten. Choose another.`,
		);
	}
	if (!Number.isSafeInteger(compactAfter) || compactAfter < 1) {
		throw invalidArgument("compactAfter", compactAfter, "a positive number of bytes");
	}
	return compactAfter;
}
