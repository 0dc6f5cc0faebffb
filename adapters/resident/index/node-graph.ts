import { SortedIds } from "../../../src/engine/ascending.js";
import type { Steps } from "../../../src/pace.js";
import { byPlace, Siblings } from "../../../src/siblings.js";
import type { NodeChange, NodeRecord, StoredNode } from "../../../src/storage.js";
import { type PackedBlock, recordsOf } from "../packed/packed-nodes.js";
import { missing, topLevel } from "../packed/parents.js";
import type { Entry } from "./entry.js";
import { NodeTable, type TableCopy } from "./node-table.js";

const none: readonly never[] = [];

/** The number of nodes of a step. */
const stepSize = 500;

/** The nodes that name a missing or packed node as their parent or their origin. */
interface Strays {
	children: Siblings<Entry> | null;
	mirrors: SortedIds | null;
}

/** The nodes of an index, each with its parent, its children and its mirrors. */
export class NodeGraph {
	readonly #table = new NodeTable((entry) => this.#gatherMirrors(entry));
	/** The nodes at the top level; undefined until first needed. */
	#top: Siblings<Entry> | null | undefined;
	/** The numbers of packed nodes whose parents are missing. */
	readonly #packedStrays: number[] = [];
	/** By the id of the missing or packed node. */
	readonly #strays = new Map<string, Strays>();

	/** The number of nodes. */
	get size(): number {
		return this.#table.size;
	}

	/** Returns the entry with an id. */
	get(id: string): Entry | undefined {
		return this.#table.get(id);
	}

	/** Returns an entry with a short id. */
	withShortId(shortId: string): Entry | undefined {
		return this.#table.withShortId(shortId);
	}

	/** Returns the present entries, and the nodes that are still packed. */
	copy(): TableCopy {
		return this.#table.copy();
	}

	/** Reserves memory for this many nodes. */
	reserve(nodes: number): void {
		this.#table.reserve(nodes);
	}

