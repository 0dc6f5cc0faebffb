import { keyType } from "../id.js";
import { nodeView, type OutlineNode } from "../node.js";
import type { Steps } from "../pace.js";
import type { KeyChange, NodeChange, NodeRecord, StoredNode } from "../storage.js";

/** The changes of one commit, as listeners receive them. */
export interface OutlineEvent {
	/** The outline's revision after the commit. */
	readonly revision: number;
	/** `local`: a commit of this `Outline`; `remote`: of another one, in this process or elsewhere. */
	readonly source: "local" | "remote";
	/**
	 * Every node whose view (as `get` returns it) the commit changed. Beside the written nodes, these are the
	 * mirrors of an origin whose content changed, and an origin that gained or lost a mirror. Empty if only
	 * keys changed.
	 */
	readonly changes: readonly OutlineChange[];
	/** The keys that the commit set or dropped: shortcuts, the inbox and entries of the calendar. */
	readonly keys: readonly ChangedKey[];
	/**
	 * Present if another writer dropped tombstones that this outline had not read yet
	 * ({@link Outline.prune}). Then the event doesn't name all deleted nodes and dropped keys, so the listener
	 * has to read everything again.
	 */
	readonly expired?: true;
}

/** A commit before it is written, for {@link OutlineOptions.validate}. */
export interface PendingCommit {
	/** The method that makes it, such as `create`, `batch`, `import`, `undo`, or `sync` for a push of devices. */
	readonly operation: string;
	/** As in {@link OutlineEvent}. */
	readonly changes: readonly OutlineChange[];
	/** As in {@link OutlineEvent}. */
	readonly keys: readonly ChangedKey[];
}

/** How a write went, for {@link OutlineOptions.onWrite}. */
export interface WriteReport {
	/** The method that wrote, as in {@link PendingCommit}. */
	readonly operation: string;
	/** From the call to its end, in milliseconds. Waiting for earlier writes counts. */
	readonly milliseconds: number;
	/**
	 * The number of attempts: 1, and 1 more for each time that another writer's commit came first. 0 if the write
	 * ended before its first attempt.
	 */
	readonly attempts: number;
	/** The characters that the commit wrote, as {@link OutlineOptions.limits} counts them; 0 without a commit. */
	readonly size: number;
	/** The reason with which the write rejected; absent if it succeeded. */
	readonly error?: unknown;
}

/** A key that was set or dropped. Spec §2.3, §2.4. */
export interface ChangedKey {
	/** The key. A shortcut is any text; the other keys are `inbox`, `calendar`, and dates such as `2026-11`. */
	readonly key: string;
	/** `system`: the inbox or the calendar's root; `calendar`: a year, month or day. */
	readonly type: "shortcut" | "system" | "calendar";
	/** The id of its node; `null` if the key was dropped. */
	readonly nodeId: string | null;
	/** The id of its node before the commit. Only in events; absent if there was none, or if it isn't known. */
	readonly previousId?: string;
}

/** A node before and after a commit. All listeners receive the same objects: don't change them. */
export interface OutlineChange {
	/** The node's id. */
	readonly id: string;
	/** Absent if the node is new, or if the storage doesn't know its state before another process's commit. */
	readonly before?: Readonly<OutlineNode>;
	/** Absent if the node was deleted. */
	readonly after?: Readonly<OutlineNode>;
}

/** The fields of a view that are plain values. */
const viewFields = [
	"parentId",
	"name",
	"note",
	"priority",
	"layoutMode",
	"createdAt",
	"modifiedAt",
	"completedAt",
] as const satisfies (keyof OutlineNode)[];

const none: readonly never[] = [];

/** The number of nodes in a step. */
const stepSize = 500;

/**
 * Returns the nodes whose views a commit changes, before and after.
 *
 * @param related - the answer to a `related` query for the {@link relatedIds} of the changes, before the
 * commit
 */
export function* changedViews(nodes: Iterable<NodeChange>, related: readonly StoredNode[]): Steps<OutlineChange[]> {
	const before = new Map<string, StoredNode>();
	const records = new Map<string, NodeRecord>();
	const mirrorIds = new Map<string, Set<string>>();
	const written: NodeRecord[] = [];
	let seen = 0;
	for (const node of related) {
		if (++seen % stepSize === 0) yield;
		const { id } = node.record;
		before.set(id, node);
		records.set(id, node.record);
		if (node.mirrorIds.length > 0) mirrorIds.set(id, new Set(node.mirrorIds));
	}
	for (const change of nodes) {
		if (++seen % stepSize === 0) yield;
		const id = (change.before ?? change.after)!.id;
		if (change.before?.originId) mirrorIds.get(change.before.originId)?.delete(id);
		if (change.after === null) records.delete(id);
		else {
			records.set(id, change.after);
			written.push(change.after);
		}
	}
	for (const { id, originId } of written) {
		if (originId === null) continue;
		const mirrors = mirrorIds.get(originId);
		if (mirrors === undefined) mirrorIds.set(originId, new Set([id]));
		else mirrors.add(id);
	}
	const changes: OutlineChange[] = [];
	for (const id of new Set([...before.keys(), ...records.keys()])) {
		if (++seen % stepSize === 0) yield;
		const was = before.get(id);
		const record = records.get(id);
		const is: StoredNode | undefined = record && {
			record,
			origin: record.originId === null ? null : (records.get(record.originId) ?? null),
			mirrorIds: [...(mirrorIds.get(id) ?? none)].sort(),
		};
		const change: OutlineChange = {
			id,
			...(was !== undefined && { before: nodeView(was) }),
			...(is !== undefined && { after: nodeView(is) }),
		};
		if (!looksTheSame(change.before, change.after)) changes.push(change);
	}
	return changes;
}

/** Returns the keys that a commit sets or drops. */
export function changedKeys(keys: Iterable<KeyChange>): readonly ChangedKey[] {
	return Array.from(keys, ({ before, after }) => ({
		...changedKey((after ?? before)!.key, after?.nodeId ?? null),
		...(before !== null && { previousId: before.nodeId }),
	}));
}

/** Describes a key that was set, or dropped if it has no node. */
export function changedKey(key: string, nodeId: string | null): ChangedKey {
	return { key, type: keyType(key), nodeId };
}

/** Whether two views of a node are equal. */
export function looksTheSame(left: OutlineNode | undefined, right: OutlineNode | undefined): boolean {
	if (left === undefined || right === undefined) return left === right;
	for (const field of viewFields) if (left[field] !== right[field]) return false;
	return JSON.stringify([left.properties, left.mirror]) === JSON.stringify([right.properties, right.mirror]);
}
