import { constants } from "node:fs";
import { type FileHandle, open, readFile, stat, unlink } from "node:fs/promises";
import type { HeldLock, LockHolder } from "./holder.js";

/** Opens the file, made if missing, with the lock on it, or fails with `EAGAIN` at once. */
export type ExclusiveOpen = (path: string) => Promise<FileHandle>;

/** `O_EXLOCK`, which has one value on all systems that have it, but no name in Node. */
const exclusiveLock = 0x20;

/** A handle that nothing refers to would be closed, and its lock lost, by the garbage collector. */
const held = new Set<FileHandle>();

/**
 * Takes a lock by opening a file of this path with the lock that macOS and the BSDs tie to an open file: the kernel takes it
 * back when the process ends.
 *
 * The file is removed on release, so a lock counts only on the file that the path names. Only who has the lock on that file
 * removes it. So while a holder holds, the path names the holder's file, and nobody else can get the lock on it.
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
		// Its holder removed the file between our opening it and getting the lock. Each turn is another holder's release.
		await handle.close();
	}
}

function openWithLock(path: string): Promise<FileHandle> {
	return open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | exclusiveLock);
}

/** Makes sure that the engine passes the flag on. @throws Error if it doesn't: then all processes would have the lock */
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

/** A hint for people: after a crash it is the former holder's until the new one has written its own. */
async function writtenPid(path: string): Promise<number | null> {
	const text = await readFile(path, "latin1").catch(() => "");
	return /^[1-9]\d*$/.test(text) ? Number(text) : null;
}

async function release(handle: FileHandle, path: string): Promise<void> {
	if (!held.delete(handle)) return;
	await unlink(path).catch(() => undefined);
	await handle.close();
}
