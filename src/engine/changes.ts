import { OutlineError } from "../errors.js";
import { nodeView, type OutlineNode, placed, sizeOfRecord } from "../node.js";
import type { Steps } from "../pace.js";
import {
	type Batch,
	type KeyChange,
	type KeyRecord,
	type NodeChange,
	type NodeRecord,
	type Receipt,
	type ReceiptChanges,
	relatedIds,
	type StoredNode,
} from "../storage.js";

/** What one commit changed, as subscribers see it. */
export interface OutlineEvent {
	/** The outline's revision after the commit. */
	readonly revision: number;
	/** `local`: committed through this `Outline`; `remote`: through another one, in this process or elsewhere. */
	readonly source: "local" | "remote";
	/**
	 * Every node whose view (as in `get`) the commit changed: besides the nodes that were written, the mirrors of an origin
	 * whose content changed, and the origin that gained or lost a mirror. Empty if only shortcuts changed.
	 */
	readonly changes: readonly OutlineChange[];
}

/** A node before and after a commit. All listeners get the same objects: don't change them. */
export interface OutlineChange {
	/** The node's id. */
	readonly id: string;
	/** Absent if the node is new (or if a commit of another process didn't leave word of it). */
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
const noIds: ReadonlySet<string> = new Set();
const noneOnDemand: ReadonlyMap<string, boolean> = new Map();

/** The size of a key, a receipt or a tombstone, its texts aside, in characters. */
const smallSize = 64;

/**
 * Refuses what would write more than one commit may, before any of it is made.
 *
 * @param size - as {@link Changes.size} counts it
 * @throws `too_large`
 */
export function assertCommitSize(size: number, limit: number): void {
	if (size <= limit) return;
	throw new OutlineError(
		"too_large",
		`This would write ${size} characters in one commit, with 64 for each node, and ${limit} are allowed. Do it in several steps, or raise limits.commit.`,
	);
}

/**
 * Collects what an operation changes. Of a record or key that is written more than once, the first state before and the last
 * one after count; what comes and goes again isn't there at all.
 */
export class Changes {
	#nodes = new Map<string, NodeChange>();
	/** New nodes that aren't among those yet: nobody looks for most of what is made in bulk. */
	#added: NodeChange[] = [];
	// Few operations have any of these. So they are made on first use.
	#keys: Map<string, KeyChange> | undefined;
	#onDemand: Map<string, boolean> | undefined;
	#aside: Set<string> | undefined;
	#receipts: ReceiptChanges | undefined;

