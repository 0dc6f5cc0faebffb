import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { link, lstat, open, readdir, rename, stat, unlink } from "node:fs/promises";
import type { Server } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { codeOf, digestOf } from "../path.js";
import type { HeldLock, LockHolder } from "./holder.js";
import { closeListener, isListening, listenAt } from "./listener.js";

/*
 * The reason why two processes never hold the lock at once.
 *
 * A claim is a socket in the file's directory that its process listens on. The process draws its name at
 * random and never uses it again. The socket first listens under a temporary name; a rename then gives it the
 * name of the claim. Only after that does the process list the directory. It holds the lock if the listing
 * shows no other claim with a listening process, and it keeps its claim until it releases the lock.
 *
 * 1. A process listens on its claim as long as the process lives. The kernel accepts connections, or reports
 *    a full queue, without any action of the process, so a stopped or busy process counts as living. So no
 *    process ever takes the claim of a living process for dead, and processes remove only dead claims. Names
 *    are never used again, so a claim that was found dead can't come to life before it is removed.
 * 2. Suppose A and B hold the lock at once, and B's claim got its name after A's. Then B listed the directory
 *    while A's claim was there and stayed there. The listing shows A's claim, because a listing may only miss
 *    entries that appear or disappear meanwhile. By 1, B found A's claim alive. So B doesn't hold the lock.
 *
 * The reason why one process gets the lock. A process that sees a holder gives up. If several processes claim and none
 * holds, all withdraw except the one with the lowest name, which waits until the other claims are gone. No
 * process claims again while there is a living claim.
 */

/**
 * Milliseconds to wait for a process that has claimed but neither holds the lock nor withdraws: it is
 * stopped, or gets no processor time.
 */
const patience = 1_000;

/** The most bytes of a socket's address on Linux, without the final zero. */
const addressLimit = 107;

/** The most bytes of the file's name that a claim's name repeats. For a longer name it has a digest. */
const shownName = 48;

/** The suffix of a socket that isn't a claim yet: its process may not be listening yet. */
const unborn = ".new";

/**
 * The suffix of a second name for the claim of a holder. It only lets other processes give up sooner; the
 * argument above doesn't depend on it.
 */
const holding = ".held";

/** The directory of the claims on a file, and the beginning of their names. */
interface ClaimPaths {
	/** A path of the directory that is short enough for the address of a socket in it. */
	readonly address: string;
	/** A path of the same directory that stays valid while the lock is held. */
	readonly directory: string;
	readonly prefix: string;
}

interface Claim {
	readonly entry: string;
	readonly pid: number;
	readonly holds: boolean;
}

/**
 * Takes a lock by a claim in the file's directory.
 *
 * @throws the system's error; if its `syscall` is `listen`, the directory can't have sockets or can't be
 * written to
 */
export async function lockByClaim(directory: string, name: string): Promise<HeldLock | LockHolder> {
	const prefix = `${Buffer.byteLength(name) > shownName ? digestOf(name) : name}.lock-`;
	if (Buffer.byteLength(`${directory}/${entryName(prefix)}${unborn}`) <= addressLimit) {
		return contend({ address: directory, directory, prefix });
	}
	const opened = await open(directory, constants.O_RDONLY | constants.O_DIRECTORY);
	try {
		return await contend({ address: `/proc/self/fd/${opened.fd}`, directory, prefix });
	} finally {
		await opened.close();
	}
}

async function contend(paths: ClaimPaths): Promise<HeldLock | LockHolder> {
	const deadline = performance.now() + patience;
	for (;;) {
		// Looks before it claims. So a process that is refused leaves no trace, and a directory in use gets
		// no new claims.
		let rivals = await livingClaims(paths);
		if (rivals.length === 0) {
			const outcome = await claim(paths, deadline);
			if ("release" in outcome) return outcome;
			rivals = outcome.rivals;
		}
		const late = performance.now() > deadline;
		const holder = rivals.find((rival) => rival.holds) ?? (late ? rivals[0] : undefined);
		if (holder !== undefined || late) return { pid: holder?.pid ?? null };
		await shortPause();
	}
}

