import { ask, type Operation } from "../../engine/protocol.js";
import type { NodeRecord, StoredNode } from "../../storage.js";
import type { DeltaFields } from "../delta.js";
import { isCyclic } from "./parents.js";
import { returningFields, type Settlement } from "./settlement.js";

/** Returns the true origin that a new mirror names; `null` if it is gone. */
export function* originOf(settlement: Settlement, originId: string | null, id: string): Operation<StoredNode | null> {
	if (originId === null) return null;
	const node = yield* settlement.nodeAt(settlement.standInFor(originId));
	if (node === null || node.record.originId === null) return node?.record.id === id ? null : node;
	const origin = node.origin === null ? null : yield* settlement.nodeAt(node.origin.id);
	return origin?.record.id === id ? null : origin;
}

/**
 * Makes a mirror a plain node, or the reverse, if no other device has done either meanwhile. A plain node that
 * another device has edited stays one, because a mirror doesn't show its own content.
 *
 * @param known - the fields of the node that the device knew. A usual value is left out, and a very long text may be
 */
export function* changeOrigin(
	settlement: Settlement,
	{ record, mirrorIds }: StoredNode,
	wanted: string | null,
	known: DeltaFields,
): Operation<NodeRecord> {
	if (record.originId === wanted || record.originId !== (known.originId ?? null)) return record;
	const old = record.originId === null ? null : yield* settlement.nodeAt(record.originId);
	let originId: string | null = null;
	if (wanted !== null) {
		const origin = yield* originOf(settlement, wanted, record.id);
		const isEdited = returningFields.some((field) => (known[field] ?? null) !== record[field]);
		if (origin === null || isEdited || mirrorIds.length > 0) return record;
		if (record.parentId !== null && (yield* isCyclic(settlement, record.parentId, null, origin.record.id)))
			return record;
		const [children] = yield* ask({ type: "children", of: { id: record.id }, scope: "own" });
		for (const child of children) {
			if ((child.record.originId ?? child.record.id) === origin.record.id) return record;
		}
		originId = origin.record.id;
		settlement.changes.touch(origin.record);
	}
	const changed = { ...record, originId };
	settlement.changes.put(record, changed);
	if (old !== null) settlement.changes.touch(old.record);
	return changed;
}
