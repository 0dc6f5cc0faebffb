import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { link, lstat, open, readdir, rename, unlink } from "node:fs/promises";
import type { Server } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { digestOf } from "../neighbour.js";
import type { HeldLock, LockHolder, LockTarget } from "./holder.js";
import { closeListener, isListening, listenAt } from "./listener.js";

/*
 * Why two processes never hold the lock at once.
 *
 * A claim is a socket in the file's directory that its process listens on. Its name is drawn once and never used again. A
 * claim comes to have its name by a rename, when it is listened on already, and its process lists the directory only then.
 * It holds the lock if that listing shows no other claim that is listened on, and keeps its claim until it lets go.
 *
 * 1. A claim that has its name is listened on as long as its process lives, and the kernel accepts connections, or reports a
 *    full queue, without the process doing anything: a stopped or busy process counts as living. So nobody ever takes the
 *    claim of a living process for dead, and only dead claims are removed by others. As names are never used again, a claim
 *    judged dead can't come to life between the judgement and the removal.
 * 2. Suppose A and B hold at once, and B's claim came to have its name after A's. Then B listed the directory while A's claim
 *    was there, and stayed there; the listing shows it (a listing may miss only what comes or goes meanwhile), and by 1 B
 *    found it alive. So B doesn't hold.
 *
 * Why somebody gets it. Whoever sees a holder gives up. Among processes that all claim and none holds, all step back but the
 * one of the lowest name, which waits until the others are gone. Nobody claims anew while there is a living claim.
 */

/** Milliseconds to wait for a process that has claimed but neither holds nor steps back: it is stopped, or starved. */
const patience = 1_000;

/** Bytes of the address of a socket on Linux, which ends with a zero beyond them. */
const addressLimit = 107;

/** Bytes of the file's name that a claim's name repeats; it shows a digest of longer ones. */
const shownName = 48;

/** Not a claim yet: nobody may be listening on it. */
const unborn = ".new";

/** A second name of the claim of a holder. It only makes giving up quick, and no argument rests on it. */
const holding = ".held";

/** Where the claims on a file are, and what their names begin with. */
interface Place {
	/** The directory, in few enough bytes for a socket in it to be addressed. */
	readonly address: string;
	/** The same directory by a path that stays good when the lock is held. */
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
 * @throws the system's error; with the `syscall` `listen`, the directory can't have sockets or can't be written to
 */
export async function lockByClaim({ directory, name }: LockTarget): Promise<HeldLock | LockHolder> {
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

async function contend(place: Place): Promise<HeldLock | LockHolder> {
	const deadline = performance.now() + patience;
	for (;;) {
		// A look before announcing: who is refused leaves no trace, and a directory in use sees no new claims.
		let rivals = await livingClaims(place);
		if (rivals.length === 0) {
			const outcome = await claim(place, deadline);
			if ("release" in outcome) return outcome;
			rivals = outcome.rivals;
		}
		const late = performance.now() > deadline;
		const holder = rivals.find((rival) => rival.holds) ?? (late ? rivals[0] : undefined);
		if (holder !== undefined || late) return { pid: holder?.pid ?? null };
		await shortPause();
	}
}

/** Announces a claim and follows it up until it holds, or steps back for rivals. */
async function claim(place: Place, deadline: number): Promise<HeldLock | { readonly rivals: readonly Claim[] }> {
	const entry = entryName(place.prefix);
	const server = await listenAt(`${place.address}/${entry}${unborn}`);
	try {
		await rename(`${place.address}/${entry}${unborn}`, `${place.address}/${entry}`);
		for (;;) {
			const rivals = await livingRivals(place, entry);
			if (rivals.length === 0) break;
			const first = rivals.every((rival) => !rival.holds && rival.entry > entry);
			if (!first || performance.now() > deadline) {
				await withdraw(place.address, entry, server);
				return { rivals };
			}
			await shortPause();
		}
		await link(`${place.address}/${entry}`, `${place.address}/${entry}${holding}`).catch(() => undefined);
		return { release: () => withdraw(place.directory, entry, server) };
	} catch (error) {
		await withdraw(place.address, entry, server);
		// Somebody came between the socket's two steps, being bound and being listened on, and removed it as dead.
		if ((error as NodeJS.ErrnoException).code === "ENOENT" && performance.now() < deadline) return { rivals: [] };
		throw error;
	}
}

/** Closing the server would remove the socket by the name it was made with, if it still has that. */
async function withdraw(directory: string, entry: string, server: Server): Promise<void> {
	await remove(`${directory}/${entry}${holding}`);
	await remove(`${directory}/${entry}`);
	await closeListener(server);
}

/** The claims of others. The own one must be seen alive among all, or others don't see it either. */
async function livingRivals(place: Place, own: string): Promise<readonly Claim[]> {
	const claims = await livingClaims(place);
	const rivals = claims.filter(({ entry }) => entry !== own);
	if (rivals.length < claims.length) return rivals;
	throw new Error(`the lock ${JSON.stringify(`${place.directory}/${own}`)} was removed`);
}

/** Finds the claims whose processes live, and removes what dead ones have left. */
async function livingClaims(place: Place): Promise<readonly Claim[]> {
	const living: Claim[] = [];
	for (const entry of await readdir(`${place.address}/.`)) {
		if (!entry.startsWith(place.prefix)) continue;
		const [, pid, suffix] = /^(\d+)-[0-9a-f]{16}(\.new|\.held)?$/.exec(entry.slice(place.prefix.length)) ?? [];
		const address = `${place.address}/${entry}`;
		if (pid === undefined || !(await isSocket(address))) continue;
		if (!(await isListening(address))) await remove(address);
		else if (suffix !== unborn) living.push({ entry, pid: Number(pid), holds: suffix === holding });
	}
	return living;
}

/** A file of the user's may have any name, but is no socket. Asked of the file itself: Deno's listings don't know sockets. */
async function isSocket(path: string): Promise<boolean> {
	try {
		return (await lstat(path)).isSocket();
	} catch (error) {
		// The entry was removed after the listing, so it is no claim.
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
		throw error;
	}
}

/** One that can't be removed (another user's, in a directory like `/tmp`) is no obstacle: it stays dead. */
async function remove(path: string): Promise<void> {
	await unlink(path).catch(() => undefined);
}

function entryName(prefix: string): string {
	return `${prefix}${process.pid}-${randomBytes(8).toString("hex")}`;
}

/** Of random length, so that those who wait don't meet again. */
function shortPause(): Promise<void> {
	return pause(2 + Math.random() * 10);
}
