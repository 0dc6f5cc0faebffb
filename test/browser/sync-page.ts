import { Outline } from "outlinekit";
import { createIndexedDbStorage } from "outlinekit/indexeddb";
import { createHttpRemote, createReplica, type Replica } from "outlinekit/sync";

let replica: Replica;
let outline: Outline;

/** Opens the replica of this device, which exchanges by itself. All tabs have the same database. */
export function open(url: string): void {
	replica = createReplica({
		local: createIndexedDbStorage("synchronized"),
		remote: createHttpRemote({ url, apiKey: "key" }),
	});
	outline = new Outline({ storage: replica.storage, timeZone: "UTC" });
}

/** Writes a node. Returns when it is on this device. */
export async function write(name: string): Promise<void> {
	await outline.create({ name, position: "bottom" });
}

/** The names at the top level. */
export async function names(): Promise<string[]> {
	return (await outline.list()).nodes.map(({ name }) => name);
}

/** The number of commits that the server doesn't have yet. */
export function pending(): number {
	return replica.status.current.pending;
}

/** The milliseconds until an outline of the server is on this device and its top level is read, and the nodes of that. */
export async function firstSync(url: string): Promise<{ milliseconds: number; nodes: number }> {
	const local = createIndexedDbStorage("first");
	const first = createReplica({ local, remote: createHttpRemote({ url, apiKey: "key" }), auto: false });
	const copy = new Outline({ storage: first.storage });
	const start = performance.now();
	await first.sync();
	const { nodes } = await copy.list();
	const milliseconds = performance.now() - start;
	await copy.close();
	return { milliseconds, nodes: nodes.length };
}
