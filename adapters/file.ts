/**
 * A storage in one file, for Node, Deno and Bun.
 *
 * @module outlinekit/file
 */
import { OutlineError, quoted } from "../src/errors.js";
import { fieldNames, fieldsOf } from "../src/fields.js";
import type { DisposableStorage } from "../src/storage.js";
import { FileJournal, type FileJournalOptions, temporarySuffix } from "./file/journal.js";
import { locationOf, lockFile } from "./file/lock.js";
import { nodeFileSystem } from "./file/node-file-system.js";
import { SharedFileStorage } from "./file/shared-storage.js";
import { ResidentStorage } from "./resident/resident-storage.js";

/** How a file storage behaves. */
export interface FileStorageOptions {
	/**
	 * How many bytes of commits may stand behind a snapshot before a new one is written: at least so many, and at least as
	 * many as the snapshot has; on closing a quarter of that. Default 4 MiB. Of several storages on one file, the first one's counts.
	 */
	compactAfter?: number | undefined;
}

const optionNames = fieldNames<FileStorageOptions>({ compactAfter: true });

/**
 * A storage in one file: a text of lines that a person can read, appended to and now and then replaced by a snapshot. For Node,
 * Deno and Bun. The directory must exist; the file is created on first use, readable by its owner alone.
 *
 * Several `Outline`s of a process may share the storage. Several storages on one file, by whatever path, share the open file, and
 * the last one that is closed closes it; so a module may be evaluated again, as development servers do. A second process or
 * thread gets `storage_unavailable`. A file with several names (hard links) is refused, since its lock goes by its path.
 *
 * A commit is acknowledged after fdatasync, and only if the file is still at its path, as the storage left it. If another
 * program has moved, deleted, replaced or changed it, or after a failed fsync, the storage takes no more writes
 * (`storage_unavailable`) and goes on to show what was acknowledged; close it, and make a new one for the file that is there.
 *
 * A commit whose line would have more than 2^28 bytes is refused (`too_large`), since it couldn't be read again on every engine.
 *
 * @throws `invalid_argument` for a path or option that isn't allowed; everything else is told on first use
 */
export function createFileStorage(path: string, options: FileStorageOptions = {}): DisposableStorage {
	const compactAfter = checkedOptions(path, options);
	return new SharedFileStorage(
		() => locationOf(path),
		(location, onBroken) => {
			const seam = { fileSystem: nodeFileSystem, lock: lockFile };
			const journal = new FileJournal(location, { ...seam, compactAfter, onBroken });
			return { storage: new ResidentStorage(journal), isCurrent: () => journal.isCurrent() };
		},
	);
}

/**
 * {@link createFileStorage} on another file system, alone on its file, for tests of faults.
 *
 * @internal
 */
export function openFileStorage(
	path: string,
	options: FileStorageOptions,
	seam: Omit<FileJournalOptions, "compactAfter">,
): DisposableStorage {
	return new ResidentStorage(new FileJournal(path, { ...seam, compactAfter: checkedOptions(path, options) }));
}

/** Checks the arguments, and returns how many bytes of commits make a snapshot due. @throws `invalid_argument` */
function checkedOptions(path: unknown, options: FileStorageOptions): number {
	fieldsOf("createFileStorage", options, optionNames);
	const { compactAfter = 4 << 20 } = options;
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
	return compactAfter;
}
