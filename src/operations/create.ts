import type { Call } from "../engine/call.js";
import type { Changes } from "../engine/changes.js";
import { reserveMany } from "../engine/id-source.js";
import { type Operation, stepwise } from "../engine/protocol.js";
import type { Settings } from "../engine/settings.js";
import { assertBoolean, type Fields } from "../fields.js";
import { type LayoutMode, layoutModeArgument } from "../layout-mode.js";
import { blockOfName } from "../markup/block.js";
import type { OutlineNode } from "../node.js";
import { placeNew } from "../place/placement.js";
import { type Position, positionArgument } from "../place/priority.js";
import { changedProperties, type PropertyChanges, propertiesArgument } from "../properties.js";
import { destinationArgument, type Reference, type ReferenceText } from "../reference/reference.js";
import type { NodeRecord } from "../storage.js";
import { type Draft, type DraftNode, draftOf, draftsOf, newView, recordOf, recordsOf } from "./draft.js";
import type { IdempotencyInput } from "./idempotency.js";
import { formatArgument, plainName, readBlocks, readNote, shortNote, type TextFormat } from "./name.js";
import { oneId, type Prepared, preparedFrom } from "./prepared.js";

/** The input of `Outline.create`. Spec §4.1. */
export interface CreateInput extends IdempotencyInput {
	/**
	 * Any reference; `null` for the top level. Default: the parent of the sibling that `position` names, or
	 * else the top level. A reference to the inbox or to a calendar entry creates that node.
	 */
	parent?: ReferenceText | null | undefined;
	/** Text with the Markdown of spec §2.5. The first block becomes the node, further blocks nodes below it. */
	name: string;
	/** Plain text, kept exactly as given. */
	note?: string | null | undefined;
	/** Overrides a layout prefix in the name. */
	layoutMode?: LayoutMode | undefined;
	/** JSON values of the host, under keys of 1 to 64 characters. */
	properties?: PropertyChanges | undefined;
	/** Whether the new node is completed. Default: `true` if the name begins with `- [x]`, else `false`. */
	completed?: boolean | undefined;
	/** The format of the name. With `html` and `text`, the name makes one node. Default `markdown`. */
	format?: TextFormat | undefined;
	/** Default `top`. */
	position?: Position | undefined;
}

/** Checks and prepares a `create`. @throws `invalid_argument`, and the errors of a reference */
export function prepareCreate(call: Call, fields: Fields): Prepared<OutlineNode> {
	const { parent, name, note, layoutMode, properties, completed, position, format } = fields;
	const reference = destinationArgument(parent, call);
	const mode = layoutModeArgument(layoutMode);
	const nameFormat = formatArgument(format, "markdown");
	const ownCompleted = completedArgument(completed);
	const place = positionArgument(position, call);
	const ownProperties = newProperties(properties, call.settings);
	const own = (ownNote: string | null) => ({ completed: ownCompleted, note: ownNote, properties: ownProperties });
	const prepared = (nodes: readonly DraftNode[]): Prepared<OutlineNode> => {
		const draft = { nodes, position: place };
		return {
			newIds: nodes.length === 1 ? oneId : () => nodes.length,
			run: (changes) => create(call, changes, reference, draft, ([record]) => newView(record!)),
		};
	};
	const plain = plainName(name, call.settings, nameFormat);
	const short = note === undefined ? null : shortNote(note, call.settings);
	if (plain !== undefined && short !== undefined) return prepared([draftOf(blockOfName(plain, mode), own(short))]);
	return preparedFrom(call, function* () {
		const ownNote = note === undefined ? null : yield* readNote(note, call.settings);
		return prepared(draftsOf(yield* readBlocks(name, mode, call.settings, nameFormat), own(ownNote)));
	});
}

/**
 * Creates a node with all nodes below it. Returns the result of `view` for their records, in reading order.
 * Under a mirror, the node becomes a child of the origin, at a position among the children visible below the
 * mirror. Spec §4.1.
 *
 * @param parent - default: the parent of the sibling that the position names, or else the top level
 * @throws `not_found` for an unknown parent or sibling; `invalid_argument` for a sibling of another parent
 */
export function* create<T>(
	call: Call,
	changes: Changes,
	parent: Reference | undefined,
	draft: Draft,
	view: (records: readonly NodeRecord[]) => T,
): Operation<T> {
	const { nodes, position } = draft;
	if (nodes.length > 1) yield* reserveMany(call.ids, nodes.length);
	const { ids, parentId, priority } = yield* placeNew(call, changes, parent, position, nodes.length);
	const records =
		nodes.length === 1
			? [recordOf(nodes[0]!, ids[0]!, parentId, priority, call.seconds)]
			: yield* stepwise(recordsOf(nodes, ids, parentId, [priority], call.seconds));
	changes.add(records);
	return view(records);
}

/** Returns the text of a new node's properties for its record. @throws `invalid_argument` */
export function newProperties(properties: unknown, { limits }: Settings): string | null {
	const checked = propertiesArgument(properties, limits.properties);
	return checked === undefined ? null : changedProperties(null, checked, limits.properties);
}

/** Checks whether a node is to be completed; undefined for no change. @throws `invalid_argument` */
export function completedArgument(completed: unknown): boolean | undefined {
	if (completed === undefined) return undefined;
	assertBoolean("completed", completed);
	return completed;
}
