import { ask, Counter, type Operation, pause } from "../../engine/protocol.js";
import { inboxKey } from "../../id.js";
import type { StoredNode } from "../../storage.js";
import type { Settlement } from "./settlement.js";

/**
 * Finds the parent for a node: the wanted one, or the nearest above it that the delta knows and that is there,
 * or the inbox. A deleted day returns.
 *
 * @param shownId - the id of the node whose content it shows
 */
export function* parentFor(
	settlement: Settlement,
	wanted: string | null,
	id: string,
	shownId: string,
): Operation<string | null> {
	let at = settlement.standInFor(wanted);
	if (at === null) return null;
	const seen = new Set<string>();
	const counter = new Counter();
	while (at !== null) {
		// A hostile delta may name very many ancestors.
		if (counter.isDue()) yield* pause();
		const isFirst = seen.size === 0;
		seen.add(at);
		const node: StoredNode | null = yield* settlement.nodeAt(at);
		if (node !== null && !(yield* isCyclic(settlement, at, id, shownId))) {
			// A day that has returned with an edit has lost its key.
			yield* settlement.takeKey(at);
			if (isFirst) return at;
			break;
		}
		const key = node === null ? settlement.keyOf(at) : undefined;
		if (key !== undefined) {
			const day = yield* settlement.nodeOfKey(key, at);
			if (!(yield* isCyclic(settlement, day, id, shownId))) {
				if (isFirst) return day;
				at = day;
				break;
			}
		}
		const above: string | null = node?.record.parentId ?? settlement.delta.known?.[at]?.parentId ?? null;
		const next: string | null = settlement.standInFor(above);
		// The ancestors in a hostile delta may form a circle.
		at = next !== null && seen.has(next) ? null : next;
	}
	if (at === null) {
		const inbox = yield* settlement.nodeOfKey(inboxKey);
		at = (yield* isCyclic(settlement, inbox, id, shownId)) ? null : inbox;
	}
	settlement.addConflict("parent", id, at, wanted);
	return at;
}

/**
 * Whether a node below a parent would be below itself, or a mirror of its parent.
 *
 * @param id - the node; `null` if only the mirror matters
 * @param shownId - the id of the node whose content it shows
 */
export function* isCyclic(
	settlement: Settlement,
	parentId: string,
	id: string | null,
	shownId: string,
): Operation<boolean> {
	const parent = yield* settlement.nodeAt(parentId);
	if (parent !== null && (parent.record.originId ?? parent.record.id) === shownId) return true;
	if (id === null) return false;
	const isNew =
		settlement.created.has(id) || (settlement.changed.get(id)?.before === null && !(yield* settlement.exists(id)));
	if (isNew) return parentId === id;
	const [ancestors] = yield* ask({ type: "ancestors", of: { id: parentId } });
	return ancestors.includes(id);
}
