import { dirname } from "node:path";
import { OutlineError } from "../../src/errors.js";
import { RecordIndex } from "../resident/index/record-index.js";
import { writeAll } from "./file-bytes.js";
import type { FileHandle, FileSystem } from "./file-system.js";
import { snapshotLines } from "./format.js";
import { codeOf, neighbour } from "./path.js";

/** Readable by the owner only: the owner decides which other users may read an outline. */
const privateMode = 0o600;

/** The suffix of a file that is going to replace an outline's file. No outline may have such a name. */
export const temporarySuffix = ".outlinekit-new";

/** Opens the file of an outline for reading and writing, and creates it if there is none. */
export async function openOrCreate(fileSystem: FileSystem, path: string): Promise<FileHandle> {
	let handle: FileHandle;
	try {
		handle = await fileSystem.open(path, "r+");
	} catch (error) {
		if (codeOf(error) !== "ENOENT") throw error;
		return create(fileSystem, path);
	}
	try {
		const stat = await handle.stat();
		if (!stat.isFile()) {
			throw new OutlineError("storage_unavailable", `${path} is not a regular file. Give the path of a file.`);
		}
		if (stat.size === 0n) {
			throw new OutlineError(
				"storage_corrupt",
				`${path} is empty: outlinekit never leaves an empty file. Restore it from a copy, or delete it to begin a new outline.`,
			);
		}
		if (stat.nlink > 1n) {
			throw new OutlineError(
				"storage_unavailable",
				`${path} has ${stat.nlink} names (hard links), under which it could be opened twice at once. ` +
					"Remove the others, or make a copy of the file and put it in the place of this name.",
			);
		}
		return handle;
	} catch (error) {
		await handle.close().catch(() => {});
		throw error;
	}
}

/** Creates a file. It gets its name only when its header is durable. */
async function create(fileSystem: FileSystem, path: string): Promise<FileHandle> {
	const handle = await fileSystem.open(temporary(path), "w+", privateMode);
	try {
		const lines = [...snapshotLines(new RecordIndex().image())].flatMap((line) => line ?? []);
		await writeAll(handle, lines, 0);
		await handle.datasync();
		// The file was missing a moment ago. If another program has created one meanwhile, it must not be
		// replaced.
		if (fileSystem.lstatSync(path) !== undefined) throw changedWhileOpening(path);
		await fileSystem.rename(temporary(path), path);
		return handle;
	} catch (error) {
		await handle.close().catch(() => {});
		await fileSystem.unlink(temporary(path)).catch(() => {});
		throw error;
	}
}

/** Opens the directory of a file, to make the file's name durable. */
export async function openDirectory(fileSystem: FileSystem, path: string): Promise<Pick<FileHandle, "sync" | "close">> {
	// Windows has no handles of directories, and its file systems journal names on their own.
	if (process.platform === "win32") return { sync: async () => {}, close: async () => {} };
	return fileSystem.open(dirname(path), "r");
}

/** The error if another program changes a file while it is being opened. */
export function changedWhileOpening(path: string): OutlineError {
	return new OutlineError(
		"storage_unavailable",
		`Another program changed ${path} while it was being opened. Try again when that program is done.`,
	);
}

/** Returns the path of the file that is going to replace an outline's file. */
export function temporary(path: string): string {
	return neighbour(path, temporarySuffix);
}
