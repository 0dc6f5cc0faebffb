import type { Call } from "../engine/call.js";
import type { Changes } from "../engine/changes.js";
import type { Operation } from "../engine/protocol.js";
import type { OutlineNode } from "../node.js";
import type { NodeReference } from "../reference/reference.js";
import { changeContent } from "./update.js";

/** Completes a node; for a mirror, its origin. A completed node keeps its timestamp. Spec §3, §4.9. */
export function complete(call: Call, changes: Changes, reference: NodeReference): Operation<OutlineNode> {
	return changeContent(changes, reference, call.seconds, ({ completedAt }) => ({
		completedAt: completedAt ?? call.seconds,
	}));
}

/** Makes a node open again; for a mirror, its origin. Spec §3, §4.10. */
export function uncomplete(call: Call, changes: Changes, reference: NodeReference): Operation<OutlineNode> {
	return changeContent(changes, reference, call.seconds, () => ({ completedAt: null }));
}
