import { expect } from "vitest";
import { createMemoryStorage } from "../../../../adapters/memory.js";
import type { OutlineOptions } from "../../../../src/engine/settings.js";
import type { Outline } from "../../../../src/outline.js";
import type { StorageAdapter } from "../../../../src/storage.js";
import { createReplica, type Remote, type Replica, type ReplicaOptions } from "../../../../src/sync/index.js";
import { exported, newOutline, noon } from "../../../support/outline.js";

/** A remote that asks an outline of the same process. */
export function directRemote(server: () => Outline): Remote {
	return {
		push: (lines) => server().sync(lines),
		image: (_, from) => server().syncImage(from),
	};
}

/** A remote whose answers wait until `during` has run. */
export interface SlowRemote extends Remote {
	during: () => Promise<unknown>;
}

/** Returns a remote that runs its `during` after each answer, before the device has it. */
export function slowRemote(remote: Remote): SlowRemote {
	const slow: SlowRemote = {
		...remote,
		during: async () => {},
		async push(...request) {
			const answer = await remote.push(...request);
			await slow.during();
			return answer;
		},
	};
	return slow;
}

/** A device: a replica, with an outline over it. */
export interface Device {
	readonly local: StorageAdapter;
	readonly replica: Replica;
	readonly outline: Outline;
}

/** Makes a device. By default it exchanges only by `sync`, and its clock always shows noon. */
export function newDevice(
	remote: Remote,
	{ local = createMemoryStorage(), ...options }: Partial<ReplicaOptions> & Partial<OutlineOptions> = {},
): Device {
	const { auto = false, now = () => noon, ...rest } = options;
	const replica = createReplica({ local, remote, auto, now });
	return { local, replica, outline: newOutline({ storage: replica.storage, now, ...rest }) };
}

/** Every node and target of an outline, in an order of their own. */
export async function contents(outline: Outline): Promise<unknown> {
	const nodes = await exported(outline);
	return { nodes: nodes.sort((left, right) => (left.id < right.id ? -1 : 1)), targets: await outline.targets() };
}

/** Lets devices exchange until nothing is pending, and expects that all have the content of the server. */
export async function expectSame(server: Outline, ...devices: Device[]): Promise<void> {
	for (let round = 0; round < 2; round++) for (const { replica } of devices) await replica.sync();
	const expected = await contents(server);
	for (const { outline, replica } of devices) {
		expect(await contents(outline)).toEqual(expected);
		expect(replica.status.current).toMatchObject({ pending: 0, phase: "idle" });
		expect((await outline.verify()).total).toBe(0);
	}
}

/** A copy of a storage, as a copied profile or a backup is. */
export async function copyOf(storage: StorageAdapter): Promise<StorageAdapter> {
	const copy = createMemoryStorage();
	const { revision, results } = await storage.read([
		{ type: "changes", since: 0, limit: Number.MAX_SAFE_INTEGER },
		{ type: "documents", prefix: "" },
	]);
	const [{ nodes, keys }, documents] = results;
	for (let base = 0; base < revision - 1; base++) await copy.commit({ base, nodes: [], keys: [] });
	await copy.commit({
		base: revision - 1,
		nodes: nodes.map((after) => ({ before: null, after: { ...after } })),
		keys: keys.map((after) => ({ before: null, after })),
		documents: { put: documents.map((document) => ({ ...document })), dropped: [] },
	});
	return copy;
}
