import type { Call } from "./call.js";
import type { Changes } from "./change.js";
import { changeContent } from "./content.js";
import type { OutlineNode } from "./node.js";
import type { Reading } from "./operation.js";
import type { NodeReference } from "./reference.js";

/** Completes a node, or a mirror's origin. Completed already, it keeps its first timestamp. Spec §3, §4.9. */
export function complete(call: Call, changes: Changes, reference: NodeReference): Reading<OutlineNode> {
	return changeContent(changes, reference, call.seconds, ({ completedAt }) => ({
		completedAt: completedAt ?? call.seconds,
	}));
}

/** Makes a node, or a mirror's origin, open again. Spec §3, §4.10. */
export function uncomplete(call: Call, changes: Changes, reference: NodeReference): Reading<OutlineNode> {
	return changeContent(changes, reference, call.seconds, () => ({ completedAt: null }));
}
