import type { Changes } from "./change.js";
import { OutlineError } from "./errors.js";
import { ask, type Reading } from "./operation.js";
import { type NodeReference, notFound } from "./reference.js";
import type { Subtree } from "./storage.js";

/** What a deletion would do. */
export interface DeletionPlan {
	/** The ids of the nodes that would go: the node itself, then all below it, each after its parent. */
	nodeIds: string[];
	/** Those of them that are mirrors; their origins stay, unless they go as well. */
	mirrorIds: string[];
	/** The keys that would go along: shortcuts, `inbox`, and calendar keys. */
	keys: string[];
	/** What forbids it: the ids of the mirrors, wherever they are, of origins that would go. Empty if nothing does. */
	forbiddenBy: string[];
}

/** What deleting a node would do. @throws `not_found` */
export function* planRemoval(reference: NodeReference): Reading<DeletionPlan> {
	const { nodes, keys } = yield* below(reference);
	return {
		nodeIds: nodes.map(({ record }) => record.id),
		mirrorIds: nodes.filter(({ record }) => record.originId !== null).map(({ record }) => record.id),
		keys: keys.map(({ key }) => key).sort(),
		forbiddenBy: mirrorsOf(nodes),
	};
}

/**
 * Deletes a node and all below it, with the keys that point there. Spec §3, §4.5.
 *
 * @throws `not_found`; `has_mirrors` naming the mirrors of any origin among them
 */
export function* remove(changes: Changes, reference: NodeReference): Reading<void> {
	const { nodes, keys } = yield* below(reference);
	const mirrorIds = mirrorsOf(nodes);
	if (mirrorIds.length > 0) {
		const named = mirrorIds.slice(0, 5).join(", ") + (mirrorIds.length > 5 ? ` and ${mirrorIds.length - 5} more` : "");
		throw new OutlineError(
			"has_mirrors",
			`The node, or one below it, is an origin that still has mirrors. Delete these mirrors first, or move the origin out of what is deleted: ${named}.`,
			{ mirrorIds },
		);
	}
	for (const { record } of nodes) changes.remove(record);
	for (const { origin } of nodes) if (origin !== null) changes.touch(origin);
	for (const key of keys) changes.removeKey(key);
}

/** A node and all that is deleted with it. @throws `not_found` */
function* below(reference: NodeReference): Reading<Subtree> {
	const [subtree] = yield* ask({ type: "subtree", of: reference.at });
	if (subtree.nodes.length === 0) throw notFound(reference);
	return subtree;
}

function mirrorsOf(nodes: Subtree["nodes"]): string[] {
	return nodes.flatMap(({ mirrorIds }) => mirrorIds);
}
