import type { Call } from "../engine/call.js";
import { LazyModule } from "../engine/lazy-module.js";
import type { Fields } from "../fields.js";
import type { OutlineNode } from "../node.js";
import { type Place, type Position, positionArgument } from "../place/priority.js";
import { destinationArgument, nodeReference, type ReferenceText } from "../reference/reference.js";
import type { IdempotencyInput } from "./idempotency.js";
import { noIds, type Prepared, preparedFrom } from "./prepared.js";

const subtreeModule = new LazyModule("The copying of subtrees", () => import("./duplicate-subtree.js"));

/** The input of `Outline.duplicate`. */
export interface DuplicateInput extends IdempotencyInput {
	/**
	 * Any reference; `null` for the top level. Default: the parent of the `position`'s sibling, or the node's.
	 */
	parent?: ReferenceText | null | undefined;
	/** Default: directly after the node; with a parent, `top`. */
	position?: Position | undefined;
}

/** Checks and prepares a `duplicate`. @throws `invalid_argument`, and the errors of a reference */
export function prepareDuplicate(call: Call, { parent, position }: Fields, ref: unknown): Prepared<OutlineNode> {
	const reference = nodeReference(ref, call);
	const destination = destinationArgument(parent, call);
	const beside = parent === undefined && position === undefined;
	const place: Place = beside ? { side: "after", sibling: reference } : positionArgument(position, call);
	return preparedFrom(call, function* () {
		const { duplicateSubtree } = yield* subtreeModule.needed();
		return { newIds: noIds, run: (changes) => duplicateSubtree(call, changes, reference, destination, place) };
	});
}
