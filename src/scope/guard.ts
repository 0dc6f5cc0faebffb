import type { Changes } from "../engine/changes.js";
import { Counter, type Operation, pause } from "../engine/protocol.js";
import { OutlineError } from "../errors.js";
import type { NodeReference } from "../reference/reference.js";
import type { NodeChange, NodeRecord } from "../storage.js";
import type { Exploration } from "./exploration.js";
import { forbidden, noSuchPlace, onlyKnownShortcuts, outside, topStays } from "./refusal.js";

/**
 * Asserts that all changes are inside, before and after. Then their subtrees are inside too, because the top
 * keeps its place. An origin outside may be written without a change, when it gains or loses a mirror.
 *
 * @param hiding - the nodes with hidden mirrors
 * @param scope - the node of the scope; its own key must not point at another node
 * @throws `forbidden`; `not_found` if an inbox or calendar node would be created outside; `has_mirrors`
 *   without `mirrorIds` if a node with hidden mirrors would be deleted
 */
export function* assertInside(
	changes: Changes,
	known: Exploration,
	hiding: ReadonlySet<string>,
	scope: NodeReference,
): Operation<void> {
	const counter = new Counter();
	const nodes: NodeChange[] = [];
	const made = new Set<string>();
	const named = new Set<string>();
	for (const change of changes.nodes) {
		if (counter.isDue()) yield* pause();
		if (isTouch(change)) continue;
		const { before, after } = change;
		nodes.push(change);
		if (before === null) made.add(after!.id);
		else named.add(before.id);
		if (typeof after?.parentId === "string") named.add(after.parentId);
	}
	const { keys } = changes;
	for (const { before, after } of keys) for (const key of [before, after]) if (key !== null) named.add(key.nodeId);
	for (const id of made) named.delete(id);
	yield* known.locate(named);
	const isInside = (id: string | null) => id !== null && (made.has(id) || known.isInside(id));

	for (const { before, after } of nodes) {
		if (counter.isDue()) yield* pause();
		if (before !== null && !known.isInside(before.id)) throw forbidden(outside);
		if (before?.id === known.top) {
			if (after?.parentId !== before.parentId || after.priority !== before.priority) throw forbidden(topStays);
		} else if (after === null) {
			if (hiding.has(before!.id)) throw hasHiddenMirrors();
		} else if (!isInside(after.parentId)) {
			throw changes.onDemand.has(after.id) ? noSuchPlace() : forbidden(outside);
		}
	}
	for (const { before, after } of keys) {
		const { key } = (before ?? after)!;
		if (before === null) {
			// The key may point at a hidden node, so it may not be new.
			if (!changes.onDemand.has(after!.nodeId)) throw forbidden(onlyKnownShortcuts);
			if (typeof known.find({ key }) === "string") throw noSuchPlace();
		}
		if ("key" in scope.at && scope.at.key === key) throw forbidden(onlyKnownShortcuts);
		if (before !== null && !isInside(before.nodeId)) throw forbidden(outside);
		if (after !== null && !isInside(after.nodeId)) throw forbidden(outside);
	}
}

/** Restores the parents that the view has hidden in records, before the records are committed. */
export function* restoreParents(changes: Changes, known: Exploration): Operation<void> {
	const counter = new Counter();
	for (const { before, after } of changes.nodes) {
		if (counter.isDue()) yield* pause();
		if (before === null || after === null || before.parentId !== null) continue;
		const parentId = known.parent(before.id);
		if (parentId === undefined || parentId === null) continue;
		// The view made these records for this operation alone.
		(before as { parentId: string | null }).parentId = parentId;
		(after as { parentId: string | null }).parentId = parentId;
	}
}

/** Whether a change leaves the record as it is. */
function isTouch({ before, after }: NodeChange): boolean {
	if (before === null || after === null) return false;
	return (Object.keys(after) as (keyof NodeRecord)[]).every(
		(field) => field === "revision" || after[field] === before[field],
	);
}

function hasHiddenMirrors(): OutlineError {
	return new OutlineError(
		"has_mirrors",
		"The node, or a node below it, is the origin of mirrors outside of the scope. A caller with access to these mirrors must delete them first, or move the origin out of the subtree.",
		{ mirrorIds: [] },
	);
}
