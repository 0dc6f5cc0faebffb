import { firstNotBefore } from "../../../src/engine/binary-search.js";
import { type Steps, sorted } from "../../../src/pace.js";
import type { ChangedSince, KeyRecord, KeyTombstone, NodeRecord, Tombstone } from "../../../src/storage.js";
import type { NodeGraph } from "./node-graph.js";
import { NodesImage } from "./nodes-image.js";

/** A change of a node or a key. */
interface LogItem {
	/** The id of the node, or the key. */
	readonly id: string;
	readonly revision: number;
	readonly isKey: boolean;
}

/** The keys of an index, and the tombstones of nodes and keys. */
export interface LoggedKeys {
	readonly keys: ReadonlyMap<string, KeyRecord>;
	/** The revisions of deleted nodes by their ids. */
	readonly deleted: ReadonlyMap<string, number>;
	/** The revisions of dropped keys. */
	readonly droppedKeys: ReadonlyMap<string, number>;
}

/** The number of items of a step. */
const stepSize = 1000;

/** Every record, key and tombstone by the revision of its last change, with outdated items among them. */
export class ChangeLog {
	readonly #nodes: NodeGraph;
	readonly #others: LoggedKeys;
	/** Ordered by revision. */
	readonly #items: LogItem[];

	private constructor(nodes: NodeGraph, others: LoggedKeys, items: LogItem[]) {
		this.#nodes = nodes;
		this.#others = others;
		this.#items = items;
	}

	/**
	 * Makes a log of all nodes, keys and tombstones. Later answers leave out the items that are outdated by
	 * then.
	 */
	static *of(nodes: NodeGraph, others: LoggedKeys): Steps<ChangeLog> {
		const items: LogItem[] = [];
		for (const { id, revision } of new NodesImage(nodes.copy()).records()) {
			if (items.push({ id, revision, isKey: false }) % stepSize === 0) yield;
		}
		const { keys, deleted, droppedKeys } = others;
		for (const [id, revision] of deleted) if (items.push({ id, revision, isKey: false }) % stepSize === 0) yield;
		for (const { key, revision } of keys.values()) items.push({ id: key, revision, isKey: true });
		for (const [id, revision] of droppedKeys) items.push({ id, revision, isKey: true });
		return new ChangeLog(nodes, others, yield* sorted(items, byRevision));
	}

	/** Whether so many items are outdated that a new log is better. */
	get isStale(): boolean {
		const { keys, deleted, droppedKeys } = this.#others;
		return this.#items.length > 2 * (this.#nodes.size + deleted.size + keys.size + droppedKeys.size) + 1000;
	}

	/** Adds a change of the newest revision, of a node or a key. */
	add(id: string, revision: number, isKey = false): void {
		this.#items.push({ id, revision, isKey });
	}

	/** Answers a `changes` query at a revision. */
	*since(since: number, limit: number, current: number, horizon: number): Steps<ChangedSince> {
		const nodes: NodeRecord[] = [];
		const deleted: Tombstone[] = [];
		const keys: KeyRecord[] = [];
		const droppedKeys: KeyTombstone[] = [];
		let revision = current;
		const start = firstNotBefore(this.#items.length, (index) => this.#items[index]!.revision <= since);
		for (let at = start; at < this.#items.length; at++) {
			if (at % stepSize === stepSize - 1) yield;
			const item = this.#items[at]!;
			const startsCommit = at > start && this.#items[at - 1]!.revision !== item.revision;
			if (startsCommit && nodes.length + deleted.length + keys.length + droppedKeys.length >= limit) {
				revision = this.#items[at - 1]!.revision;
				break;
			}
			const { id } = item;
			if (item.isKey) {
				const key = this.#others.keys.get(id);
				if (key?.revision === item.revision) keys.push(key);
				else if (this.#others.droppedKeys.get(id) === item.revision) {
					droppedKeys.push({ key: id, revision: item.revision });
				}
				continue;
			}
			const record = this.#nodes.get(id)?.record;
			if (record?.revision === item.revision) nodes.push(record);
			else if (this.#others.deleted.get(id) === item.revision) deleted.push({ id, revision: item.revision });
		}
		return {
			nodes: nodes.length < 2 ? nodes : yield* sorted(nodes, byRevision),
			deleted: deleted.length < 2 ? deleted : yield* sorted(deleted, byRevision),
			keys: keys.sort(byRevisionAndKey),
			droppedKeys: droppedKeys.sort(byRevisionAndKey),
			revision,
			horizon,
		};
	}
}

function byRevision(left: Tombstone, right: Tombstone): number {
	return left.revision - right.revision || (left.id < right.id ? -1 : 1);
}

function byRevisionAndKey(left: KeyTombstone, right: KeyTombstone): number {
	return left.revision - right.revision || (left.key < right.key ? -1 : 1);
}
