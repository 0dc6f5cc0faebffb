import { byPlace, Siblings } from "../../src/siblings.js";
import type {
	Answer,
	Answers,
	Batch,
	ChangedSince,
	KeyChange,
	KeyRecord,
	Locator,
	NodeChange,
	NodeRecord,
	Query,
	Receipt,
	ReceiptChanges,
	StoredKey,
	StoredNode,
	Subtree,
	Tombstone,
} from "../../src/storage.js";
import { ChangeLog } from "./change-log.js";
import { type Entry, MirrorIds } from "./entry.js";
import { NodeTable, type TableCopy } from "./node-table.js";
import { NodesImage } from "./nodes-image.js";
import { missing, type PackedBlock, topLevel } from "./packed-block.js";
import { recordsOf } from "./packed-nodes.js";
import { ReceiptIndex } from "./receipt-index.js";

/** What takes a batch back: the batch, and the tombstones and receipts that it replaced. */
export interface Undo {
	readonly batch: Batch;
	readonly tombstones: readonly Tombstone[];
	readonly receipts: ReceiptChanges | null;
}

/** Everything an index holds, at one revision. */
export interface IndexImage {
	readonly revision: number;
	readonly nodes: NodesImage;
	readonly keys: readonly KeyRecord[];
	readonly deleted: readonly Tombstone[];
	readonly receipts: readonly Receipt[];
}

/** Some of what an index holds. */
export type IndexPart = Partial<Omit<IndexImage, "revision" | "nodes"> & { readonly nodes: readonly NodeRecord[] }>;

const none: readonly never[] = [];

/** How deep few nodes stand. */
const commonDepth = 64;

/** What hangs on a node that isn't there, or is packed: nodes that name it as their parent or their origin. */
interface Strays {
	children: Siblings<Entry> | null;
	mirrors: MirrorIds | null;
}

/** The records of one outline in memory, with every index that the queries need. Records are shared and never changed. */
export class RecordIndex {
	/** The revision of the last batch that was applied. */
	revision = 0;
	readonly #table = new NodeTable((entry) => this.#gatherMirrors(entry));
	/** The nodes at the top level; undefined until they are looked for. */
	#top: Siblings<Entry> | null | undefined;
	/** The numbers of packed nodes whose parents aren't there. */
	readonly #packedStrays: number[] = [];
	/** By the id of the node that isn't there. */
	readonly #strays = new Map<string, Strays>();
	readonly #keys = new Map<string, KeyRecord>();
	readonly #groups = new Map<string, Set<string>>();
	readonly #keysOf = new Map<string, Set<string>>();
	readonly #deleted = new Map<string, number>();
	readonly #receipts = new ReceiptIndex();
	/** Null until somebody asks for changes. */
	#log: ChangeLog | null = null;

	/** The record with an id. */
	record(id: string): NodeRecord | undefined {
		return this.#table.get(id)?.record;
	}

	/** The record of a key. */
	key(key: string): KeyRecord | undefined {
		return this.#keys.get(key);
	}

	/** Takes in one part of an image, into an index that is still empty of it. */
	load({ nodes = none, keys = none, deleted = none, receipts = none }: IndexPart): void {
		for (const record of nodes) this.#add(record);
		for (const record of keys) this.#setKey(record.key, record);
		for (const { id, revision } of deleted) this.#deleted.set(id, revision);
		this.#receipts.change({ added: receipts, dropped: none });
		this.#log = null;
	}

	/** Makes room for so many nodes. */
	reserve(nodes: number): void {
		this.#table.reserve(nodes);
	}

