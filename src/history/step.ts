import type { Changes } from "../change.js";
import type { KeyChange, NodeChange, NodeRecord } from "../storage.js";

/** One step of the history: what one commit changed. */
export interface Step {
	/** The operation that made the commit, such as `move`. */
	readonly operation: string;
	/** When the operation was called, in milliseconds. */
	readonly moment: number;
	/** The records of the nodes that it made: there may be many, and a change for each would take half as much again. */
	readonly made: readonly NodeRecord[];
	/** What it did to nodes that were there. */
	readonly changed: readonly NodeChange[];
	readonly keys: readonly KeyChange[];
	/** The ids of the nodes that were made on demand: they outlast the step's being undone. */
	readonly lasting: ReadonlySet<string>;
	/** The ids of the nodes that were only moved aside, to make room for another. */
	readonly aside: ReadonlySet<string>;
}

/** What an operation has committed, as a step. */
export function stepOf(operation: string, moment: number, changes: Changes): Step {
	const { keys, onDemand, aside } = changes;
	const made: NodeRecord[] = [];
	const changed: NodeChange[] = [];
	for (const change of changes.nodes) {
		if (change.before === null) made.push(change.after!);
		else if (differs(change.before, change.after)) changed.push(change);
	}
	const lasting = onDemand.size === 0 ? onDemand : lastingNodes(made, onDemand);
	return { operation, moment, made, changed, keys: [...keys], lasting, aside };
}

/** All that a step did to nodes. */
export function nodesOf({ made, changed }: Step): NodeChange[] {
	return [...made.map((after) => ({ before: null, after })), ...changed];
}

/** Which of the nodes that were made on demand outlast their step: all but those that it has moved below others it has made. */
function lastingNodes(records: readonly NodeRecord[], onDemand: ReadonlySet<string>): Set<string> {
	const made = new Map(records.map((record) => [record.id, record]));
	const lasting = new Set<string>();
	for (const id of onDemand) {
		const line: string[] = [];
		let at = made.get(id);
		while (at !== undefined && onDemand.has(at.id) && !lasting.has(at.id)) {
			line.push(at.id);
			at = at.parentId === null ? undefined : made.get(at.parentId);
		}
		if (at === undefined || lasting.has(at.id)) for (const each of line) lasting.add(each);
	}
	return lasting;
}

/** Whether more than its revision has changed, as it does when a node gains or loses a mirror. */
function differs(before: NodeRecord, after: NodeRecord | null): boolean {
	if (after === null) return true;
	for (const field of fields) if (before[field] !== after[field]) return true;
	return false;
}

/** How many nodes and keys a step changed. */
export function sizeOf({ made, changed, keys }: Step): number {
	return made.length + changed.length + keys.length;
}

/** The fields that one edit of a node's content changes. */
const contentFields = ["name", "note", "layoutMode", "completedAt"] as const;

/** The fields that make a difference. */
const fields = [...contentFields, "modifiedAt", "parentId", "priority", "originId"] as const;

/** Two steps as one, if both edit the same content of the same node, as typing does; else undefined. */
export function merged(earlier: Step, later: Step): Step | undefined {
	const [first, second] = [editOf(earlier), editOf(later)];
	if (first === undefined || second === undefined || first.id !== second.id || first.fields !== second.fields) {
		return undefined;
	}
	return { ...later, changed: [{ before: earlier.changed[0]!.before, after: later.changed[0]!.after }] };
}

function editOf({ operation, changed }: Step): { id: string; fields: string } | undefined {
	if (operation !== "update") return undefined;
	// An update changes the content of one node, and nothing else.
	const { before, after } = changed[0] as NodeChange & { before: NodeRecord; after: NodeRecord };
	return { id: after.id, fields: contentFields.filter((field) => before[field] !== after[field]).join() };
}
