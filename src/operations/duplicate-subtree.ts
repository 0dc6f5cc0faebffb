import type { Call } from "../engine/call.js";
import type { Changes } from "../engine/changes.js";
import { CommitSize } from "../engine/commit-size.js";
import { reserveMany } from "../engine/id-source.js";
import { ask, Counter, type Operation, pause, stepwise } from "../engine/protocol.js";
import { nodeView, type OutlineNode, sizeOfRecord } from "../node.js";
import { assertOtherOrigin, placeNew } from "../place/placement.js";
import type { Place } from "../place/priority.js";
import { type NodeReference, notFound, type Reference } from "../reference/reference.js";
import type { NodeRecord } from "../storage.js";
import { inReadingOrder } from "./subtree.js";

/**
 * Copies a node with all nodes below it. A mirror becomes a mirror of the same origin, or of the origin's
 * copy if the origin is copied too. Keys stay with the originals.
 *
 * @throws `not_found` `would_create_cycle` `too_large`; `invalid_argument` for a sibling of another parent
 */
export function* duplicateSubtree(
	call: Call,
	changes: Changes,
	reference: NodeReference,
	destination: Reference | undefined,
	place: Place,
): Operation<OutlineNode> {
	const [subtree] = yield* ask({ type: "subtree", of: reference.at });
	const [top] = subtree.nodes;
	if (top === undefined) throw notFound(reference);
	const { nodes } = yield* stepwise(inReadingOrder(subtree));
	yield* reserveMany(call.ids, nodes.length);
	const under = destination ?? (typeof place === "string" ? parentOf(top.record) : undefined);
	const { ids, parent, ...found } = yield* placeNew(call, changes, under, place, nodes.length);
	// A copy beside the original has the same parent. If that is a mirror, other mirrors don't show the copy.
	const staysBeside = destination === undefined && (parent?.record.id ?? null) === top.record.parentId;
	const parentId = staysBeside ? top.record.parentId : found.parentId;
	const counter = new Counter();
	const copyIds = new Map<string, string>();
	for (const [index, { record }] of nodes.entries()) {
		if (counter.isDue()) yield* pause();
		copyIds.set(record.id, ids[index]!);
	}
	const { originId } = top.record;
	if (originId !== null && !copyIds.has(originId) && parent !== null) assertOtherOrigin(originId, parent);
	const size = call.copies?.size ?? new CommitSize(call.settings, "Duplicate its children one by one");
	/** The copy of the top, the copy of its origin, and its mirrors among the copies. */
	let topCopy: NodeRecord | undefined;
	let originCopy: NodeRecord | undefined;
	const mirrorIds: string[] = [];
	for (const { record, origin } of nodes) {
		if (counter.isDue()) yield* pause();
		size.add(sizeOfRecord(record));
		const isTop = record === top.record;
		const copy: NodeRecord = {
			...record,
			id: copyIds.get(record.id)!,
			parentId: isTop ? parentId : copyIds.get(record.parentId!)!,
			priority: isTop ? found.priority : record.priority,
			originId: record.originId === null ? null : (copyIds.get(record.originId) ?? record.originId),
			createdAt: call.seconds,
			modifiedAt: call.seconds,
			revision: 0,
		};
		changes.put(null, copy);
		if (isTop) topCopy = copy;
		else if (copy.originId === ids[0]) mirrorIds.push(copy.id);
		if (record.id === originId) originCopy = copy;
		if (origin !== null && !copyIds.has(origin.id)) changes.touch(origin);
	}
	return nodeView({ record: topCopy!, origin: originCopy ?? top.origin, mirrorIds: mirrorIds.sort() });
}

/** A reference to the parent of a node. */
function parentOf({ parentId }: NodeRecord): Reference {
	return parentId === null ? { form: "root" } : { form: "id", text: parentId, at: { id: parentId } };
}
