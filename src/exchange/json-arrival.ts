import type { Call } from "../call.js";
import type { Changes } from "../change.js";
import { drawIds, shortIdOf } from "../id.js";
import { originIdOf } from "../node.js";
import { ask, askAll, type Reading } from "../operation.js";
import type { KeyRecord, NodeRecord, StoredNode } from "../storage.js";
import type { Arrival } from "./format-module.js";
import { LossCount } from "./loss.js";
import { placeRoots } from "./roots.js";

/**
 * The nodes of a file that says everything about them. Where nothing is in the way, they become what they were, to the
 * letter. Else, and counted: nodes whose short id is taken get new ids (`id`), outermost nodes that come beside others new
 * priorities (`priority`), keys that are taken stay where they are (`key`), and a mirror whose origin is neither in the file
 * nor in the outline becomes a node of its own (`mirror`), as does one that would stand under its own origin.
 *
 * @param nodes - in reading order
 */
export function arrivalOfRecords(nodes: readonly NodeRecord[], keys: readonly KeyRecord[]): Arrival {
	const roots = nodes.filter(({ parentId }) => parentId === null);
	return {
		nodes: nodes.length,
		*settle(call, changes, destination) {
			const lost = new LossCount();
			const places = yield* placeRoots(call, changes, destination, roots.length, 0);
			const priorities = new Map(roots.map(({ id }, index) => [id, places.priorities[index]!]));
			const ids = yield* idsFor(call, changes, nodes, lost);
			const origins = yield* originsOutside(nodes);
			if (!places.isEmpty) lost.add("priority", roots.length);
			for (const node of nodes) {
				const isRoot = node.parentId === null;
				const originId = originOf(node, ids, origins, places.parent);
				if (originId === null && node.originId !== null) lost.add("mirror");
				changes.put(null, {
					...node,
					id: ids.get(node.id)!,
					parentId: isRoot ? places.parentId : ids.get(node.parentId!)!,
					priority: isRoot && !places.isEmpty ? priorities.get(node.id)! : node.priority,
					originId,
				});
				const origin = originId === null ? undefined : origins.get(originId);
				if (origin !== undefined) changes.touch(origin.record);
			}
			yield* putKeys(changes, keys, ids, lost);
			return { rootIds: roots.map(({ id }) => ids.get(id)!), lost };
		},
	};
}

/** The id that each node gets: its own, unless that is taken. */
function* idsFor(
	call: Call,
	changes: Changes,
	nodes: readonly NodeRecord[],
	lost: LossCount,
): Reading<ReadonlyMap<string, string>> {
	const ids = new Map(nodes.map(({ id }) => [id, id]));
	const shortIds = new Set(nodes.map(({ id }) => shortIdOf(id)));
	const [held] = yield* ask({ type: "taken", shortIds: [...shortIds] });
	// The parent may just have been made on demand.
	const taken = new Set([...held, ...changes.relatedIds.map(shortIdOf)]);
	const replaced = nodes.filter(({ id }) => taken.has(shortIdOf(id)));
	lost.add("id", replaced.length);
	const fresh: string[] = [];
	while (fresh.length < replaced.length) {
		// The host's ids may be those of the file.
		const drawn = yield* drawIds(call.ids, replaced.length - fresh.length);
		for (const id of drawn.ids) if (!shortIds.has(shortIdOf(id))) fresh.push(id);
	}
	for (const [index, { id }] of replaced.entries()) ids.set(id, fresh[index]!);
	return ids;
}

/** The nodes of the outline that mirrors of the file have for their origin, by id. */
function* originsOutside(nodes: readonly NodeRecord[]): Reading<ReadonlyMap<string, StoredNode>> {
	const within = new Set(nodes.map(({ id }) => id));
	const wanted = new Set<string>();
	for (const { originId } of nodes) if (originId !== null && !within.has(originId)) wanted.add(originId);
	const found = yield* askAll([...wanted].map((id) => ({ type: "node", at: { id } }) as const));
	const origins = new Map<string, StoredNode>();
	for (const node of found) if (node !== null && node.record.originId === null) origins.set(node.record.id, node);
	return origins;
}

/** What a node becomes a mirror of, if it was one. */
function originOf(
	{ originId, parentId }: NodeRecord,
	ids: ReadonlyMap<string, string>,
	origins: ReadonlyMap<string, StoredNode>,
	destination: StoredNode | null,
): string | null {
	if (originId === null) return null;
	const within = ids.get(originId);
	if (within !== undefined) return within;
	const isUnderItself = parentId === null && destination !== null && originIdOf(destination) === originId;
	return origins.has(originId) && !isUnderItself ? originId : null;
}

function* putKeys(
	changes: Changes,
	keys: readonly KeyRecord[],
	ids: ReadonlyMap<string, string>,
	lost: LossCount,
): Reading<void> {
	const held = yield* askAll(keys.map(({ key }) => ({ type: "node", at: { key } }) as const));
	for (const [index, { key, group, nodeId }] of keys.entries()) {
		if (held[index] !== null || changes.key(key) !== undefined) lost.add("key");
		else changes.putKey(null, { key, group, nodeId: ids.get(nodeId)! });
	}
}
