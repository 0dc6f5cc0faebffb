import type { Call } from "../../engine/call.js";
import type { Changes } from "../../engine/changes.js";
import { drawIds } from "../../engine/id-source.js";
import { ask, askAll, breathe, type Reading } from "../../engine/protocol.js";
import { shortIdOf } from "../../id.js";
import { originIdOf } from "../../node.js";
import type { KeyRecord, NodeRecord, StoredNode } from "../../storage.js";
import type { Arrival } from "../format-module.js";
import { LossCount } from "../loss.js";
import { placeRoots } from "../roots.js";

/** How many nodes are looked at in a step. */
const nodesInStep = 1024;
/** How many ids are asked about at once, and how many nodes are asked for. */
const idsAtOnce = 65_536;
const nodesAtOnce = 4096;

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
			const ids = yield* idsFor(call, changes, nodes, lost);
			const origins = yield* originsOutside(nodes);
			if (!places.isEmpty) lost.add("priority", roots.length);
			let nextRoot = 0;
			for (const [index, node] of nodes.entries()) {
				if (index % nodesInStep === nodesInStep - 1) yield* breathe();
				const isRoot = node.parentId === null;
				const priority = isRoot ? places.priorities[nextRoot++]! : node.priority;
				const originId = originOf(node, ids, origins, places.parent);
				if (originId === null && node.originId !== null) lost.add("mirror");
				changes.put(null, {
					...node,
					id: ids.get(node.id)!,
					parentId: isRoot ? places.parentId : ids.get(node.parentId!)!,
					priority: places.isEmpty ? node.priority : priority,
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
	const ids = new Map<string, string>();
	const shortIds = new Set<string>();
	// The parent may just have been made on demand.
	const taken = new Set(changes.relatedIds.map(shortIdOf));
	for (let start = 0; start < nodes.length; start += idsAtOnce) {
		const asked: string[] = [];
		for (const [index, { id }] of nodes.slice(start, start + idsAtOnce).entries()) {
			if (index % nodesInStep === nodesInStep - 1) yield* breathe();
			ids.set(id, id);
			asked.push(shortIdOf(id));
			shortIds.add(shortIdOf(id));
		}
		const [held] = yield* ask({ type: "taken", shortIds: asked });
		for (const shortId of held) taken.add(shortId);
	}
	if (taken.size === 0) return ids;
	const replaced: NodeRecord[] = [];
	for (const [index, node] of nodes.entries()) {
		if (index % nodesInStep === nodesInStep - 1) yield* breathe();
		if (taken.has(shortIdOf(node.id))) replaced.push(node);
	}
	lost.add("id", replaced.length);
	let count = 0;
	while (count < replaced.length) {
		// The host's ids may be those of the file.
		const drawn = yield* drawIds(call.ids, replaced.length - count);
		for (const id of drawn.ids) if (!shortIds.has(shortIdOf(id))) ids.set(replaced[count++]!.id, id);
	}
	return ids;
}

/** The nodes of the outline that mirrors of the file have for their origin, by id. */
function* originsOutside(nodes: readonly NodeRecord[]): Reading<ReadonlyMap<string, StoredNode>> {
	const mirrors = nodes.filter(({ originId }) => originId !== null);
	if (mirrors.length === 0) return new Map();
	const within = new Set<string>();
	for (const [index, { id }] of nodes.entries()) {
		if (index % nodesInStep === nodesInStep - 1) yield* breathe();
		within.add(id);
	}
	const wanted = new Set<string>();
	for (const { originId } of mirrors) if (!within.has(originId!)) wanted.add(originId!);
	const origins = new Map<string, StoredNode>();
	for (const node of yield* nodesAt([...wanted].map((id) => ({ id })))) {
		if (node !== null && node.record.originId === null) origins.set(node.record.id, node);
	}
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
	const held = yield* nodesAt(keys.map(({ key }) => ({ key })));
	for (const [index, { key, group, nodeId }] of keys.entries()) {
		if (held[index] !== null || changes.key(key) !== undefined) lost.add("key");
		else changes.putKey(null, { key, group, nodeId: ids.get(nodeId)! });
	}
}

/** The nodes of these ids or keys, null where there is none: some at a time, however many there are. */
function* nodesAt(
	locators: readonly ({ readonly id: string } | { readonly key: string })[],
): Reading<(StoredNode | null)[]> {
	const nodes: (StoredNode | null)[] = [];
	for (let start = 0; start < locators.length; start += nodesAtOnce) {
		const asked = locators.slice(start, start + nodesAtOnce).map((at) => ({ type: "node", at }) as const);
		for (const node of yield* askAll(asked)) nodes.push(node);
	}
	return nodes;
}
