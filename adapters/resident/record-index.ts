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
import { ReceiptIndex } from "./receipt-index.js";

/** What takes a batch back: the records, keys, tombstones and receipts that it replaced. */
export interface Undo {
	readonly revision: number;
	readonly nodes: readonly NodeChange[];
	readonly keys: readonly KeyChange[];
	readonly tombstones: readonly Tombstone[];
	readonly receipts: ReceiptChanges;
}

/** Everything an index holds, at one revision. */
export interface IndexImage {
	readonly revision: number;
	readonly nodes: readonly NodeRecord[];
	readonly keys: readonly KeyRecord[];
	readonly deleted: readonly Tombstone[];
	readonly receipts: readonly Receipt[];
}

const none: readonly never[] = [];

const noReceipts: ReceiptChanges = { added: none, dropped: none };

/** The records of one outline in memory, with every index that the queries need. Records are shared and never changed. */
export class RecordIndex {
	/** The revision of the last batch that was applied. */
	revision = 0;
	readonly #nodes = new Map<string, NodeRecord>();
	readonly #shortIds = new Map<string, string>();
	readonly #children = new Map<string | null, Siblings>();
	/** Ids of mirrors by origin. */
	readonly #mirrors = new Map<string, Set<string>>();
	/** The same in ascending order, where it has been asked for. The lists are handed out, so they are replaced, not changed. */
	readonly #mirrorLists = new Map<string, readonly string[]>();
	readonly #keys = new Map<string, KeyRecord>();
	readonly #groups = new Map<string, Set<string>>();
	readonly #keysOf = new Map<string, Set<string>>();
	readonly #deleted = new Map<string, number>();
	readonly #receipts = new ReceiptIndex();
	/** Null until somebody asks for changes. */
	#log: ChangeLog | null = null;

	/** The record with an id. */
	record(id: string): NodeRecord | undefined {
		return this.#nodes.get(id);
	}

	/** The record of a key. */
	key(key: string): KeyRecord | undefined {
		return this.#keys.get(key);
	}

	/** Takes in one part of an image, into an index that is still empty of it. */
	load({ nodes = none, keys = none, deleted = none, receipts = none }: Partial<IndexImage>): void {
		for (const record of nodes) this.#place(record);
		for (const record of keys) this.#setKey(record.key, record);
		for (const { id, revision } of deleted) this.#deleted.set(id, revision);
		this.#receipts.change({ added: receipts, dropped: none });
		this.#log = null;
	}