	/** Whether there is nothing to commit. */
	get empty(): boolean {
		return (
			this.#nodes.size === 0 &&
			this.#added.length === 0 &&
			(this.#keys === undefined || this.#keys.size === 0) &&
			this.#receipts === undefined
		);
	}

	/** How much a commit of all this would write, in characters: see {@link sizeOfRecord}. */
	get size(): number {
		let size = smallSize * (this.#keys?.size ?? 0);
		for (const { after } of this.#list()) size += after === null ? smallSize : sizeOfRecord(after);
		for (const { request, result } of this.#receipts?.added ?? none) size += smallSize + request.length + result.length;
		return size;
	}

	/** What has become of a node, if anything has. */
	node(id: string): NodeChange | undefined {
		return this.#byId().get(id);
	}

	/** As {@link node}, without those that have been kept back. */
	protected knownNode(id: string): NodeChange | undefined {
		return this.#nodes.get(id);
	}

	/** Whether any have been kept back. */
	protected get keepsBack(): boolean {
		return this.#added.length > 0;
	}

	/** Makes those known that have been kept back, of which each is told to {@link settled}. */
	protected settle(): void {
		if (this.#added.length === 0) return;
		const added = this.#added;
		this.#added = [];
		for (const change of added) {
			const record = change.after!;
			this.#nodes.set(record.id, change);
			this.settled(record);
		}
	}

	/** For whoever keeps an index of them. */
	protected settled(_record: NodeRecord): void {}

	/** What has become of a key, if anything has. */
	key(key: string): KeyChange | undefined {
		return this.#keys?.get(key);
	}

	/** Every node of which something has become. */
	get nodes(): Iterable<NodeChange> {
		return this.#list();
	}

	/** Every key of which something has become. */
	get keys(): Iterable<KeyChange> {
		return this.#keys?.values() ?? none;
	}

	/**
	 * The ids of the nodes that were made because a reference asked for them: the inbox and calendar entries. Spec §2.4. Each with
	 * whether it stays when all this is undone.
	 */
	get onDemand(): ReadonlyMap<string, boolean> {
		return this.#onDemand ?? noneOnDemand;
	}

	/** The ids of the nodes that are there, and were only moved to make room for others among their siblings. */
	get aside(): ReadonlySet<string> {
		return this.#aside ?? noIds;
	}

	/** Writes the fresh records of a new node and of what is below it, none of them a mirror. All but the first are kept back. */
	add(records: readonly NodeRecord[]): void {
		this.put(null, records[0]!);
		for (let index = 1; index < records.length; index++) this.#added.push({ before: null, after: records[index]! });
	}

	/** Writes a record: `before` as it was read, or `null` for a new one. `after` must be a fresh object. */
	put(before: NodeRecord | null, after: NodeRecord): void {
		if (this.#aside?.has(after.id) && this.#nodes.get(after.id)?.after?.priority !== after.priority) {
			this.#aside.delete(after.id);
		}
		record(before === null ? this.#nodes : this.#byId(), after.id, { before, after });
	}

	/** Moves a record a little among its siblings, whose order stays the same. */
	moveAside(before: NodeRecord, after: NodeRecord): void {
		const moved = this.#byId().has(after.id) && !this.#aside?.has(after.id);
		this.put(before, after);
		if (moved) return;
		this.#aside ??= new Set();
		this.#aside.add(after.id);
	}

	/** Deletes a record. */
	remove(before: NodeRecord): void {
		this.#aside?.delete(before.id);
		record(this.#byId(), before.id, { before, after: null });
	}

	/** Writes a record that gains or loses a mirror, so that whoever follows the changes hears of it too. */
	touch(record: NodeRecord): void {
		if (!this.#byId().has(record.id)) this.put(record, placed(record, record.parentId, record.priority));
	}

	/** Points a key at a node. */
	putKey(before: KeyRecord | null, after: KeyRecord): void {
		this.#keys ??= new Map();
		record(this.#keys, after.key, { before, after });
	}

	/** Makes a node for a key that has asked for one. `lasting`: whether it stays when all this is undone. */
	materialize(node: NodeRecord, key: KeyRecord, lasting: boolean): void {
		this.put(null, node);
		this.putKey(null, key);
		this.#onDemand ??= new Map();
		this.#onDemand.set(node.id, lasting);
	}

	/** Drops a key. */
	removeKey(before: KeyRecord): void {
		this.#keys ??= new Map();
		record(this.#keys, before.key, { before, after: null });
	}

	/** Keeps a receipt of all this, and drops the ones with some keys. */
	addReceipt(receipt: Receipt, dropped: readonly string[]): void {
		this.#receipts = { added: [receipt], dropped };
	}

	/** Takes over what others have collected, where nothing has been collected yet. */
	adopt(others: Changes): void {
		this.#nodes = others.#nodes;
		this.#added = others.#added;
		this.#keys = others.#keys;
		this.#onDemand = others.#onDemand;
		this.#aside = others.#aside;
	}

	/** The ids that {@link changedViews} needs the related nodes of. */
	get relatedIds(): string[] {
		return relatedIds(this.#list());
	}

	/** The batch that commits everything on top of a revision. */
	batch(base: number): Batch {
		// The records are this operation's own and nobody has seen them yet, so they take their revision in place.
		const nodes = this.#list();
		for (const { after } of nodes) {
			if (after !== null) (after as { revision: number }).revision = base + 1;
		}
		const keys = this.#keys === undefined ? none : [...this.#keys.values()];
		return this.#receipts === undefined ? { base, nodes, keys } : { base, nodes, keys, receipts: this.#receipts };
	}

	#list(): readonly NodeChange[] {
		if (this.#nodes.size === 0) return this.#added;
		return this.#added.length === 0 ? [...this.#nodes.values()] : [...this.#nodes.values(), ...this.#added];
	}

	#byId(): Map<string, NodeChange> {
		this.settle();
		return this.#nodes;
	}
}

/** Adds a change to those of one thing before. */
function record<T>(
	changes: Map<string, { before: T | null; after: T | null }>,
	id: string,
	change: { before: T | null; after: T | null },
): void {
	const known = changes.get(id);
	if (known === undefined) changes.set(id, change);
	else if (known.before === null && change.after === null) changes.delete(id);
	else changes.set(id, { before: known.before, after: change.after });
}

/** How many nodes a step goes through. */
const stepSize = 500;

/**
 * The nodes whose views a commit changes, before and after. `related` is the answer to a `related` query for
 * {@link relatedIds} before the commit.
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

/** Whether two views of a node are equal. */
function looksTheSame(left: OutlineNode | undefined, right: OutlineNode | undefined): boolean {
	if (left === undefined || right === undefined) return left === right;
	for (const field of viewFields) if (left[field] !== right[field]) return false;
	return JSON.stringify(left.mirror) === JSON.stringify(right.mirror);
}
