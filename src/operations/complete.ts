import type { Call } from "../engine/call.js";
import type { Changes } from "../engine/changes.js";
import type { Operation } from "../engine/protocol.js";
import type { OutlineNode } from "../node.js";
import type { NodeReference } from "../reference/reference.js";
import { changeContent } from "./update.js";

/** Completes a node, or a mirror's origin. Completed already, it keeps its first timestamp. Spec §3, §4.9. */
export function complete(call: Call, changes: Changes, reference: NodeReference): Operation<OutlineNode> {
	return changeContent(changes, reference, call.seconds, ({ completedAt }) => ({
		completedAt: completedAt ?? call.seconds,
	}));
}

/** Makes a node, or a mirror's origin, open again. Spec §3, §4.10. */
export function uncomplete(call: Call, changes: Changes, reference: NodeReference): Operation<OutlineNode> {
	return changeContent(changes, reference, call.seconds, () => ({ completedAt: null }));
}
