import { OutlineError, quoted } from "../errors.js";
import { contentFields, isSamePlace } from "../node.js";
import type { Steps } from "../pace.js";
import { type Key, type NodeChange, type NodeRecord, type StoredNode, shortcutGroup } from "../storage.js";
import { nodesOf, type Step } from "./step.js";

/**
 * The fields that are reverted one by one: a later edit of one field is no obstacle to reverting an edit of
 * another.
 */
const content = [...contentFields, "originId"] as const;

/** The number of nodes in a slice of the work. */
const stepSize = 1000;

/** The nodes and keys that other writers have changed since a step, so that the step can't be reverted. */
export class Obstacles {
	readonly #nodes = new Map<string, string>();
	readonly #keys = new Map<string, string>();

	/** Adds a node, with the reason. Only the first reason of a node counts. */
	node(id: string, what: string): void {
		if (!this.#nodes.has(id)) this.#nodes.set(id, what);
	}

	/** Removes a node that stays as it is. */
	forget(id: string): void {
		this.#nodes.delete(id);
	}

	/** Adds a key, with the reason. Only the first reason of a key counts. */
	key(key: string, what: string): void {
		if (!this.#keys.has(key)) this.#keys.set(key, what);
	}

	/** @throws `undo_blocked` with all added nodes and keys, if there are any */
	assertNone(operation: string): void {
		// Sorted, because storages answer in different orders.
		const nodeIds = [...this.#nodes.keys()].sort();
		const keys = [...this.#keys.keys()].sort();
		const reasons = [
			...nodeIds.map((id) => `the node ${id} ${this.#nodes.get(id)}`),
			...keys.map((key) => `${quoted(key)} ${this.#keys.get(key)}`),
		];
		if (reasons.length === 0) return;
		const named = reasons.slice(0, 5).join("; ") + (reasons.length > 5 ? `; and ${reasons.length - 5} more` : "");
		throw new OutlineError(
			"undo_blocked",
			`This would overwrite changes that other writers have made since the ${operation}: ${named}. Change these by hand; clearHistory() forgets this step and all others.`,
			{ nodeIds, keys },
		);
	}
}

/** The changes that revert the nodes of a step. The caller still has to check whether the nodes can be there. */
export interface Reversal {
	/** The new records by id; `null` for a node to be deleted. Unchanged nodes aren't in it. */
	readonly records: Map<string, NodeRecord | null>;
	readonly obstacles: Obstacles;
}

/**
 * Reverts the changes of a step field by field, on top of the current state of its nodes.
 *
 * @param found - the current nodes of the step, by id, without the deleted ones
 * @param staysAside - whether a node was only moved aside, and must keep its current priority
 */
export function* reversalOf(
	step: Step,
	found: ReadonlyMap<string, StoredNode>,
	seconds: number,
	staysAside: (id: string) => boolean,
): Steps<Reversal> {
	const records = new Map<string, NodeRecord | null>();
	const obstacles = new Obstacles();
	const keyed = new Set(
		step.keys.flatMap(({ before }) => (before === null || isShortcut(before) ? [] : before.nodeId)),
	);
	let seen = 0;
	for (const change of nodesOf(step)) {
		if (++seen % stepSize === 0) yield;
		const { id } = (change.before ?? change.after)!;
		if (step.lasting.has(id)) continue;
		const current = found.get(id)?.record;
		if (change.after === null) {
			// A reference to a deleted day, or an import, creates it again with its id. Its content returns if it has none yet.
			const before = change.before!;
			const mayReturn = current === undefined || (keyed.has(id) && (isBlank(current) || hasContentOf(current, before)));
			if (mayReturn) records.set(id, { ...before });
			else if (!hasContentOf(current, before) || !isSamePlace(current, before)) obstacles.node(id, "is there again");
		} else if (change.before === null) {
			if (current === undefined) continue;
			if (current.parentId !== change.after.parentId) obstacles.node(id, "has been moved");
			else if (!hasContentOf(current, change.after)) obstacles.node(id, "has been changed");
			records.set(id, null);
		} else {
			const record = restored(change as Changed, current, seconds, staysAside(id), obstacles);
			if (record !== undefined) records.set(id, record);
		}
	}
	return { records, obstacles };
}

function isShortcut({ group }: Key): boolean {
	return group === shortcutGroup;
}

/** Whether a node is as it was created on demand, perhaps elsewhere. */
export function isBlank({ note, properties, completedAt, modifiedAt, createdAt }: NodeRecord): boolean {
	return note === null && properties === null && completedAt === null && modifiedAt === createdAt;
}

export function hasContentOf(record: NodeRecord, other: NodeRecord): boolean {
	return content.every((field) => record[field] === other[field]);
}

interface Changed extends NodeChange {
	readonly before: NodeRecord;
	readonly after: NodeRecord;
}

function restored(
	{ before, after }: Changed,
	current: NodeRecord | undefined,
	seconds: number,
	staysAside: boolean,
	obstacles: Obstacles,
): NodeRecord | undefined {
	const edited = content.filter((field) => before[field] !== after[field]);
	const isMoved = !staysAside && !isSamePlace(before, after);
	// If a batch edits a node and sets it back, only its time differs.
	const isEdited = edited.length > 0 || before.modifiedAt !== after.modifiedAt;
	if (!isEdited && !isMoved) return undefined;
	if (current === undefined) {
		obstacles.node(after.id, "has been deleted");
		return undefined;
	}
	// If the step moved the node below another parent, only the parent counts: the priority there changes without a
	// move if another writer inserts a sibling.
	const isOfOtherParent = before.parentId !== after.parentId;
	const isMovedLater = isOfOtherParent ? current.parentId !== after.parentId : !isSamePlace(current, after);
	// Another writer has set it back already, such as a server that has refused the commit.
	const isBack =
		(!isMoved || isSamePlace(current, before)) && edited.every((field) => current[field] === before[field]);
	if (isBack && (isMoved || edited.length > 0)) return undefined;
	if (isMoved && isMovedLater) obstacles.node(after.id, "has been moved");
	// If a plain node becomes a mirror again, all of its own content is hidden.
	const hides = after.originId === null && before.originId !== null;
	const replaced = hides ? content : edited;
	if (replaced.some((field) => current[field] !== after[field])) obstacles.node(after.id, "has been changed");
	const record: { -readonly [K in keyof NodeRecord]: NodeRecord[K] } = { ...current };
	if (isMoved) {
		record.parentId = before.parentId;
		record.priority = before.priority;
	}
	if (!isEdited) return record;
	const hasLaterEdit = !hasContentOf(current, after);
	for (const field of edited) Object.assign(record, { [field]: before[field] });
	// With a later edit on top, this content never existed before, so its time is new too.
	if (!hasLaterEdit) record.modifiedAt = before.modifiedAt;
	else if (edited.length > 0) record.modifiedAt = seconds;
	return record;
}