/** Makes a claim and keeps it until it holds the lock, or withdraws it because of rivals. */
async function claim(paths: ClaimPaths, deadline: number): Promise<HeldLock | { readonly rivals: readonly Claim[] }> {
	const entry = entryName(paths.prefix);
	let server: Server | undefined;
	try {
		server = await listenAt(`${paths.address}/${entry}${unborn}`);
		await rename(`${paths.address}/${entry}${unborn}`, `${paths.address}/${entry}`);
		for (;;) {
			const rivals = await livingRivals(paths, entry);
			if (rivals.length === 0) break;
			const first = rivals.every((rival) => !rival.holds && rival.entry > entry);
			if (!first || performance.now() > deadline) {
				await withdraw(paths.address, entry, server);
				return { rivals };
			}
			await shortPause();
		}
		await link(`${paths.address}/${entry}`, `${paths.address}/${entry}${holding}`).catch(() => undefined);
		const listening = server;
		return { release: () => withdraw(paths.directory, entry, listening) };
	} catch (error) {
		if (server !== undefined) await withdraw(paths.address, entry, server);
		// Another process looked between the two steps of making the socket, bind and listen, and removed it
		// as dead. The next steps, the change of its mode and the rename, then miss it.
		if (codeOf(error) === "ENOENT" && (await exists(paths.directory))) return { rivals: [] };
		throw error;
	}
}

async function exists(directory: string): Promise<boolean> {
	return stat(directory).then(
		() => true,
		() => false,
	);
}

/**
 * Removes the names first: closing the server removes only the name that the socket was made with, if it
 * still has that name.
 */
async function withdraw(directory: string, entry: string, server: Server): Promise<void> {
	await remove(`${directory}/${entry}${holding}`);
	await remove(`${directory}/${entry}`);
	await closeListener(server);
}

/**
 * The living claims of other processes. The process must find its own claim alive too, or other processes
 * wouldn't see it either.
 */
async function livingRivals(paths: ClaimPaths, own: string): Promise<readonly Claim[]> {
	const claims = await livingClaims(paths);
	const rivals = claims.filter(({ entry }) => entry !== own);
	if (rivals.length < claims.length) return rivals;
	throw new Error(`the lock ${JSON.stringify(`${paths.directory}/${own}`)} was removed`);
}

/** Finds the claims whose processes live, and removes the claims of dead processes. */
async function livingClaims(paths: ClaimPaths): Promise<readonly Claim[]> {
	const living: Claim[] = [];
	for (const entry of await readdir(`${paths.address}/.`)) {
		if (!entry.startsWith(paths.prefix)) continue;
		const [, pid, suffix] = /^(\d+)-[0-9a-f]{16}(\.new|\.held)?$/.exec(entry.slice(paths.prefix.length)) ?? [];
		const address = `${paths.address}/${entry}`;
		if (pid === undefined || !(await isSocket(address))) continue;
		if (!(await isListening(address))) await remove(address);
		else if (suffix !== unborn) living.push({ entry, pid: Number(pid), holds: suffix === holding });
	}
	return living;
}

/**
 * Whether the path is a socket. A user's file may have any name, but is no socket. Asks for the file itself,
 * because Deno's directory listings don't report sockets.
 */
async function isSocket(path: string): Promise<boolean> {
	try {
		return (await lstat(path)).isSocket();
	} catch (error) {
		// The entry was removed after the listing, so it is no claim.
		if (codeOf(error) === "ENOENT") return false;
		throw error;
	}
}

/**
 * Removes a file if it can. If it can't (another user's claim in a directory like `/tmp`), the claim stays
 * dead and does no harm.
 */
async function remove(path: string): Promise<void> {
	await unlink(path).catch(() => undefined);
}

function entryName(prefix: string): string {
	return `${prefix}${process.pid}-${randomBytes(8).toString("hex")}`;
}

/** Pauses for a random time, so that waiting processes don't look at the same moment again. */
function shortPause(): Promise<void> {
	return pause(2 + Math.random() * 10);
}