	/** Takes in packed nodes, into an index that has nothing but such. When all are there, {@link settle} is to be called. */
	loadPacked(block: PackedBlock): void {
		const start = this.#table.addPacked(block);
		for (const [row, originId] of block.origins) addMirror(this.#straysOf(originId), block.idAt(row));
		for (let row = 0; row < block.count; row++)
			if (block.parents[row] === missing) this.#packedStrays.push(start + row);
	}

	/** Sees to the packed nodes that have no place among the others. @throws `storage_corrupt` for a block that isn't one */
	settle(): void {
		for (const number of this.#packedStrays.splice(0)) this.#placeBelow(this.#table.at(number));
	}

	/** Everything, as it stands. Costs a copy of the references. */
	image(): IndexImage {
		return {
			revision: this.revision,
			nodes: new NodesImage(this.#table.copy()),
			keys: [...this.#keys.values()],
			deleted: Array.from(this.#deleted, ([id, revision]) => ({ id, revision })),
			receipts: this.#receipts.all(),
		};
	}

	/** Applies a batch. The base isn't checked here. */
	apply({ base, nodes, keys, receipts }: Batch): void {
		this.#change(nodes, keys, base + 1);
		for (const { before, after } of nodes) {
			if (after === null) this.#deleted.set(before!.id, this.revision);
			else if (before === null && this.#deleted.size > 0) this.#deleted.delete(after.id);
			this.#log?.add((after ?? before)!.id, this.revision);
		}
		if (this.#log?.isStale) this.#log = null;
		if (receipts !== undefined) this.#receipts.change(receipts);
	}

	/** What would take a batch back, asked before it is applied. */
	undo(batch: Batch): Undo {
		const tombstones: Tombstone[] = [];
		if (this.#deleted.size > 0) {
			for (const { before, after } of batch.nodes) {
				const { id } = (before ?? after)!;
				const revision = this.#deleted.get(id);
				if (revision !== undefined) tombstones.push({ id, revision });
			}
		}
		return { batch, tombstones, receipts: batch.receipts === undefined ? null : this.#receipts.undo(batch.receipts) };
	}

	/** Takes back the batch that was applied last. */
	revert({ batch: { base, nodes, keys }, tombstones, receipts }: Undo): void {
		const back = <T>({ before, after }: { before: T; after: T }) => ({ before: after, after: before });
		this.#change(nodes.map(back), keys.map(back), base);
		for (const { before, after } of nodes) this.#deleted.delete((before ?? after)!.id);
		for (const tombstone of tombstones) this.#deleted.set(tombstone.id, tombstone.revision);
		if (receipts !== null) this.#receipts.change(receipts);
		this.#log = null;
	}

	/** Answers queries, in their order. */
	answer<const Q extends readonly Query[]>(queries: Q): Answers<Q> {
		const answers: Answer<Query>[] = [];
		for (const query of queries) answers.push(this.#answer(query));
		return answers as unknown as Answers<Q>;
	}

	/** Every node as it stands, in chunks; as it would be found now, if it has been changed meanwhile. */
	scan(chunkSize: number): Generator<StoredNode[], void, undefined> {
		return this.#scan(this.#table.copy(), chunkSize);
	}

	*#scan({ entries, packed }: TableCopy, chunkSize: number): Generator<StoredNode[], void, undefined> {
		const idOf = (number: number) => {
			const place = packed.placeOf(number);
			return entries[number]?.record.id ?? packed.block(place).idAt(number - packed.startOf(place));
		};
		let chunk: StoredNode[] = [];
		for (let number = 0; number < entries.length; ) {
			const entry = entries[number];
			if (entry) chunk.push(this.stored(entry));
			if (entry !== undefined) number += 1;
			else {
				const records = recordsOf(packed.block(packed.placeOf(number)), idOf);
				for (const record of records) chunk.push(this.#packedNode(record));
				number += records.length;
			}
			if (chunk.length < chunkSize) continue;
			yield chunk;
			chunk = [];
		}
		if (chunk.length > 0) yield chunk;
	}

	/** A node that may be packed still, and stays so. */
	#packedNode(record: NodeRecord): StoredNode {
		const { id, originId } = record;
		const mirrors = (this.#table.unpacked(id) ?? this.#strays.get(id))?.mirrors;
		const origin = originId === null ? null : (this.record(originId) ?? null);
		return { record, origin, mirrorIds: mirrors?.sorted ?? none };
	}

	/** A node with its origin and its mirrors. */
	stored(entry: Entry): StoredNode {
		const { originId } = entry.record;
		return entry.stored(originId === null ? null : (this.record(originId) ?? null));
	}

	/** The nodes with these ids, their origins and their mirrors, each once. */
	related(ids: readonly string[]): StoredNode[] {
		const found = new Set<Entry>();
		const add = (id: string) => {
			const entry = this.#table.get(id);
			if (entry !== undefined) found.add(entry);
			return entry;
		};
		for (const id of ids) {
			const entry = add(id);
			const originId = entry?.record.originId;
			if (originId) add(originId);
			const mirrors = entry === undefined ? this.#strays.get(id)?.mirrors : entry.mirrors;
			for (const mirrorId of mirrors?.sorted ?? none) add(mirrorId);
		}
		return Array.from(found, (entry) => this.stored(entry));
	}

	#storedAll(entries: readonly Entry[]): StoredNode[] {
		const nodes: StoredNode[] = [];
		for (const entry of entries) nodes.push(this.stored(entry));
		return nodes;
	}

	#answer(query: Query): Answer<Query> {
		switch (query.type) {
			case "node": {
				const entry = this.#locate(query.at);
				return entry === undefined ? null : this.stored(entry);
			}
			case "children":
				return this.#storedAll(this.#childrenOf(query));
			case "ancestors":
				return this.#ancestors(query.of);
			case "subtree":
				return this.#subtree(query.of);
			case "related":
				return this.related(query.ids);
			case "taken":
				return this.#taken(query.shortIds);
			case "keys":
				return this.#keysIn(query.group);
			case "receipt":
				return this.#receipts.found(query.key, query.expiry);
			case "changes":
				return this.#changesSince(query.since, query.limit);
		}
	}

	#taken(shortIds: readonly string[]): string[] {
		const taken: string[] = [];
		for (const shortId of shortIds) if (this.#table.withShortId(shortId) !== undefined) taken.push(shortId);
		return taken.length > 1 ? [...new Set(taken)] : taken;
	}

	#locate(at: Locator): Entry | undefined {
		if ("id" in at) return this.#table.get(at.id);
		if ("shortId" in at) return this.#table.withShortId(at.shortId);
		const id = this.#keys.get(at.key)?.nodeId;
		return id === undefined ? undefined : this.#table.get(id);
	}

	#childrenOf(query: Extract<Query, { type: "children" }>): Entry[] {
		const { of, scope } = query;
		if (of === null) return this.#topEntries()?.range(query) ?? [];
		const parent = this.#locate(of);
		if (parent === undefined) return [];
		const { originId } = parent.record;
		const origin = scope === "own" || originId === null ? undefined : this.#table.get(originId);
		const own = this.#childEntries(parent)?.range(query) ?? [];
		if (origin === undefined) return own;
		return merge(this.#childEntries(origin)?.range(query) ?? [], own, query);
	}

	#topEntries(): Siblings<Entry> | null {
		if (this.#top === undefined) this.#top = siblingsOf(this.#table.packedChildren(topLevel), null);
		return this.#top;
	}

	#childEntries(entry: Entry): Siblings<Entry> | null {
		if (entry.children === undefined) entry.children = siblingsOf(this.#table.packedChildren(entry.number), entry);
		return entry.children;
	}

	#parentEntry(entry: Entry): Entry | null {
		if (entry.parent === undefined) {
			const { parentId } = entry.record;
			entry.parent = parentId === null ? null : (this.#table.get(parentId) ?? null);
		}
		return entry.parent;
	}

	#ancestors(of: Locator): string[] {
		const ids: string[] = [];
		let seen: Set<string> | null = null;
		for (let entry = this.#locate(of) ?? null; entry !== null; entry = this.#parentEntry(entry)) {
			// Nobody is their own ancestor, unless the outline is damaged. So that is looked at when the way gets long.
			if (ids.length === commonDepth) {
				seen = new Set(ids);
				if (seen.size < commonDepth) return [...seen];
			}
			const { id } = entry.record;
			if (seen?.has(id)) break;
			seen?.add(id);
			ids.push(id);
		}
		return ids;
	}

	#subtree(of: Locator): Subtree {
		const root = this.#locate(of);
		const entries = new Set(root === undefined ? [] : [root]);
		// Grows while it is walked: each node's children are put at its end.
		for (const entry of entries) {
			for (const child of this.#childEntries(entry)?.all() ?? none) entries.add(child);
		}
		const nodes: StoredNode[] = [];
		const keys: KeyRecord[] = [];
		for (const entry of entries) {
			nodes.push(this.stored(entry));
			if (this.#keysOf.size === 0) continue;
			for (const key of this.#keysOf.get(entry.record.id) ?? none) keys.push(this.#keys.get(key)!);
		}
		return { nodes, keys };
	}

	#keysIn(group: string): StoredKey[] {
		return Array.from(this.#groups.get(group) ?? none).flatMap((key) => {
			const record = this.#keys.get(key)!;
			const entry = this.#table.get(record.nodeId);
			return entry === undefined ? [] : [{ record, node: this.stored(entry) }];
		});
	}

	#changesSince(since: number, limit: number): ChangedSince {
		this.#log ??= new ChangeLog(this.#table, this.#deleted);
		return this.#log.since(since, limit, this.revision);
	}

	#change(nodes: readonly NodeChange[], keys: readonly KeyChange[], revision: number): void {
		// All that leaves a place goes first, so that a place may pass from one record to another within a batch.
		const moved: Entry[] = [];
		const added: NodeRecord[] = [];
		for (const { before, after } of nodes) {
			const entry = this.#table.get((before ?? after)!.id);
			if (after === null) {
				if (entry !== undefined) this.#remove(entry);
			} else if (entry === undefined) added.push(after);
			else if (samePlace(entry.record, after)) entry.record = after;
			else {
				this.#displace(entry);
				entry.record = after;
				moved.push(entry);
			}
		}
		for (const entry of moved) this.#place(entry);
		for (const record of added) this.#add(record);
		for (const { before, after } of keys) this.#setKey((before ?? after)!.key, after);
		this.revision = revision;
	}

	/** Adds a node that isn't there, and gathers what has been waiting for it. */
	#add(record: NodeRecord): void {
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

	/** Gives an entry that has been packed so far the mirrors that have been waiting for it. */
	#gatherMirrors(entry: Entry): void {
		if (this.#strays.size === 0) return;
		const { id } = entry.record;
		entry.mirrors = this.#strays.get(id)?.mirrors ?? null;
		if (entry.mirrors !== null) this.#strays.delete(id);
	}

	/** Takes out a node. What hangs on it waits for it to come back. */
	#remove(entry: Entry): void {
		const children = this.#childEntries(entry);
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
			this.#top = this.#topEntries() ?? new Siblings();
			this.#top.add(entry);
		} else this.#placeBelow(entry);
		if (originId !== null) addMirror(this.#table.get(originId) ?? this.#straysOf(originId), id);
	}

	/** Puts an entry that has a parent among the children there. */
	#placeBelow(entry: Entry): void {
		const parentId = entry.record.parentId!;
		const parent = this.#table.get(parentId);
		entry.parent = parent ?? null;
		if (parent === undefined) {
			const strays = this.#straysOf(parentId);
			strays.children ??= new Siblings();
			strays.children.add(entry);
		} else {
			parent.children = this.#childEntries(parent) ?? new Siblings();
			parent.children.add(entry);
		}
	}

	#displace(entry: Entry): void {
		const { id, parentId, originId } = entry.record;
		const parent = this.#parentEntry(entry);
		if (parentId === null) this.#top = without(this.#topEntries(), entry);
		else if (parent !== null) parent.children = without(this.#childEntries(parent), entry);
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

	/** Forgets the strays of a node if there are none any more. */
	#dropStrays(id: string): void {
		const { children, mirrors } = this.#straysOf(id);
		if (children === null && mirrors === null) this.#strays.delete(id);
	}

	#setKey(key: string, record: KeyRecord | null): void {
		const before = this.#keys.get(key);
		if (before !== undefined) {
			this.#keys.delete(key);
			take(this.#groups, before.group, key);
			take(this.#keysOf, before.nodeId, key);
		}
		if (record === null) return;
		this.#keys.set(key, record);
		give(this.#groups, record.group, key);
		give(this.#keysOf, record.nodeId, key);
	}
}

/** The siblings that some entries make, with the parent that they then have. */
function siblingsOf(entries: Entry[], parent: Entry | null): Siblings<Entry> | null {
	if (entries.length === 0) return null;
	for (const entry of entries) entry.parent = parent;
	return new Siblings(entries.sort((left, right) => byPlace(left.record, right.record)));
}

/** What siblings are left when one is taken out. */
function without(siblings: Siblings<Entry> | null, { record }: Entry): Siblings<Entry> | null {
	siblings!.remove(record);
	return siblings!.empty ? null : siblings;
}

function addMirror(holder: { mirrors: MirrorIds | null }, id: string): void {
	holder.mirrors ??= new MirrorIds();
	holder.mirrors.add(id);
}

function samePlace(left: NodeRecord, right: NodeRecord): boolean {
	return left.parentId === right.parentId && left.priority === right.priority && left.originId === right.originId;
}

function merge(
	left: readonly Entry[],
	right: readonly Entry[],
	{ limit = Number.POSITIVE_INFINITY, fromLast = false }: { limit?: number; fromLast?: boolean },
): Entry[] {
	const merged: Entry[] = [];
	for (let at = 0, other = 0; at < left.length || other < right.length; ) {
		const first = left[at];
		const second = right[other];
		if (second === undefined || (first !== undefined && byPlace(first.record, second.record) < 0)) {
			merged.push(first!);
			at += 1;
		} else {
			merged.push(second);
			other += 1;
		}
	}
	if (merged.length <= limit) return merged;
	return fromLast ? merged.slice(-limit) : merged.slice(0, limit);
}

function give(sets: Map<string, Set<string>>, name: string, value: string): void {
	const set = sets.get(name);
	if (set === undefined) sets.set(name, new Set([value]));
	else set.add(value);
}

function take(sets: Map<string, Set<string>>, name: string, value: string): void {
	const set = sets.get(name);
	set?.delete(value);
	if (set?.size === 0) sets.delete(name);
}
