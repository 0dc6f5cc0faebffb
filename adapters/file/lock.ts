import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import { OutlineError, quoted } from "../../src/errors.js";
import { lockByClaim } from "./lock/claim.js";
import { lockByName } from "./lock/exclusive-name.js";
import { lockByOpening } from "./lock/exclusive-open.js";
import type { HeldLock, LockHolder } from "./lock/holder.js";
import { canonicalPath, codeOf, digestOf, nameLimit, neighbour } from "./path.js";

/** The lock on a file. */
export interface FileLock extends HeldLock {
	/** The path of the file without symbolic links. */
	readonly path: string;
}

const withExclusiveOpen: readonly string[] = ["darwin", "freebsd", "netbsd", "openbsd"];
const withoutSockets: readonly unknown[] = ["ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EPERM", "EINVAL"];
const withFoldedNames: readonly string[] = ["darwin", "win32"];

/**
 * Takes the lock on a path. Throws at once if another process has it; doesn't wait. Relative paths and
 * symbolic links to one file mean one lock. A second lock on it is refused within the same process too. A
 * held lock doesn't keep the process alive.
 *
 * The lock works among the processes of one machine. It doesn't see processes of other machines that share
 * the file over a network.
 *
 * @throws OutlineError `storage_unavailable`; the message names the process that has the lock, or the reason
 * why the directory can't be written to
 */
export async function lockFile(path: string): Promise<FileLock> {
	const location = await locationOf(path);
	let outcome: HeldLock | LockHolder;
	try {
		outcome = await lockTarget(location);
	} catch (error) {
		throw new OutlineError("storage_unavailable", reason(path, error), { cause: error });
	}
	if ("release" in outcome) return { path: location, release: () => outcome.release() };
	throw new OutlineError("storage_unavailable", refusal(path, outcome));
}

/**
 * Returns the path of a file without symbolic links: the same for all paths to the file, and for no other
 * file.
 *
 * @throws OutlineError `storage_unavailable` if the path leads nowhere
 */
export async function locationOf(path: string): Promise<string> {
	try {
		return await canonicalPath(path);
	} catch (error) {
		throw new OutlineError("storage_unavailable", reason(path, error), { cause: error });
	}
}

/**
 * Takes the lock in the way that the system supports. All processes of a machine must use the same way for
 * one file, or they wouldn't see each other's locks.
 */
async function lockTarget(path: string): Promise<HeldLock | LockHolder> {
	const location = withFoldedNames.includes(process.platform) ? path.normalize().toLowerCase() : path;
	const id = `outlinekit-${digestOf(location)}`;
	if (process.platform === "win32") return lockByName(`\\\\.\\pipe\\${id}`);
	if (withExclusiveOpen.includes(process.platform)) return lockByOpening(neighbour(path, ".lock"));
	try {
		return await lockByClaim(dirname(path), basename(path));
	} catch (error) {
		// A file system without sockets reports that to every process, so every process takes this way. The
		// name is of a kind that only Linux has and lies outside of any file system. A directory for
		// temporary files would not do, because it is not the same for every process.
		if (process.platform !== "linux" || !saysWithoutSockets(error)) throw error;
		return lockByName(`\0${id}`);
	}
}

function saysWithoutSockets(error: unknown): boolean {
	if ((error as { syscall?: unknown }).syscall !== "listen") return false;
	return withoutSockets.includes(codeOf(error));
}

function refusal(path: string, { pid }: LockHolder): string {
	// Storages of one thread share the file, so this can only be another thread.
	if (pid === process.pid) {
		return `${quoted(path)} is open in another thread of this process. Use it from that thread, or close it there first.`;
	}
	const holder = pid === null ? "another process" : `process ${pid}`;
	return `${quoted(path)} is open in ${holder}. Close it there first: a file serves one process at a time.`;
}

function reason(path: string, error: unknown): string {
	const directory = quoted(dirname(path));
	switch (codeOf(error)) {
		case "ENOENT":
			// Then the path is a symbolic link, or another program has just created the directory.
			if (existsSync(dirname(path))) {
				return `${quoted(path)} can't be opened: it leads to a directory that doesn't exist. Create that directory, or give another path.`;
			}
			return `${quoted(path)} can't be opened: there is no directory ${directory}. Create it, or give another path.`;
		case "ENOTDIR":
			return `${quoted(path)} can't be opened: the path leads through a file. Give a path whose directory exists.`;
		case "EACCES":
		case "EPERM":
		case "EROFS":
			return (
				`${quoted(path)} can't be locked: this process may not list and write the directory ${directory}. ` +
				"Let it do so, or give another path."
			);
		case "ENAMETOOLONG":
			return `${quoted(path)} can't be opened: it is too long. A name may have ${nameLimit} bytes on most file systems; choose a shorter one.`;
		default:
			return `${quoted(path)} can't be locked: ${error instanceof Error ? error.message : String(error)}.`;
	}
}
