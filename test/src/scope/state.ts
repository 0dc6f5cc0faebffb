import { createMemoryStorage } from "../../../adapters/memory.js";
import type { KeyRecord, NodeRecord, StorageAdapter } from "../../../src/storage.js";

/** The nodes and keys of an outline. */
export interface State {
	/** By id; without revisions. */
	readonly nodes: ReadonlyMap<string, NodeRecord>;
	readonly keys: ReadonlyMap<string, KeyRecord>;
}

/** The state of a storage. */
export async function stateOf(storage: StorageAdapter): Promise<State> {
	const { results } = await storage.read([{ type: "children", of: null, scope: "own" }]);
	const tops = results[0].map(({ record }) => ({ type: "subtree", of: { id: record.id } }) as const);
	const subtrees = (await storage.read(tops)).results;
	return {
		nodes: new Map(subtrees.flatMap(({ nodes }) => nodes.map(({ record }) => [record.id, { ...record, revision: 0 }]))),
		keys: new Map(subtrees.flatMap(({ keys }) => keys.map((key) => [key.key, { ...key, revision: 0 }]))),
	};
}

/** A storage with a state. */
export async function storageWith(
	{ nodes, keys }: State,
	storage: StorageAdapter = createMemoryStorage(),
): Promise<StorageAdapter> {
	await storage.commit({
		base: 0,
		nodes: Array.from(nodes.values(), (record) => ({ before: null, after: { ...record, revision: 1 } })),
		keys: Array.from(keys.values(), (after) => ({ before: null, after: { ...after, revision: 1 } })),
	});
	return storage;
}

/** The ids of the nodes in a subtree, and of the nodes visible from there, computed in the simplest way. */
export function seenFrom({ nodes }: State, top: string): { inside: Set<string>; visible: Set<string> } {
	const grow = (ids: Set<string>, followMirrors: boolean) => {
		for (let size = -1; size !== ids.size; ) {
			size = ids.size;
			for (const { id, parentId, originId } of nodes.values()) {
				if (parentId !== null && ids.has(parentId)) ids.add(id);
				if (followMirrors && ids.has(id) && originId !== null && nodes.has(originId)) ids.add(originId);
			}
		}
		return ids;
	};
	return { inside: grow(new Set([top]), false), visible: grow(new Set([top]), true) };
}

/** The state of an outline that has only the nodes visible from a node. */
export function restricted(state: State, top: string): State {
	const { visible } = seenFrom(state, top);
	const nodes = [...state.nodes.values()].filter(({ id }) => visible.has(id));
	return {
		nodes: new Map(
			nodes.map((record) => {
				const { id, parentId } = record;
				return [id, { ...record, parentId: parentId !== null && visible.has(parentId) ? parentId : null }];
			}),
		),
		keys: new Map([...state.keys].filter(([, { nodeId }]) => visible.has(nodeId))),
	};
}
