import type { Call } from "../engine/call.js";
import type { Changes } from "../engine/changes.js";
import { ask, type Operation } from "../engine/protocol.js";
import { nodeView, type OutlineNode } from "../node.js";
import { onDemandModule } from "../place/placement.js";
import { type NodeReference, notFound } from "../reference/reference.js";

/**
 * Returns the node of a reference. Creates it if it is the missing node of a key on demand. This is the whole
 * operation, so undo deletes the node.
 *
 * @throws `not_found`
 */
export function* ensure(call: Call, changes: Changes, reference: NodeReference): Operation<OutlineNode> {
	const [node] = yield* ask({ type: "node", at: reference.at });
	if (node !== null) return nodeView(node);
	if (reference.form !== "inbox" && reference.form !== "calendar") throw notFound(reference);
	const made = yield* onDemandModule.loaded.materialize(call, changes, reference.at.key, false);
	return nodeView(made.node);
}
