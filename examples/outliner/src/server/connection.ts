import type { ServerAddress } from "../workspace/connection.js";
import type { Workspace } from "../workspace/workspace.js";
import { keepServer, onServerChange } from "./address.js";

/** The longest wait for the next piece of the outline at its first load on a device, in milliseconds. */
const patience = 10_000;

/**
 * Loads the outline of the server if this device has nothing yet. Returns whether the outline is known: without
 * an answer of the server, it may have nodes that aren't here.
 *
 * @param onLoading - called if there is something to load
 */
export async function firstSync({ outline, connection }: Workspace, onLoading: () => void): Promise<boolean> {
	if (connection === null) return true;
	const { replica, received } = connection;
	if (replica.status.current.lastSyncedAt !== null || (await outline.list()).nodes.length > 0) return true;
	onLoading();
	return new Promise((resolve) => {
		const giveUp = () => resolve(false);
		let waiting = setTimeout(giveUp, patience);
		const unsubscribe = received.subscribe(() => {
			clearTimeout(waiting);
			waiting = setTimeout(giveUp, patience);
		});
		const end = (isKnown: boolean) => {
			clearTimeout(waiting);
			unsubscribe();
			resolve(isKnown);
		};
		replica.sync().then(
			() => end(true),
			() => end(false),
		);
	});
}

/**
 * Connects this device with a server, or with none. Opens the page again, because every tab must use the
 * storage in the same way.
 */
export async function changeServer(workspace: Workspace, server: ServerAddress | null): Promise<void> {
	await workspace.saves.settled();
	if (server === null) await workspace.connection?.replica.leave();
	// The other tabs open again too, perhaps before this one closes.
	workspace.preferences.settle();
	keepServer(server);
	location.reload();
}

/** Opens the page again when another tab has connected or disconnected this device. */
export function followServer(workspace: Workspace): void {
	onServerChange(() => {
		void workspace.saves.settled().then(
			() => location.reload(),
			(error) => workspace.tell(error),
		);
	});
}
