import type { Call } from "../engine/call.js";
import type { Changes } from "../engine/changes.js";
import type { Operation } from "../engine/protocol.js";
import { type Fields, fieldsOf } from "../fields.js";
import { type NodeReference, nodeReference } from "../reference/reference.js";
import { complete, uncomplete } from "./complete.js";
import { prepareCreate } from "./create.js";
import { prepareCreateTree } from "./create-tree.js";
import { prepareDelete } from "./delete/delete.js";
import { descriptions, type OperationName, type ResultOf } from "./description.js";
import { prepareDuplicate } from "./duplicate.js";
import { ensure } from "./ensure.js";
import { idempotencyFields } from "./idempotency.js";
import { prepareMirror, removeMirror } from "./mirror.js";
import { prepareMove } from "./move.js";
import { noIds, type Prepared } from "./prepared.js";
import { prepareDeleteShortcut, prepareSetShortcut } from "./shortcut.js";
import { prepareUpdate } from "./update.js";

/** Reads and checks the arguments of an operation. Only the field names are checked already. */
type Preparation<T> = (call: Call, fields: Fields, ref: unknown) => Prepared<T>;

/** The work behind each row of {@link descriptions}. */
const preparations: { readonly [T in OperationName]: Preparation<ResultOf<T>> } = {
	create: prepareCreate,
	createTree: prepareCreateTree,
	update: prepareUpdate,
	ensure: onNode(ensure),
	move: prepareMove,
	duplicate: prepareDuplicate,
	mirror: prepareMirror,
	delete: prepareDelete,
	removeMirror: onNode(removeMirror),
	complete: onNode(complete),
	uncomplete: onNode(uncomplete),
	setShortcut: prepareSetShortcut,
	deleteShortcut: prepareDeleteShortcut,
};

const none: readonly string[] = [];

/**
 * Prepares an operation: checks its arguments, before it reads the storage.
 *
 * @param ref - the node that it works on, if any
 * @param also - names of further fields. Default: the idempotency key, if the operation takes one
 * @throws the errors of the arguments, as the method of `Outline` with the same name documents them
 */
export function prepare<T extends OperationName>(
	type: T,
	call: Call,
	input: unknown,
	ref?: unknown,
	also: readonly string[] = descriptions[type].repeatable ? idempotencyFields : none,
): Prepared<ResultOf<T>> {
	return preparations[type](call, fieldsOf(type, input, descriptions[type].fields, also), ref);
}

/** Prepares an operation without arguments but its node. */
function onNode<T>(run: (call: Call, changes: Changes, reference: NodeReference) => Operation<T>): Preparation<T> {
	return (call, _, ref) => {
		const reference = nodeReference(ref, call);
		return { newIds: noIds, run: (changes) => run(call, changes, reference) };
	};
}
