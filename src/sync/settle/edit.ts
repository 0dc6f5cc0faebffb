import type { Operation } from "../../engine/protocol.js";
import { placed } from "../../node.js";
import type { StoredNode } from "../../storage.js";
import type { DeltaFields, NodeDelta } from "../delta.js";
import { changeOrigin } from "./origins.js";
import { isCyclic } from "./parents.js";
import type { Places } from "./places.js";
import { editOrigin, writeContent } from "./write-content.js";

/** Changes a node that is there: its content, its origin and its place. */
export function* edit(places: Places, node: StoredNode, change: NodeDelta): Operation<void> {
	const { settlement } = places;
	const { id, before, rest = {} } = change as NodeDelta & { readonly before: DeltaFields };
	const { originId, ...content } = withoutPlace(change).after!;
	if (settlement.staying.attached.has(id)) {
		yield* editOrigin(settlement, node.record.originId, content);
	} else if (originId !== undefined) {
		const changed = yield* changeOrigin(settlement, node, originId, { ...rest, ...before });
		if (changed.originId === originId)
			yield* writeContent(settlement, (yield* settlement.nodeAt(id))!, before, content);
	} else {
		// A mirror shows its origin's content. Its own is only for the case that the origin is gone. Here it may be a
		// mirror still, although an earlier entry has detached it.
		const isMirror = rest.originId == null && node.origin !== null;
		const shown = isMirror ? yield* settlement.nodeAt(node.origin.id) : node;
		if (shown !== null) yield* writeContent(settlement, shown, before, content);
	}
	yield* move(places, change);
}

/** Gives a node its new place, if the change has one. A move that would close a circle is a conflict. */
function* move(places: Places, change: NodeDelta): Operation<void> {
	const { settlement } = places;
	const { id, before, rest = {} } = change as NodeDelta & { readonly before: DeltaFields };
	const { parentId, priority } = change.after!;
	if (parentId === undefined && priority === undefined) return;
	let current = (yield* settlement.nodeAt(id))!.record;
	const formerParent = before.parentId === undefined ? rest.parentId : before.parentId;
	// Another device has moved it elsewhere, and this one only gave it another place among its former siblings.
	if (parentId === undefined && formerParent !== undefined && current.parentId !== formerParent) return;
	const wanted = parentId === undefined ? current.parentId : settlement.standInFor(parentId);
	const shownId = current.originId ?? id;
	if (wanted !== current.parentId && wanted !== null && (yield* isCyclic(settlement, wanted, id, shownId))) {
		settlement.addConflict("move", id, current.parentId, wanted);
		return;
	}
	const place = { parentId: wanted, priority: priority ?? places.siblings.priorityBefore(id) ?? current.priority };
	const { parentId: to, priority: at } = yield* places.find(change, place, shownId, current.parentId);
	current = (yield* settlement.nodeAt(id))!.record;
	if (to !== current.parentId || at !== current.priority) settlement.changes.put(current, placed(current, to, at));
}

/** A change of a node without its new place, which is not to count. */
export function withoutPlace(change: NodeDelta): NodeDelta {
	const { parentId, priority, ...after } = change.after!;
	return { ...change, after };
}
