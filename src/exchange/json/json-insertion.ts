import type { Call } from "../../engine/call.js";
import type { Changes } from "../../engine/changes.js";
import { drawIds } from "../../engine/id-source.js";
import { ask, askAll, type Operation, pause } from "../../engine/protocol.js";
import { shortIdOf } from "../../id.js";
import { originIdOf } from "../../node.js";
import { type Key, type NodeRecord, type StoredNode, shortcutGroup } from "../../storage.js";
import { placeRoots } from "../destination.js";
import type { ParsedFile } from "../format-module.js";
import { LossCount } from "../loss.js";

/** The number of nodes processed in a step. */
const nodesInStep = 1024;
/** The maximum number of ids checked by one query, and of nodes loaded at once. */
const idsAtOnce = 65_536;
const nodesAtOnce = 4096;

/**
 * Returns the nodes and keys of a JSON file. If nothing conflicts, they are inserted exactly as the file has
 * them. Otherwise these differ and are counted:
 *
 * - `id`: a node gets a new id if another node has its short id.
 * - `priority`: the file's roots get new priorities if they get other siblings.
 * - `key`: a key of the outline keeps its node.
 * - `mirror`: a mirror becomes a normal node if its origin is in neither the file nor the outline. So does a
 *   mirror that would be a child of its own origin.
 *
 * @param nodes - in reading order
 */
export function parsedRecords(nodes: readonly NodeRecord[], keys: readonly Key[]): ParsedFile {
	const roots = nodes.filter(({ parentId }) => parentId === null);
	return {
		nodes: nodes.length,
		*insert(call, changes, destination) {
			const lost = new LossCount();
			const places = yield* placeRoots(call, changes, destination, roots.length, 0);
			const ids = yield* idsFor(call, changes, nodes, lost);
			const origins = yield* originsOutside(nodes);
			if (!places.isEmpty) lost.add("priority", roots.length);
			let nextRoot = 0;
			for (const [index, node] of nodes.entries()) {
				if (index % nodesInStep === nodesInStep - 1) yield* pause();
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

/** Returns the new id of each node by its id in the file: the same id, unless another node has it. */
function* idsFor(
	call: Call,
	changes: Changes,
	nodes: readonly NodeRecord[],
	lost: LossCount,
): Operation<ReadonlyMap<string, string>> {
	const ids = new Map<string, string>();
	const shortIds = new Set<string>();
	// The parent may just have been created on demand.
	const taken = new Set(changes.relatedIds.map(shortIdOf));
	for (let start = 0; start < nodes.length; start += idsAtOnce) {
		const asked: string[] = [];
		for (const [index, { id }] of nodes.slice(start, start + idsAtOnce).entries()) {
			if (index % nodesInStep === nodesInStep - 1) yield* pause();
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
		if (index % nodesInStep === nodesInStep - 1) yield* pause();
		if (taken.has(shortIdOf(node.id))) replaced.push(node);
	}
	lost.add("id", replaced.length);
	let count = 0;
	while (count < replaced.length) {
		// The host's id source may return ids that are also in the file.
		const drawn = yield* drawIds(call.ids, replaced.length - count);
		for (const id of drawn.ids) if (!shortIds.has(shortIdOf(id))) ids.set(replaced[count++]!.id, id);
	}
	return ids;
}

/** Loads the origins of the file's mirrors that are in the outline only, by id. */
function* originsOutside(nodes: readonly NodeRecord[]): Operation<ReadonlyMap<string, StoredNode>> {
	const mirrors = nodes.filter(({ originId }) => originId !== null);
	if (mirrors.length === 0) return new Map();
	const within = new Set<string>();
	for (const [index, { id }] of nodes.entries()) {
		if (index % nodesInStep === nodesInStep - 1) yield* pause();
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

/** Returns the id of the origin of an imported mirror; null if the node isn't a mirror any more. */
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
	keys: readonly Key[],
	ids: ReadonlyMap<string, string>,
	lost: LossCount,
): Operation<void> {
	const held = yield* nodesAt(keys.map(({ key }) => ({ key })));
	for (const [index, { key, group, nodeId }] of keys.entries()) {
		if (held[index] !== null || changes.key(key) !== undefined) lost.add("key");
		else {
			// Later operations may put days below an imported month.
			const lasting = group === shortcutGroup ? undefined : false;
			changes.putKey(null, { key, group, nodeId: ids.get(nodeId)! }, lasting);
		}
	}
}

/** Loads the nodes of these ids or keys in portions; null for each that doesn't exist. */
function* nodesAt(
	locators: readonly ({ readonly id: string } | { readonly key: string })[],
): Operation<(StoredNode | null)[]> {
	const nodes: (StoredNode | null)[] = [];
	for (let start = 0; start < locators.length; start += nodesAtOnce) {
		const asked = locators.slice(start, start + nodesAtOnce).map((at) => ({ type: "node", at }) as const);
		for (const node of yield* askAll(asked)) nodes.push(node);
	}
	return nodes;
}
