import type { StorageAdapter } from "outlinekit";
import { createHttpRemote, createReplica, type Remote, type Replica } from "outlinekit/sync";
import { Cell } from "./cell.js";

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
	/** The number of characters that have arrived of the whole outline. */
	readonly received: Cell<number>;
}

/** Connects the outline in a storage with a server. The replica is paused. */
export function connect(local: StorageAdapter, server: ServerAddress): Connection {
	const http = createHttpRemote(server);
	const received = new Cell(0);
	const image: Remote["image"] = async function* (signal, from) {
		for await (const text of http.image(signal, from)) {
			received.set(received.current + text.length);
			yield text;
		}
	};
	const replica = createReplica({ local, remote: { ...http, image } });
	replica.pause();
	return { server, replica, received };
}
