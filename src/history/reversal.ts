import type { Steps } from "../pace.js";
import type { NodeChange, NodeRecord, StoredNode } from "../storage.js";
import { Obstacles } from "./obstacles.js";
import { nodesOf, type Step } from "./step.js";

/** What others may have changed in the meantime: an edit of one is no obstacle to taking back an edit of another. */
const content = ["name", "note", "layoutMode", "completedAt", "originId"] as const;

/** How many nodes a step of the work goes through. */
const stepSize = 1000;

/** What becomes of the nodes of a step when it is taken back; where they stand is still to be checked. */
export interface Reversal {
	/** The records by id; `null` for a node that goes. A node that stays as it is isn't there. */
	readonly records: Map<string, NodeRecord | null>;
	readonly obstacles: Obstacles;
}

/**
 * Takes the changes of a step back, field by field, on top of what the nodes are now.
 *
 * @param found - the step's nodes as they are now, by id; who isn't there is gone
 * @param staysAside - whether a node was only moved aside, and is to stay where it is
 */
export function* reversalOf(
	step: Step,
	found: ReadonlyMap<string, StoredNode>,
	seconds: number,
	staysAside: (id: string) => boolean,
): Steps<Reversal> {
	const records = new Map<string, NodeRecord | null>();
	const obstacles = new Obstacles();
	let seen = 0;
	for (const change of nodesOf(step)) {
		if (++seen % stepSize === 0) yield;
		const { id } = (change.before ?? change.after)!;
		if (step.lasting.has(id)) continue;
		const current = found.get(id)?.record;
		if (change.after === null) {
			if (current !== undefined) obstacles.node(id, "is there again");
			else records.set(id, { ...change.before! });
		} else if (change.before === null) {
			if (current === undefined) continue;
			if (current.parentId !== change.after.parentId) obstacles.node(id, "has been moved");
			else if (content.some((field) => current[field] !== change.after![field])) obstacles.node(id, "has been changed");
			records.set(id, null);
		} else {
			const record = restored(change as Changed, current, seconds, staysAside(id), obstacles);
			if (record !== undefined) records.set(id, record);
		}
	}
	return { records, obstacles };
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
	const moved = before.parentId !== after.parentId;
	const displaced = !staysAside && (moved || before.priority !== after.priority);
	// What a batch edits and sets back is the same as before, but for the time.
	const isEdited = edited.length > 0 || before.modifiedAt !== after.modifiedAt;
	if (!isEdited && !displaced) return undefined;
	if (current === undefined) {
		obstacles.node(after.id, "has been deleted");
		return undefined;
	}
	const isMoved = current.parentId !== after.parentId || current.priority !== after.priority;
	if (displaced && isMoved) obstacles.node(after.id, "has been moved");
	if (edited.some((field) => current[field] !== after[field])) obstacles.node(after.id, "has been changed");
	const record: { -readonly [K in keyof NodeRecord]: NodeRecord[K] } = { ...current };
	if (displaced) {
		record.parentId = before.parentId;
		record.priority = before.priority;
	}
	if (!isEdited) return record;
	const others = content.some((field) => current[field] !== after[field]);
	for (const field of edited) Object.assign(record, { [field]: before[field] });
	// With an edit of somebody else on top, the content is none that was there before.
	if (!others) record.modifiedAt = before.modifiedAt;
	else if (edited.length > 0) record.modifiedAt = seconds;
	return record;
}
