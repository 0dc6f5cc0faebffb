import { constants } from "node:fs";
import { type FileHandle, open, readFile, stat, unlink } from "node:fs/promises";
import type { HeldLock, LockHolder } from "./holder.js";

/**
 * Opens a file with the lock on it, and creates the file if it is missing. If another process has the lock,
 * fails with `EAGAIN` at once.
 */
export type ExclusiveOpen = (path: string) => Promise<FileHandle>;

/** The flag `O_EXLOCK`. It has one value on all systems that support it, but no name in Node. */
const exclusiveLock = 0x20;

/**
 * The handles of held locks. Without a reference, the garbage collector would close a handle and lose its
 * lock.
 */
const held = new Set<FileHandle>();

/**
 * Takes a lock by opening a file at this path with the lock that macOS and the BSDs attach to an open file.
 * The kernel releases it when the process ends.
 *
 * Releasing removes the file, so a lock counts only if the path still names the locked file. Only the process
 * that has the lock on that file removes it. So while a process holds the lock, the path names its file, and
 * no other process can lock that file.
 */
export async function lockByOpening(
	path: string,
	openExclusively: ExclusiveOpen = openWithLock,
): Promise<HeldLock | LockHolder> {
	for (;;) {
		let handle: FileHandle;
		try {
			handle = await openExclusively(path);
		} catch (error) {
			if (isTaken(error)) return { pid: await writtenPid(path) };
			throw error;
		}
		try {
			if (await isNamed(handle, path)) {
				await assertExclusive(path, openExclusively);
				await handle.truncate();
				await handle.write(String(process.pid), 0);
				held.add(handle);
				return { release: () => release(handle, path) };
			}
		} catch (error) {
			await handle.close();
			throw error;
		}
		// The former holder removed the file after this process opened it and before this process got the
		// lock. Each turn of the loop means that another holder has released the lock.
		await handle.close();
	}
}

function openWithLock(path: string): Promise<FileHandle> {
	return open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | exclusiveLock);
}

/**
 * Checks that the engine passes the flag on. Otherwise every process would get the lock.
 *
 * @throws Error if it doesn't
 */
async function assertExclusive(path: string, openExclusively: ExclusiveOpen): Promise<void> {
	let second: FileHandle;
	try {
		second = await openExclusively(path);
	} catch (error) {
		if (isTaken(error)) return;
		throw error;
	}
	await second.close();
	throw new Error("this JavaScript engine doesn't open files with a lock");
}

function isTaken(error: unknown): boolean {
	const { code } = error as NodeJS.ErrnoException;
	return code === "EAGAIN" || code === "EWOULDBLOCK";
}

async function isNamed(handle: FileHandle, path: string): Promise<boolean> {
	const opened = await handle.stat({ bigint: true });
	const named = await stat(path, { bigint: true }).catch(() => undefined);
	return named !== undefined && named.dev === opened.dev && named.ino === opened.ino;
}

/**
 * Reads the holder's process id, as a hint for people. After a crash the file still has the id of the former
 * holder, until the new one writes its own.
 */
async function writtenPid(path: string): Promise<number | null> {
	const text = await readFile(path, "latin1").catch(() => "");
	return /^[1-9]\d*$/.test(text) ? Number(text) : null;
}

async function release(handle: FileHandle, path: string): Promise<void> {
	if (!held.delete(handle)) return;
	await unlink(path).catch(() => undefined);
	await handle.close();
}
