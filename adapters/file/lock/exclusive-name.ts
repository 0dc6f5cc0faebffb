import type { HeldLock, LockHolder } from "./holder.js";
import { closeListener, listenAt, listenerPid } from "./listener.js";

/**
 * Takes a lock by listening at an address that the kernel gives to one process only and that vanishes with it: a named pipe
 * on Windows, an address without a file (`\0…`) on Linux.
 */
export async function lockByName(address: string): Promise<HeldLock | LockHolder> {
	try {
		const server = await listenAt(address);
		return { release: () => closeListener(server) };
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
		return { pid: await listenerPid(address) };
	}
}
