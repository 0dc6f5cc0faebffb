import { placed, sizeOfRecord } from "../node.js";
import {
	type Batch,
	type KeyChange,
	type KeyRecord,
	type NodeChange,
	type NodeRecord,
	type Receipt,
	type ReceiptChanges,
	relatedIds,
} from "../storage.js";

const none: readonly never[] = [];
const noIds: ReadonlySet<string> = new Set();
const noneOnDemand: ReadonlyMap<string, boolean> = new Map();

/** The size of a key, a receipt or a tombstone, its texts aside, in characters. */
const smallSize = 64;

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
