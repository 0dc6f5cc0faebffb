import type { Changes } from "../engine/changes.js";
import { commonEnds } from "../markup/text.js";
import { contentFields, differs, sizeOfRecord } from "../node.js";
import type { KeyChange, NodeChange, NodeRecord } from "../storage.js";

/** One undo step: the changes of one commit. */
export interface Step {
	/** The operation that made the commit, such as `move`. */
	readonly operation: string;
	/** The time of the call, in milliseconds. */
	readonly moment: number;
	/**
	 * The records of the created nodes. A change for each would take half as much memory again, and there may
	 * be many.
	 */
	readonly made: readonly NodeRecord[];
	/** The changes of existing nodes. */
	readonly changed: readonly NodeChange[];
	readonly keys: readonly KeyChange[];
	/** The ids of the nodes that were created on demand and stay when the step is undone. */
	readonly lasting: ReadonlySet<string>;
	/** The ids of the nodes that `ensure` created. Undoing deletes them if they have no children by then. */
	readonly ensured: ReadonlySet<string>;
	/** The ids of the nodes that only got other priorities, to make room for a sibling. */
	readonly aside: ReadonlySet<string>;
	/** The copies that a deletion made for mirrors: the id of the copied node by the id of the copy. */
	readonly copies: ReadonlyMap<string, string>;
	/** The approximate memory of the step, in bytes: two for each character. */
	readonly size: number;
	/** The place of the last edit in the text after it, if several edits have joined the step. */
	readonly edited?: Extent;
	/** Joins this step with the step before it. Absent: only typing may join them, as {@link merged} decides. */
	readonly join?: Join | undefined;
}

/** Joins two steps that follow each other. Returns undefined if they stay apart. */
export type Join = (earlier: Step, later: Step) => Step | undefined;

const noIds: ReadonlySet<string> = new Set();

/** The size of a key, in characters. */
const keySize = 64;

/** Returns the step of an operation that has committed some changes. */
export function stepOf(operation: string, moment: number, changes: Changes, join?: Join): Step {
	const { onDemand, aside, copies, keys } = changes;
	const { made, changed, size } = contentsOf(changes.nodes, keys);
	const lasting = onDemand.size === 0 ? noIds : lastingNodes(made, onDemand);
	const ensured = onDemand.size === 0 ? noIds : ensuredNodes(onDemand);
	return { operation, moment, made, changed, keys, lasting, ensured, aside, copies, size, join };
}

/** Returns the created nodes, the other changes and the memory of a step. */
export function contentsOf(
	nodes: readonly NodeChange[],
	keys: readonly KeyChange[],
): Pick<Step, "made" | "changed" | "size"> {
	let made: NodeRecord[] = [];
	let changed: NodeChange[] = [];
	let size = keySize * keys.length;
	// No loop of its own, as in `Changes.batch`.
	nodes.forEach((change) => {
		const { before, after } = change;
		if (before === null) {
			size += sizeOfRecord(after!);
			made = appended(made, after!);
		} else if (differs(before, after)) {
			size += sizeOfChange(before, after);
			changed = appended(changed, change);
		}
	});
	return { made, changed, size: 2 * size };
}

/** Appends an item. A step mostly has one: an empty array that grows would have room for sixteen more. */
function appended<T>(list: T[], item: T): T[] {
	if (list.length === 0) return [item];
	list.push(item);
	return list;
}

/** All changes of nodes in a step. */
export function* nodesOf({ made, changed }: Step): Generator<NodeChange, void, undefined> {
	for (const after of made) yield { before: null, after };
	yield* changed;
}

function ensuredNodes(onDemand: ReadonlyMap<string, boolean>): Set<string> {
	return new Set([...onDemand].flatMap(([id, lasts]) => (lasts ? [] : [id])));
}

/**
 * The ids of the nodes created on demand that outlast their step: all but nodes that it moved below its other
 * new nodes.
 */
function lastingNodes(records: readonly NodeRecord[], onDemand: ReadonlyMap<string, boolean>): Set<string> {
	const made = new Map(records.map((record) => [record.id, record]));
	const lasting = new Set<string>();
	for (const [id, lasts] of onDemand) {
		if (!lasts) continue;
		const line: string[] = [];
		let at = made.get(id);
		while (at !== undefined && onDemand.get(at.id) && !lasting.has(at.id)) {
			line.push(at.id);
			at = at.parentId === null ? undefined : made.get(at.parentId);
		}
		if (at === undefined || lasting.has(at.id)) for (const each of line) lasting.add(each);
	}
	return lasting;
}

/** The size of a change, in characters. Texts that stay the same count once. */
function sizeOfChange(before: NodeRecord, after: NodeRecord | null): number {
	let size = sizeOfRecord(before);
	if (after === null) return size;
	if (after.name !== before.name) size += after.name.length;
	if (after.note !== null && after.note !== before.note) size += after.note.length;
	if (after.properties !== null && after.properties !== before.properties) size += after.properties.length;
	return size;
}

/** Whether a step has no changes. */
export function isEmpty({ made, changed, keys }: Step): boolean {
	return made.length + changed.length + keys.length === 0;
}

/** From this part of the most characters on, a step ends with a word. */
const wordsFrom = 2 / 3;

/**
 * One step for two, if both edit the same fields of the same node, as typing does, and the later edit touches
 * the place of the earlier one. It is empty if the later edit sets the content back. Returns undefined otherwise, if
 * another edit came in between, or if the step would have more than some characters.
 */
export function merged(earlier: Step, later: Step, most: number): Step | undefined {
	const [first, second] = [editOf(earlier), editOf(later)];
	if (first === undefined || second === undefined || first.id !== second.id || first.fields !== second.fields) {
		return undefined;
	}
	const { before, after: between } = earlier.changed[0]!;
	const { before: found, after } = later.changed[0]!;
	if (differs(between!, found)) return undefined;
	const written = extentOf(before!, between!);
	const { start, end } = earlier.edited ?? written;
	const edited = extentOf(between!, after!);
	if (edited.start > end || edited.oldEnd < start) return undefined;
	if (written.endsWord && written.length >= most * wordsFrom) return undefined;
	if (extentOf(before!, after!).length > most) return undefined;
	const isSetBack = contentFields.every((field) => before![field] === after![field]);
	const changed = isSetBack ? [] : [{ before, after }];
	return { ...later, changed, size: 2 * sizeOfChange(before!, after), edited };
}

function editOf({ operation, changed }: Step): { id: string; fields: string } | undefined {
	if (operation !== "update") return undefined;
	// An update changes the content of exactly one node.
	const { before, after } = changed[0] as NodeChange & { before: NodeRecord; after: NodeRecord };
	return { id: after.id, fields: contentFields.filter((field) => before[field] !== after[field]).join() };
}

/** The part of a text that an edit has written. */
interface Extent {
	/** The offset of its beginning, and of its end in the texts after and before the edit. */
	readonly start: number;
	readonly end: number;
	readonly oldEnd: number;
	/** The number of characters that the edit writes or deletes. */
	readonly length: number;
	/** Whether it ends with a word. */
	readonly endsWord: boolean;
}

function extentOf(before: NodeRecord, after: NodeRecord): Extent {
	const [old, now] = before.name === after.name ? [before.note ?? "", after.note ?? ""] : [before.name, after.name];
	const { head: start, tail } = commonEnds(old, now);
	const [oldEnd, end] = [old.length - tail, now.length - tail];
	return { start, end, oldEnd, length: Math.max(oldEnd, end) - start, endsWord: /\s/.test(now[end - 1] ?? "") };
}
