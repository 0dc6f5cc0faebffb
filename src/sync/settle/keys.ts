import { ask, type Operation } from "../../engine/protocol.js";
import { groupOf } from "../../reference/key-group.js";
import { shortcutGroup } from "../../storage.js";
import type { KeyDelta } from "../delta.js";
import type { Settlement } from "./settlement.js";

/**
 * A shortcut goes to the later of two nodes, the key of a day to the earlier. The shortcut of a node that the delta
 * deletes has gone with the node, or stays with it.
 */
export function* settleKey(settlement: Settlement, { key, group, before, after }: KeyDelta): Operation<void> {
	if (groupOf(key) !== group) return;
	const [held] = yield* ask({ type: "node", at: { key } });
	const heldId = held?.record.id ?? null;
	const old = heldId === null ? null : { key, group, nodeId: heldId };
	const isShortcut = group === shortcutGroup;
	if (after === null) {
		const goesAlone = before !== null && settlement.changed.get(before)?.after !== null;
		if (old !== null && isShortcut && heldId === before && goesAlone) settlement.changes.removeKey(old);
		return;
	}
	const target = settlement.standInFor(after);
	if (target === heldId) return;
	if ((yield* settlement.nodeAt(target)) === null) {
		if (isShortcut) settlement.addConflict("shortcut", target, heldId, target, key);
		return;
	}
	if (!isShortcut && heldId !== null && heldId !== before) return;
	if (isShortcut && heldId !== null && heldId !== before)
		settlement.addConflict("shortcut", target, target, heldId, key);
	settlement.changes.putKey(old, { key, group, nodeId: target });
}
