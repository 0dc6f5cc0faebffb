import type { Call } from "../engine/call.js";
import type { Changes } from "../engine/changes.js";
import { ask, type Operation } from "../engine/protocol.js";
import type { Fields } from "../fields.js";
import { nodeView, type OutlineNode, placed } from "../node.js";
import { placeMoved } from "../place/placement.js";
import { type Place, type Position, positionArgument } from "../place/priority.js";
import {
	destinationArgument,
	type NodeReference,
	nodeReference,
	notFound,
	type Reference,
	type ReferenceText,
} from "../reference/reference.js";
import { noIds, type Prepared } from "./prepared.js";

/** The input of `Outline.move`. Spec §4.6. */
export interface MoveInput {
	/**
	 * Any reference; `null` for the top level. Default: the parent of the sibling that `position` names, or
	 * else the parent that the node has. A reference to the inbox or to a calendar entry creates that node.
	 */
	parent?: ReferenceText | null | undefined;
	/** Default `top`. */
	position?: Position | undefined;
}

/** Checks and prepares a `move`. @throws `invalid_argument`, and the errors of a reference */
export function prepareMove(call: Call, { parent, position }: Fields, ref: unknown): Prepared<OutlineNode> {
	const reference = nodeReference(ref, call);
	const destination = destinationArgument(parent, call);
	const place = positionArgument(position, call);
	return { newIds: noIds, run: (changes) => move(call, changes, reference, destination, place) };
}

/**
 * Moves a node with all nodes below it. Without a destination, it stays under its parent, or goes beside the
 * sibling that the position names. A mirror moves alone, without its origin. Under a mirror, the node becomes
 * a child of that mirror alone. Spec §4.6.
 *
 * @throws `not_found` `would_create_cycle`; `invalid_argument` for a sibling of another parent
 */
function* move(
	call: Call,
	changes: Changes,
	reference: NodeReference,
	destination: Reference | undefined,
	place: Place,
): Operation<OutlineNode> {
	const [node] = yield* ask({ type: "node", at: reference.at });
	if (node === null) throw notFound(reference);
	const { parentId, priority } = yield* placeMoved(call, changes, node, destination, place);
	const { record } = node;
	if (parentId === record.parentId && priority === record.priority) return nodeView(node);
	const moved = placed(record, parentId, priority);
	changes.put(record, moved);
	return nodeView({ record: moved, origin: node.origin, mirrorIds: node.mirrorIds });
}