	/** Everything, as it stands. Costs a copy of the references. */
	image(): IndexImage {
		return {
			revision: this.revision,
			nodes: [...this.#nodes.values()],
			keys: [...this.#keys.values()],
			deleted: Array.from(this.#deleted, ([id, revision]) => ({ id, revision })),
			receipts: this.#receipts.all(),
		};
	}

	/** Applies a batch. The base isn't checked here. */
	apply({ base, nodes, keys, receipts = noReceipts }: Batch): void {
		this.#change(nodes, keys, base + 1);
		for (const { before, after } of nodes) {
			if (after === null) this.#deleted.set(before!.id, this.revision);
			else if (before === null) this.#deleted.delete(after.id);
			this.#log?.add((after ?? before)!.id, this.revision);
		}
		if (this.#log?.isStale) this.#log = null;
		this.#receipts.change(receipts);
	}

	/** What would take a batch back, asked before it is applied. */
	undo({ nodes, keys, receipts = noReceipts }: Batch): Undo {
		const ids = nodes.map(({ before, after }) => (before ?? after)!.id);
		const names = keys.map(({ before, after }) => (before ?? after)!.key);
		return {
			revision: this.revision,
			nodes: nodes.map(({ after }, index) => ({ before: after, after: this.#nodes.get(ids[index]!) ?? null })),
			keys: keys.map(({ after }, index) => ({ before: after, after: this.#keys.get(names[index]!) ?? null })),
			tombstones: ids.flatMap((id) => {
				const revision = this.#deleted.get(id);
				return revision === undefined ? [] : [{ id, revision }];
			}),
			receipts: this.#receipts.undo(receipts),
		};
	}

	/** Takes back the batch that was applied last. */
	revert({ revision, nodes, keys, tombstones, receipts }: Undo): void {
		this.#change(nodes, keys, revision);
		for (const { before, after } of nodes) this.#deleted.delete((before ?? after)!.id);
		for (const tombstone of tombstones) this.#deleted.set(tombstone.id, tombstone.revision);
		this.#receipts.change(receipts);
		this.#log = null;
	}

	/** Answers queries, in their order. */
	answer<const Q extends readonly Query[]>(queries: Q): Answers<Q> {
		return queries.map((query) => this.#answer(query)) as unknown as Answers<Q>;
	}

	/** A record with its origin and its mirrors. */
	stored(record: NodeRecord): StoredNode {
		return {
			record,
			origin: record.originId === null ? null : (this.#nodes.get(record.originId) ?? null),
			mirrorIds: this.#mirrorIds(record.id),
		};
	}

	/** The nodes with these ids, their origins and their mirrors, each once. */
	related(ids: readonly string[]): StoredNode[] {
		const found = new Map<string, StoredNode>();
		const add = (id: string) => {
			const record = this.#nodes.get(id);
			if (record !== undefined && !found.has(id)) found.set(id, this.stored(record));
		};
		for (const id of ids) {
			add(id);
			const originId = this.#nodes.get(id)?.originId;
			if (originId) add(originId);
			for (const mirrorId of this.#mirrors.get(id) ?? none) add(mirrorId);
		}
		return [...found.values()];
	}

	#mirrorIds(originId: string): readonly string[] {
		const mirrorIds = this.#mirrors.get(originId);
		if (mirrorIds === undefined) return none;
		let list = this.#mirrorLists.get(originId);
		if (list === undefined) {
			list = [...mirrorIds].sort();
			this.#mirrorLists.set(originId, list);
		}
		return list;
	}

	#answer(query: Query): Answer<Query> {
		switch (query.type) {
			case "node": {
				const record = this.#locate(query.at);
				return record === undefined ? null : this.stored(record);
			}
			case "children":
				return this.#childrenOf(query).map((record) => this.stored(record));
			case "ancestors":
				return this.#ancestors(query.of);
			case "subtree":
				return this.#subtree(query.of);
			case "related":
				return this.related(query.ids);
			case "taken":
				return [...new Set(query.shortIds)].filter((shortId) => this.#shortIds.has(shortId));
			case "keys":
				return this.#keysIn(query.group);
			case "receipt":
				return this.#receipts.found(query.key, query.expiry);
			case "changes":
				return this.#changesSince(query.since, query.limit);
		}
	}

	#locate(at: Locator): NodeRecord | undefined {
		if ("id" in at) return this.#nodes.get(at.id);
		const id = "shortId" in at ? this.#shortIds.get(at.shortId) : this.#keys.get(at.key)?.nodeId;
		return id === undefined ? undefined : this.#nodes.get(id);
	}

	#childrenOf(query: Extract<Query, { type: "children" }>): NodeRecord[] {
		const { of, scope } = query;
		if (of === null) return this.#children.get(null)?.range(query) ?? [];
		const parent = this.#locate(of);
		if (parent === undefined) return [];
		const own = () => this.#children.get(parent.id)?.range(query) ?? [];
		if (scope === "own" || parent.originId === null || !this.#nodes.has(parent.originId)) return own();
		const shared = this.#children.get(parent.originId)?.range(query) ?? [];
		return merge(shared, own(), query);
	}

	#ancestors(of: Locator): string[] {
		const ids: string[] = [];
		const seen = new Set<string>();
		for (let record = this.#locate(of); record !== undefined && !seen.has(record.id); ) {
			ids.push(record.id);
			seen.add(record.id);
			record = record.parentId === null ? undefined : this.#nodes.get(record.parentId);
		}
		return ids;
	}

	#subtree(of: Locator): Subtree {
		const root = this.#locate(of);
		const records = new Set(root === undefined ? [] : [root]);
		// Grows while it is walked: each node's children are put at its end.
		for (const record of records) {
			for (const child of this.#children.get(record.id)?.range({}) ?? none) records.add(child);
		}
		return {
			nodes: Array.from(records, (record) => this.stored(record)),
			keys: Array.from(records).flatMap(({ id }) =>
				Array.from(this.#keysOf.get(id) ?? none, (key) => this.#keys.get(key)!),
			),
		};
	}

	#keysIn(group: string): StoredKey[] {
		return Array.from(this.#groups.get(group) ?? none).flatMap((key) => {
			const record = this.#keys.get(key)!;
			const node = this.#nodes.get(record.nodeId);
			return node === undefined ? [] : [{ record, node: this.stored(node) }];
		});
	}

	#changesSince(since: number, limit: number): ChangedSince {
		this.#log ??= new ChangeLog(this.#nodes, this.#deleted);
		return this.#log.since(since, limit, this.revision);
	}

	#change(nodes: readonly NodeChange[], keys: readonly KeyChange[], revision: number): void {
		// All that leaves a place goes first, so that a place may pass from one record to another within a batch.
		for (const { before, after } of nodes) {
			const current = this.#nodes.get((before ?? after)!.id);
			if (current === undefined) continue;
			if (after !== null && samePlace(current, after)) {
				this.#nodes.set(after.id, after);
				this.#children.get(after.parentId)!.replace(current, after);
			} else {
				this.#displace(current);
				if (after === null) this.#forget(current);
			}
		}
		for (const { after } of nodes) {
			if (after !== null && this.#nodes.get(after.id) !== after) this.#place(after);
		}
		for (const { before, after } of keys) this.#setKey((before ?? after)!.key, after);
		this.revision = revision;
	}

	#place(record: NodeRecord): void {
		this.#nodes.set(record.id, record);
		this.#shortIds.set(record.id.slice(-12), record.id);
		let siblings = this.#children.get(record.parentId);
		if (siblings === undefined) {
			siblings = new Siblings();
			this.#children.set(record.parentId, siblings);
		}
		siblings.add(record);
		if (record.originId === null) return;
		give(this.#mirrors, record.originId, record.id);
		const list = this.#mirrorLists.get(record.originId);
		if (list !== undefined)
			this.#mirrorLists.set(record.originId, list.toSpliced(placeOf(list, record.id), 0, record.id));
	}

	#forget({ id }: NodeRecord): void {
		this.#nodes.delete(id);
		const shortId = id.slice(-12);
		if (this.#shortIds.get(shortId) === id) this.#shortIds.delete(shortId);
	}

	#displace(record: NodeRecord): void {
		const siblings = this.#children.get(record.parentId)!;
		siblings.remove(record);
		if (siblings.empty) this.#children.delete(record.parentId);
		if (record.originId === null) return;
		take(this.#mirrors, record.originId, record.id);
		const list = this.#mirrorLists.get(record.originId);
		if (list === undefined) return;
		if (list.length === 1) this.#mirrorLists.delete(record.originId);
		else this.#mirrorLists.set(record.originId, list.toSpliced(placeOf(list, record.id), 1));
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

function samePlace(left: NodeRecord, right: NodeRecord): boolean {
	return left.parentId === right.parentId && left.priority === right.priority && left.originId === right.originId;
}

function merge(
	left: readonly NodeRecord[],
	right: readonly NodeRecord[],
	{ limit = Number.POSITIVE_INFINITY, fromLast = false }: { limit?: number; fromLast?: boolean },
): NodeRecord[] {
	const merged: NodeRecord[] = [];
	for (let at = 0, other = 0; at < left.length || other < right.length; ) {
		const first = left[at];
		const second = right[other];
		if (second === undefined || (first !== undefined && byPlace(first, second) < 0)) {
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

function placeOf(ids: readonly string[], id: string): number {
	let low = 0;
	for (let high = ids.length; low < high; ) {
		const middle = (low + high) >> 1;
		if (ids[middle]! < id) low = middle + 1;
		else high = middle;
	}
	return low;
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
