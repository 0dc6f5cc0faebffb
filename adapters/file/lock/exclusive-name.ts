import type { HeldLock, LockHolder } from "./holder.js";
import { closeListener, listenAt, listenerPid } from "./listener.js";

/**
 * Takes a lock by listening at an address: a named pipe on Windows, an address without a file (`\0…`) on
 * Linux. The kernel grants the address to one process only, and frees it when the process ends.
 *
 * @param listen - listens at an address until it is closed
 * @throws the system's error; an error if the engine lets several processes listen at one address
 */
export async function lockByName(address: string, listen: typeof listenAt = listenAt): Promise<HeldLock | LockHolder> {
	try {
		const server = await listen(address);
		try {
			await closeListener(await listen(address));
		} catch (error) {
			if (isInUse(error)) return { release: () => closeListener(server) };
			await closeListener(server);
			throw error;
		}
		await closeListener(server);
	} catch (error) {
		if (!isInUse(error)) throw error;
		return { pid: await listenerPid(address) };
	}
	throw new Error("this JavaScript engine lets several processes listen at one address");
}

function isInUse(error: unknown): boolean {
	return (error as NodeJS.ErrnoException).code === "EADDRINUSE";
}