	/** Adds packed nodes to an index that has only packed nodes. After the last block, call {@link finishLoading}. */
	loadPacked(block: PackedBlock): void {
		const start = this.#table.addPacked(block);
		for (const [row, originId] of block.origins) addMirror(this.#straysOf(originId), block.idAt(row));
		for (let row = 0; row < block.count; row++)
			if (block.parents[row] === missing) this.#packedStrays.push(start + row);
	}

	/**
	 * Places each packed node whose parent isn't in its block: below that parent, or among its strays.
	 *
	 * @throws `storage_corrupt` for an invalid block
	 */
	finishLoading(): void {
		for (const number of this.#packedStrays.splice(0)) this.#placeBelow(this.#table.at(number));
	}

	/** Returns the nodes at the top level; null if there are none. */
	top(): Siblings<Entry> | null {
		if (this.#top === undefined) this.#top = siblingsOf(this.#table.packedChildren(topLevel), null);
		return this.#top;
	}

	/** Returns the children of a node; null if there are none. */
	childrenOf(entry: Entry): Siblings<Entry> | null {
		if (entry.children === undefined) entry.children = siblingsOf(this.#table.packedChildren(entry.number), entry);
		return entry.children;
	}

	/** Returns the parent of a node; null at the top level and if the parent is missing. */
	parentOf(entry: Entry): Entry | null {
		if (entry.parent === undefined) {
			const { parentId } = entry.record;
			entry.parent = parentId === null ? null : (this.#table.get(parentId) ?? null);
		}
		return entry.parent;
	}

	/** Returns a node with its origin and its mirrors. */
	stored(entry: Entry): StoredNode {
		const { originId } = entry.record;
		return entry.stored(originId === null ? null : (this.#table.get(originId)?.record ?? null));
	}

	/** Returns the nodes with these ids, their origins and their mirrors, each once. */
	*related(ids: readonly string[]): Steps<StoredNode[]> {
		const found = new Set<Entry>();
		const add = (id: string) => {
			const entry = this.#table.get(id);
			if (entry !== undefined) found.add(entry);
			return entry;
		};
		for (let at = 0; at < ids.length; at++) {
			if (at % stepSize === stepSize - 1) yield;
			const id = ids[at]!;
			const entry = add(id);
			const originId = entry?.record.originId;
			if (originId) add(originId);
			const mirrors = entry === undefined ? this.#strays.get(id)?.mirrors : entry.mirrors;
			for (const mirrorId of mirrors?.sorted ?? none) add(mirrorId);
		}
		return yield* this.storedAll([...found]);
	}

	/** Returns nodes with their origins and their mirrors. */
	*storedAll(entries: readonly Entry[]): Steps<StoredNode[]> {
		const nodes: StoredNode[] = [];
		for (const entry of entries) {
			if (nodes.length % stepSize === stepSize - 1) yield;
			nodes.push(this.stored(entry));
		}
		return nodes;
	}

	/** Yields every present node, in chunks. A node that changes meanwhile may be yielded in its new state. */
	scan(chunkSize: number): Generator<StoredNode[], void, undefined> {
		return this.#scan(this.#table.copy(), chunkSize);
	}

	/** Changes nodes. */
	change(nodes: readonly NodeChange[]): void {
		// Backwards, because in a subtree each parent comes before its children. So no child becomes a stray.
		for (let at = nodes.length - 1; at >= 0; at--) this.#removeIfDeleted(nodes[at]!);
		for (const { after } of nodes) if (after !== null) this.#write(after);
	}

	/** Changes nodes like {@link change}, in steps. Between the steps the index is of no revision. */
	*changeInSteps(nodes: readonly NodeChange[]): Steps<void> {
		this.reserve(nodes.length);
		for (let at = nodes.length - 1; at >= 0; at--) {
			if (at % stepSize === 0) yield;
			this.#removeIfDeleted(nodes[at]!);
		}
		for (let at = 0; at < nodes.length; at++) {
			if (at % stepSize === stepSize - 1) yield;
			const { after } = nodes[at]!;
			if (after !== null) this.#write(after);
		}
	}

	#removeIfDeleted({ before, after }: NodeChange): void {
		const entry = after === null ? this.#table.get(before!.id) : undefined;
		if (entry !== undefined) this.#remove(entry);
	}

	/**
	 * Adds or replaces a record. For a moment, siblings may have the same place; their ids distinguish them.
	 */
	#write(record: NodeRecord): void {
		const entry = this.#table.get(record.id);
		if (entry === undefined) this.add(record);
		else if (hasSameLinks(entry.record, record)) entry.record = record;
		else {
			this.#displace(entry);
			entry.record = record;
			this.#place(entry);
		}
	}

	*#scan({ entries, packed }: TableCopy, chunkSize: number): Generator<StoredNode[], void, undefined> {
		const idOf = (number: number) => entries[number]?.record.id ?? packed.idAt(number);
		let chunk: StoredNode[] = [];
		for (let number = 0; number < entries.length; ) {
			const entry = entries[number];
			if (entry) chunk.push(this.stored(entry));
			if (entry !== undefined) number += 1;
			else {
				const records = recordsOf(packed.block(packed.blockIndexOf(number)), idOf);
				for (const record of records) chunk.push(this.#packedNode(record));
				number += records.length;
			}
			if (chunk.length < chunkSize) continue;
			yield chunk;
			chunk = [];
		}
		if (chunk.length > 0) yield chunk;
	}

	/** Returns a node that may be packed, without unpacking it. */
	#packedNode(record: NodeRecord): StoredNode {
		const { id, originId } = record;
		const mirrors = (this.#table.unpacked(id) ?? this.#strays.get(id))?.mirrors;
		const origin = originId === null ? null : (this.#table.get(originId)?.record ?? null);
		return { record, origin, mirrorIds: mirrors?.sorted ?? none };
	}

	/** Adds a node, and links the strays that were waiting for it. */
	add(record: NodeRecord): void {
		const entry = this.#table.add(record);
		const strays = this.#strays.size === 0 ? undefined : this.#strays.get(record.id);
		if (strays !== undefined) {
			entry.children = strays.children;
			entry.mirrors = strays.mirrors;
			for (const child of strays.children?.all() ?? none) child.parent = entry;
			this.#strays.delete(record.id);
		}
		this.#place(entry);
	}

	/** Links an entry that has just been unpacked with its waiting mirrors. */
	#gatherMirrors(entry: Entry): void {
		if (this.#strays.size === 0) return;
		const { id } = entry.record;
		entry.mirrors = this.#strays.get(id)?.mirrors ?? null;
		if (entry.mirrors !== null) this.#strays.delete(id);
	}

	/** Removes a node. Its children and mirrors wait as strays until it comes back. */
	#remove(entry: Entry): void {
		const children = this.childrenOf(entry);
		this.#displace(entry);
		this.#table.delete(entry);
		const { record, mirrors } = entry;
		if (children === null && mirrors === null) return;
		for (const child of children?.all() ?? none) child.parent = null;
		this.#strays.set(record.id, { children, mirrors });
	}

	#place(entry: Entry): void {
		const { id, parentId, originId } = entry.record;
		if (parentId === null) {
			entry.parent = null;
			this.#top = this.top() ?? new Siblings();
			this.#top.add(entry);
		} else this.#placeBelow(entry);
		if (originId !== null) addMirror(this.#table.get(originId) ?? this.#straysOf(originId), id);
	}

	/** Adds an entry that has a parent to the parent's children. */
	#placeBelow(entry: Entry): void {
		const parentId = entry.record.parentId!;
		const parent = this.#table.get(parentId);
		entry.parent = parent ?? null;
		if (parent === undefined) {
			const strays = this.#straysOf(parentId);
			strays.children ??= new Siblings();
			strays.children.add(entry);
		} else {
			parent.children = this.childrenOf(parent) ?? new Siblings();
			parent.children.add(entry);
		}
	}

	#displace(entry: Entry): void {
		const { id, parentId, originId } = entry.record;
		const parent = this.parentOf(entry);
		if (parentId === null) this.#top = without(this.top(), entry);
		else if (parent !== null) parent.children = without(this.childrenOf(parent), entry);
		else {
			const strays = this.#straysOf(parentId);
			strays.children = without(strays.children, entry);
			this.#dropStrays(parentId);
		}
		if (originId === null) return;
		const origin = this.#table.get(originId);
		const holder = origin ?? this.#straysOf(originId);
		holder.mirrors!.delete(id);
		if (holder.mirrors!.empty) holder.mirrors = null;
		if (origin === undefined) this.#dropStrays(originId);
	}

	#straysOf(id: string): Strays {
		let strays = this.#strays.get(id);
		if (strays === undefined) {
			strays = { children: null, mirrors: null };
			this.#strays.set(id, strays);
		}
		return strays;
	}

	/** Deletes the strays of a node if none are left. */
	#dropStrays(id: string): void {
		const { children, mirrors } = this.#straysOf(id);
		if (children === null && mirrors === null) this.#strays.delete(id);
	}
}

/** Returns the siblings that the entries make, and sets the parent of each. */
function siblingsOf(entries: Entry[], parent: Entry | null): Siblings<Entry> | null {
	if (entries.length === 0) return null;
	for (const entry of entries) entry.parent = parent;
	return new Siblings(entries.sort((left, right) => byPlace(left.record, right.record)));
}

/** Returns the siblings without an entry; null if none are left. */
function without(siblings: Siblings<Entry> | null, { record }: Entry): Siblings<Entry> | null {
	siblings!.remove(record);
	return siblings!.empty ? null : siblings;
}

function addMirror(holder: { mirrors: SortedIds | null }, id: string): void {
	holder.mirrors ??= new SortedIds();
	holder.mirrors.add(id);
}

function hasSameLinks(left: NodeRecord, right: NodeRecord): boolean {
	return left.parentId === right.parentId && left.priority === right.priority && left.originId === right.originId;
}
