import type { Call } from "../engine/call.js";
import type { Changes } from "../engine/changes.js";
import { ask, type Operation } from "../engine/protocol.js";
import { OutlineError } from "../errors.js";
import type { Fields } from "../fields.js";
import { contentOf, newRecord, nodeView, type OutlineNode } from "../node.js";
import { assertOtherOrigin, placeNew } from "../place/placement.js";
import { type Place, type Position, positionArgument } from "../place/priority.js";
import { mirrorParentReference, type NodeReference, nodeReference, notFound } from "../reference/reference.js";
import { remove } from "./delete/delete.js";
import type { IdempotencyInput } from "./idempotency.js";
import { oneId, type Prepared } from "./prepared.js";

/** The input of `Outline.mirror`. Spec §4.7. */
export interface MirrorInput extends IdempotencyInput {
	/** The full id of an existing node. */
	parent: string;
	/** Default `top`. */
	position?: Position | undefined;
}

/** Checks and prepares a `mirror`. @throws `invalid_argument`, and the errors of a reference */
export function prepareMirror(call: Call, { parent, position }: Fields, ref: unknown): Prepared<OutlineNode> {
	const reference = nodeReference(ref, call);
	const target = mirrorParentReference(parent, call);
	const place = positionArgument(position, call);
	return { newIds: oneId, run: (changes) => mirror(call, changes, reference, target, place) };
}

/** The most characters of the origin's name that a mirror's own record keeps. */
const longestFallback = 200;

/**
 * Creates a mirror under a parent. For the mirror of a node that is a mirror, the true origin counts; for a
 * parent that is a mirror, its origin. The mirror's own record keeps a short name of the origin, in case the
 * origin is gone. A copy of long content would let a small request write much text, once for each mirror.
 * Spec §4.7.
 *
 * @throws `not_found` `would_create_cycle`; `invalid_argument` for a sibling of another parent
 */
function* mirror(
	call: Call,
	changes: Changes,
	reference: NodeReference,
	parentReference: NodeReference,
	place: Place,
): Operation<OutlineNode> {
	const query = { type: "node", at: reference.at } as const;
	const { ids, parent, parentId, priority, answers } = yield* placeNew(call, changes, parentReference, place, 1, query);
	const [node] = answers;
	if (node === null) throw notFound(reference);
	if (node.record.originId !== null && node.origin === null) {
		throw new OutlineError(
			"not_found",
			`The origin of the mirror ${node.record.id} is gone, so it can't be mirrored again.`,
		);
	}
	const origin = contentOf(node);
	assertOtherOrigin(origin.id, parent!);
	const name = origin.name.length <= longestFallback ? origin.name : "";
	const record = newRecord({ id: ids[0]!, parentId, priority, name, originId: origin.id }, call.seconds);
	changes.put(null, record);
	changes.touch(origin);
	return nodeView({ record, origin, mirrorIds: [] });
}

/** Deletes a mirror; its origin stays. Spec §3, §4.8. @throws `not_found` `not_a_mirror` `has_mirrors` */
export function* removeMirror(call: Call, changes: Changes, reference: NodeReference): Operation<void> {
	const [node] = yield* ask({ type: "node", at: reference.at });
	if (node === null) throw notFound(reference);
	if (node.record.originId === null) {
		throw new OutlineError(
			"not_a_mirror",
			`The node ${node.record.id} is not a mirror. To delete the node itself, use delete.`,
		);
	}
	yield* remove(call, changes, reference);
}
