import type { StorageAdapter } from "outlinekit";
import { createHttpRemote, createReplica, type Replica } from "outlinekit/sync";

/** The server whose outline this device has a copy of. */
export interface ServerAddress {
	/** The address of its HTTP interface. */
	readonly url: string;
	readonly apiKey: string;
}

/** The connection of this device with a server: its replica, which sends and receives by itself. */
export interface Connection {
	readonly server: ServerAddress;
	readonly replica: Replica;
}

/** Connects the outline in a storage with a server. */
export function connect(local: StorageAdapter, server: ServerAddress): Connection {
	const { url, apiKey } = server;
	return { server, replica: createReplica({ local, remote: createHttpRemote({ url, apiKey }) }) };
}
